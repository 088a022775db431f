// The kernel that transforms lines, on the emulated GPU, against transforms in long double.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "base/random.hpp"
#include "device/gpu/access.hpp"
#include "device/gpu/line_kernels.hpp"
#include "fft/reference_line.hpp"
#include "mpi/allocations.hpp"
#include "testing/emulated/cuda/block.hpp"
#include "unit/gpu_tables.hpp"

namespace weft::core::emulated {

namespace {

using core::test::Tables;
using Exact = ReferenceLine::Complex;

/// Elements of one side of a batch: real or complex numbers, all of them read and set one by one.
class Numbers {
  public:
    Numbers(Scalar scalar, Index elements, Random& random)
        : scalar_(scalar), bytes_(static_cast<std::size_t>(elements * scalar.bytes())) {
        for (Index e = 0; e < elements; ++e) {
            set(e, {static_cast<long double>(random.between(-1000, 1000)) / 1000,
                    static_cast<long double>(random.between(-1000, 1000)) / 1000});
        }
    }
    [[nodiscard]] Exact at(Index element) const {
        return {number(element, 0), scalar_.complex ? number(element, 1) : 0};
    }
    void set(Index element, Exact value) {
        put(element, 0, value.real());
        if (scalar_.complex) put(element, 1, value.imag());
    }
    std::byte* data() { return bytes_.data(); }
    [[nodiscard]] Index elements() const {
        return static_cast<Index>(bytes_.size()) / scalar_.bytes();
    }

  private:
    [[nodiscard]] Index offset(Index element, Index part) const {
        return element * scalar_.bytes() + part * scalar_.bytes() / scalar_.numbers();
    }
    [[nodiscard]] long double number(Index element, Index part) const {
        const std::byte* from = bytes_.data() + offset(element, part);
        if (scalar_.precision == Precision::f64) return load<double>(from);
        return load<float>(from);
    }
    void put(Index element, Index part, long double value) {
        std::byte* to = bytes_.data() + offset(element, part);
        if (scalar_.precision == Precision::f64) return store(to, static_cast<double>(value));
        store(to, static_cast<float>(value));
    }
    Scalar scalar_;
    std::vector<std::byte> bytes_;
};

/// The transform of one line by the definition of its kind.
std::vector<Exact> transformed(const LineTransform& line, std::vector<Exact> x) {
    const auto n = static_cast<std::size_t>(line.length);
    if (line.kind == Kind::c2r) {
        // The imaginary parts of numbers that are their own mirrors have no effect.
        x.resize(n);
        for (std::size_t k = 0; k <= n / 2; ++k) {
            if ((n - k) % n == k) {
                x[k] = x[k].real();
            } else {
                x[n - k] = std::conj(x[k]);
            }
        }
    }
    ReferenceLine(line.length, line.sign).transform(x);
    x.resize(static_cast<std::size_t>(line.target_length()));
    return x;
}

/// Where element e of that lane is, in that step of the loops: the place, and in it the element.
struct Position {
    std::size_t place;
    Index element;
};
Position position(const std::vector<Segments>& side, Index e, Index lane,
                  const std::vector<Index>& step) {
    for (const Segments& alike : side) {
        for (std::size_t j = 0; j < alike.begins.size(); ++j) {
            const LineSegment segment = alike.segment(j);
            if (e < segment.first || e >= segment.first + segment.extent) continue;
            Index element = alike.begins[j].offset + (e - segment.first) * segment.step +
                            lane * segment.lane_step;
            for (std::size_t k = 0; k < step.size(); ++k) element += step[k] * alike.strides[k];
            return {static_cast<std::size_t>(alike.begins[j].place), element};
        }
    }
    throw std::logic_error("an element of no segment");
}

/// Elements in each place that the batch reaches.
std::vector<Index> spans(const FusedLines& lines, const std::vector<Segments>& side,
                         std::size_t places) {
    std::vector<Index> result(places, 0);
    for (const Segments& alike : side) {
        Index last =
            (alike.first.extent - 1) * alike.first.step + (lines.lanes - 1) * alike.first.lane_step;
        for (std::size_t k = 0; k < lines.loops.size(); ++k) {
            last += (lines.loops[k] - 1) * alike.strides[k];
        }
        for (const SegmentBegin& begin : alike.begins) {
            Index& span = result[static_cast<std::size_t>(begin.place)];
            span = std::max(span, begin.offset + last + 1);
        }
    }
    return result;
}

std::vector<Index> step_of(Index number, const std::vector<Index>& loops) {
    std::vector<Index> step(loops.size());
    for (std::size_t k = loops.size(); k-- > 0; number /= loops[k]) step[k] = number % loops[k];
    return step;
}

std::string text(const FusedLines& lines) {
    return fmt::format("{} lines of {}, kind {}, sign {}, {} bytes", lines.lanes, lines.line.length,
                       static_cast<int>(lines.line.kind), lines.line.sign,
                       lines.line.source().bytes());
}

/// Transforms random lines whose source and destination are in different places, and compares; what
/// the batch does not write has to stay as it was.
void check(const FusedLines& lines, std::size_t places, Random& random,
           Index most_shared = Index{48} << 10) {
    const LineTransform& line = lines.line;
    const auto from_spans = spans(lines, lines.from, places);
    const auto to_spans = spans(lines, lines.to, places);
    std::vector<Numbers> numbers;
    std::vector<std::byte*> addresses;
    for (std::size_t i = 0; i < places; ++i) {
        const bool source = from_spans[i] > 0;
        numbers.emplace_back(source ? line.source() : line.target(),
                             std::max(from_spans[i], to_spans[i]), random);
    }
    addresses.reserve(numbers.size());
    for (Numbers& some : numbers) addresses.push_back(some.data());
    auto expected = numbers;
    Index steps = 1;
    for (const Index extent : lines.loops) steps *= extent;
    for (Index s = 0; s < steps; ++s) {
        const auto step = step_of(s, lines.loops);
        for (Index lane = 0; lane < lines.lanes; ++lane) {
            std::vector<Exact> x;
            for (Index e = 0; e < line.source_length(); ++e) {
                const Position at = position(lines.from, e, lane, step);
                x.push_back(numbers[at.place].at(at.element));
            }
            const auto y = transformed(line, x);
            for (Index e = 0; e < line.target_length(); ++e) {
                const Position at = position(lines.to, e, lane, step);
                expected[at.place].set(at.element, y[static_cast<std::size_t>(e)]);
            }
        }
    }
    Tables tables;
    const LineKernels kernels(lines, tables, most_shared);
    set_thread_order(random.next());
    kernels.run(nullptr, addresses);
    long double error = 0;
    long double size = 0;
    for (std::size_t i = 0; i < places; ++i) {
        for (Index e = 0; e < numbers[i].elements(); ++e) {
            // Not the larger of the two, which a NaN would get past.
            error += std::norm(numbers[i].at(e) - expected[i].at(e));
            size += std::norm(expected[i].at(e));
        }
    }
    const long double most = line.precision == Precision::f64 ? 1e-15L : 5e-7L;
    ASSERT_LE(std::sqrt(error), most * std::sqrt(size)) << text(lines);
}

/// Lines in an array of [outer][n][inner] elements, to another one of its own strides.
FftTask batch(const LineTransform& line, Index outer, Index inner, bool transposed) {
    const Index source = line.source_length();
    const Index target = line.target_length();
    FftTask task{.line = line, .from_step = inner, .to_step = transposed ? 1 : inner};
    task.looped = {{outer, source * inner, target * inner}, {inner, 1, transposed ? target : 1}};
    return task;
}

LineTransform line_of(Kind kind, Precision precision, Index n, int sign) {
    if (kind != Kind::c2c) sign = kind == Kind::r2c ? -1 : 1;
    return {kind, sign, precision, n};
}

class GpuLines : public ::testing::TestWithParam<std::tuple<Kind, Precision>> {
  protected:
    [[nodiscard]] LineTransform line(Index n, int sign = -1) const {
        return line_of(std::get<0>(GetParam()), std::get<1>(GetParam()), n, sign);
    }
    Random random_{17};
};

TEST_P(GpuLines, AllSmoothLengths) {
    for (Index n = 1; n <= 150; ++n) {
        if (!has_line_kernel(n)) continue;
        const int sign = n % 4 < 2 ? 1 : -1;
        check(lines_of(batch(line(n, sign), 3, 1, false)), 2, random_);
        check(lines_of(batch(line(n, -sign), 2, 5, n % 2 == 0)), 2, random_);
    }
}

TEST_P(GpuLines, ChosenLengths) {
    for (const Index n : {210, 243, 256, 343, 384, 625, 1000, 1024, 2048, 2187, 2401, 3125, 4032}) {
        check(lines_of(batch(line(n, n % 3 == 0 ? 1 : -1), 2, 1, false)), 2, random_);
    }
    for (const int sign : {-1, 1})
        check(lines_of(batch(line(4096, sign), 1, 2, false)), 2, random_);
}

TEST_P(GpuLines, WithoutRoomForGaps) {
    // 4096 numbers of 16 bytes are 64 KiB, all that some GPUs have.
    check(lines_of(batch(line(4096), 2, 1, false)), 2, random_, Index{64} << 10);
    check(lines_of(batch(line(128), 2, 9, true)), 2, random_, 128 * 16);
}

TEST_P(GpuLines, LanesAndLoops) {
    for (int i = 0; i < 40; ++i) {
        const Index n = random_.pick<Index>({2, 5, 8, 12, 30, 64, 98, 125});
        FftTask task = batch(line(n, random_.once_in(2) ? 1 : -1), random_.between(1, 4),
                             random_.between(1, 20), random_.once_in(2));
        task.from_offset = random_.between(0, 3);
        task.to_offset = random_.between(0, 3);
        // Another loop, with gaps, or one that does not go on where others end.
        const Index source = task.looped[0].from * task.looped[0].extent + random_.between(0, 4);
        const Index target = task.looped[0].to * task.looped[0].extent + random_.between(0, 4);
        task.looped.insert(task.looped.begin(), {random_.between(1, 3), source, target});
        if (random_.once_in(2)) std::swap(task.looped[0], task.looped[2]);
        check(lines_of(task), 2, random_, random_.pick<Index>({4096, 49152, 100000}));
    }
}

/// A side cut into parts, each of which lies in a place of its own with strides of its own.
std::vector<Segments> cut_side(Index length, Index parts, Index lanes,
                               const std::vector<Index>& loops, int first_place, Random& random) {
    std::vector<Segments> side;
    for (Index p = 0; p < parts; ++p) {
        const Index begin = part_begin(length, parts, p);
        const Index extent = part_begin(length, parts, p + 1) - begin;
        if (extent == 0) continue;
        const bool lanes_first = random.once_in(2);
        Segments one{{begin, extent, lanes_first ? lanes : 1, lanes_first ? 1 : extent}, {}, {}};
        Index stride = extent * lanes + random.between(0, 2);
        one.strides.resize(loops.size());
        for (std::size_t k = loops.size(); k-- > 0; stride *= loops[k]) one.strides[k] = stride;
        one.begins = {{first_place + static_cast<int>(p), random.between(0, 3)}};
        side.push_back(one);
    }
    return side;
}

TEST_P(GpuLines, SegmentsInPlacesOfTheirOwn) {
    for (int i = 0; i < 40; ++i) {
        const Index n = random_.pick<Index>({4, 10, 24, 49, 96, 128});
        FusedLines lines{.line = line(n, random_.once_in(2) ? 1 : -1),
                         .loops = {random_.between(1, 3), random_.between(1, 2)},
                         .lanes = random_.between(1, 12)};
        const Index parts = random_.between(1, 5);
        const Index others = random_.between(1, 5);
        lines.from =
            cut_side(lines.line.source_length(), parts, lines.lanes, lines.loops, 0, random_);
        lines.to = cut_side(lines.line.target_length(), others, lines.lanes, lines.loops,
                            static_cast<int>(parts), random_);
        check(lines, static_cast<std::size_t>(parts + others), random_);
    }
}

TEST_P(GpuLines, AlikeSegmentsOfManyPlaces) {
    // 100 peers: more places than a launch carries.
    const LineTransform given = line(300);
    const Index lanes = 5;
    FusedLines lines{.line = given, .lanes = lanes};
    lines.from = {{{0, given.source_length(), lanes, 1}, {}, {{100, 0}}}};
    const Index length = given.target_length();
    const Index extent = length / 100;
    Segments alike{{0, extent, lanes, 1}, {}, {}};
    for (int p = 0; p < 100; ++p) alike.begins.push_back({p, 2});
    lines.to = {alike};
    if (const Index rest = length % 100; rest != 0) {
        lines.to.push_back({{length - rest, rest, 1, rest}, {}, {{101, 0}}});
    }
    check(lines, 102, random_);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuLines,
                         ::testing::Combine(::testing::Values(Kind::c2c, Kind::r2c, Kind::c2r),
                                            ::testing::Values(Precision::f64, Precision::f32)));

TEST(GpuLine, InPlaceIsLikeApart) {
    Random random(18);
    for (const Index n : {5, 8, 60, 128}) {
        FftTask task = batch({Kind::c2c, -1, Precision::f64, n}, 3, 7, false);
        const FusedLines lines = lines_of(task);
        Numbers x(task.line.source(), 3 * n * 7, random);
        Numbers y(task.line.target(), 3 * n * 7, random);
        Tables tables;
        const LineKernels kernels(lines, tables);
        kernels.run(nullptr, std::array{x.data(), y.data()});
        kernels.run(nullptr, std::array{x.data(), x.data()});
        for (Index e = 0; e < x.elements(); ++e) ASSERT_EQ(x.at(e), y.at(e)) << n;
    }
}

/// Rows of n real numbers, padded to as many bytes as their n/2+1 complex ones take.
TEST(GpuLine, RealRowsAreTransformedInPlaceAndBack) {
    Random random(21);
    for (const Index n : {1, 2, 5, 8, 30, 128, 343}) {
        const LineTransform forward{Kind::r2c, -1, Precision::f64, n};
        const LineTransform backward{Kind::c2r, 1, Precision::f64, n};
        const Index complex = n / 2 + 1;
        const FftTask there{.line = forward, .looped = {{5, 2 * complex, complex}}};
        const FftTask back{.line = backward, .looped = {{5, complex, 2 * complex}}};
        Numbers x(forward.source(), 5 * 2 * complex, random);
        const Numbers before = x;
        Tables tables;
        const std::array places{x.data(), x.data()};
        LineKernels(lines_of(there), tables).run(nullptr, places);
        LineKernels(lines_of(back), tables).run(nullptr, places);
        for (Index e = 0; e < x.elements(); ++e) {
            if (e % (2 * complex) >= n) continue;
            const auto count = static_cast<double>(n);
            EXPECT_NEAR(static_cast<double>(x.at(e).real()) / count,
                        static_cast<double>(before.at(e).real()), 1e-14);
        }
    }
}

TEST(GpuLine, ArraysMayBeAlignedToOneNumber) {
    Random random(19);
    const LineTransform line{Kind::c2c, 1, Precision::f32, 48};
    const FusedLines lines = lines_of(batch(line, 1, 4, false));
    Numbers x(line.source(), 48 * 4 + 1, random);
    Numbers y(line.target(), 48 * 4 + 1, random);
    Numbers past = y;
    Tables tables;
    const LineKernels kernels(lines, tables);
    kernels.run(nullptr, std::array{x.data(), y.data()});
    std::vector<std::byte> moved(static_cast<std::size_t>(x.elements() * 8));
    std::memcpy(moved.data() + 4, x.data(), moved.size() - 8);
    kernels.run(nullptr, std::array{moved.data() + 4, past.data() + 4});
    EXPECT_EQ(std::memcmp(past.data() + 4, y.data(), moved.size() - 8), 0);
}

TEST(GpuLine, NothingIsNoLaunch) {
    Tables tables;
    const FftTask task = batch({Kind::c2c, -1, Precision::f64, 8}, 0, 4, false);
    LineKernels(lines_of(task), tables).run(nullptr, {});
}

TEST(GpuLine, RunsAllocateNothing) {
    Random random(20);
    const FusedLines lines = lines_of(batch({Kind::c2c, -1, Precision::f64, 64}, 2, 3, false));
    Numbers x(lines.line.source(), 64 * 6, random);
    Tables tables;
    const LineKernels kernels(lines, tables);
    const std::array places{x.data(), x.data()};
    kernels.run(nullptr, places);  // the emulator's own memory
    weft::test::count_allocations(true);
    kernels.run(nullptr, places);
    weft::test::count_allocations(false);
    EXPECT_EQ(weft::test::allocations(), 0);
}

TEST(GpuLine, OnlyLongLinesTakeMoreSharedMemoryThanThereIsWithoutAsking) {
    Tables tables;
    for (const Index n : {8, 100, 1024, 2048, 2401, 3072, 4096}) {
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            const FftTask task = batch({Kind::c2c, -1, precision, n}, 2, 40, false);
            const LineKernels kernels(lines_of(task), tables);
            if (n < 4096 || precision == Precision::f32) {
                EXPECT_LE(kernels.shared_bytes(), 49152U) << n;
            }
            EXPECT_LE(kernels.shared_bytes(), 73728U + 16U) << n;
        }
    }
}

template <class Call>
std::string refusal_of(const Call& call, ErrorCode code) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code);
        return error.what();
    }
    return "";
}

TEST(GpuLine, SaysWhatItCannotDo) {
    Tables tables;
    const auto refusal = [&](FftTask task) {
        return refusal_of([&] { const LineKernels kernels(lines_of(task), tables); },
                          ErrorCode::not_available);
    };
    EXPECT_THAT(refusal(batch({Kind::c2c, -1, Precision::f64, 22}, 1, 1, false)),
                testing::HasSubstr("lines of 22 elements"));
    EXPECT_THAT(refusal(batch({Kind::c2c, -1, Precision::f64, 4374}, 1, 1, false)),
                testing::HasSubstr("up to 4096"));
    FftTask plane = batch({Kind::c2c, -1, Precision::f64, 8}, 1, 1, false);
    plane.complex_axes = {{8, 8, 8}};
    EXPECT_THAT(refusal(plane), testing::HasSubstr("one axis"));
    FusedLines gap = lines_of(batch({Kind::c2c, -1, Precision::f64, 8}, 1, 1, false));
    gap.to[0].first.extent = 7;
    EXPECT_THAT(refusal_of([&] { const LineKernels kernels(gap, tables); }, ErrorCode::bad_request),
                testing::HasSubstr("lines of 8 elements do not hold all"));
    const LineKernels kernels(lines_of(batch({Kind::c2c, -1, Precision::f64, 8}, 1, 1, false)),
                              tables);
    EXPECT_THAT(refusal_of([&] { kernels.run(nullptr, {}); }, ErrorCode::bad_request),
                testing::HasSubstr("2 places were given 0 addresses"));
}

}  // namespace

}  // namespace weft::core::emulated
