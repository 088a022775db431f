// Lines in segments, a tile at a time, against the DFT by its definition.
#include "fft/tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "base/index.hpp"
#include "fft/native/engine.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"

namespace weft::core {

namespace {

using test::Exact;
using test::Whole;

/// One side of a tile: segments, each in an array of its own with something between the elements.
struct SegmentedSide {
    Scalar scalar;
    std::vector<LineSegment> segments;
    std::vector<Buffer> arrays;
    std::vector<Index> begins;  ///< bytes from an array to its segment
};

/// How elements of a segment lie: lines one after the other, side by side, or neither.
LineSegment draw_segment(Random& random, Index first, Index extent, Index lines) {
    const Index gap = random.once_in(2) ? 0 : random.between(1, 3);
    switch (random.between(0, 2)) {
        case 0:
            return {first, extent, 1, extent + gap};
        case 1:
            return {first, extent, lines + gap, 1};
        default:
            return {first, extent, 2, 2 * extent + 1 + gap};
    }
}

void add_segment(Random& random, const LineSegment& segment, Index lines, SegmentedSide& side) {
    side.segments.push_back(segment);
    side.begins.push_back(random.between(0, 2) * side.scalar.bytes());
    const Index elements = 1 + (std::max<Index>(segment.extent, 1) - 1) * segment.step +
                           (lines - 1) * segment.lane_step;
    side.arrays.emplace_back(side.begins.back() + (elements + 2) * side.scalar.bytes());
}

/// Whole lines, one after the other.
SegmentedSide draw_contiguous_side(Random& random, const Scalar& scalar, Index length,
                                   Index lines) {
    SegmentedSide side{scalar, {}, {}, {}};
    add_segment(random, {0, length, 1, length + random.between(0, 3)}, lines, side);
    return side;
}

SegmentedSide draw_side(Random& random, const Scalar& scalar, Index length, Index lines) {
    SegmentedSide side{scalar, {}, {}, {}};
    for (Index first = 0; first < length;) {
        const Index extent = random.once_in(3) ? length - first : random.between(0, length - first);
        add_segment(random, draw_segment(random, first, extent, lines), lines, side);
        first += extent;
    }
    // In any order.
    for (std::size_t i = side.segments.size(); i-- > 1;) {
        const auto j = static_cast<std::size_t>(random.between(0, static_cast<Index>(i)));
        std::swap(side.segments[i], side.segments[j]);
        std::swap(side.arrays[i], side.arrays[j]);
        std::swap(side.begins[i], side.begins[j]);
    }
    return side;
}

/// visit(number of the element among all lines', its memory).
template <class Visit>
void for_all(const SegmentedSide& side, Index lines, const Visit& visit) {
    for (std::size_t i = 0; i < side.segments.size(); ++i) {
        const LineSegment& segment = side.segments[i];
        for (Index e = 0; e < segment.extent; ++e) {
            for (Index line = 0; line < lines; ++line) {
                visit((segment.first + e) * lines + line,
                      side.arrays[i].data() + side.begins[i] +
                          (e * segment.step + line * segment.lane_step) * side.scalar.bytes());
            }
        }
    }
}

std::vector<std::byte*> begins(const SegmentedSide& side) {
    std::vector<std::byte*> result;
    result.reserve(side.segments.size());
    for (std::size_t i = 0; i < side.segments.size(); ++i) {
        result.push_back(side.arrays[i].data() + side.begins[i]);
    }
    return result;
}

template <class T>
void store(const SegmentedSide& side, Index lines, const Whole& whole) {
    for_all(side, lines, [&](Index number, std::byte* memory) {
        const Exact value = whole.values[static_cast<std::size_t>(number)];
        auto* numbers = reinterpret_cast<T*>(memory);
        numbers[0] = static_cast<T>(value.real());
        if (side.scalar.complex) numbers[1] = static_cast<T>(value.imag());
    });
}

template <class T>
void load(const SegmentedSide& side, Index lines, Whole& whole) {
    for_all(side, lines, [&](Index number, const std::byte* memory) {
        const auto* numbers = reinterpret_cast<const T*>(memory);
        whole.values[static_cast<std::size_t>(number)] = {numbers[0],
                                                          side.scalar.complex ? numbers[1] : T(0)};
    });
}

constexpr auto untouched = std::byte{0xa5};

/// What lies between the elements of the result.
bool gaps_kept(SegmentedSide& side, Index lines) {
    for_all(side, lines,
            [&](Index, std::byte* memory) { std::fill_n(memory, side.scalar.bytes(), untouched); });
    return std::all_of(side.arrays.begin(), side.arrays.end(), [](const Buffer& array) {
        return std::all_of(array.data(), array.data() + array.bytes(),
                           [](std::byte b) { return b == untouched; });
    });
}

/// What a target keeps of whole lines, the mode m/2 as its rule says.
Whole kept_of(const Whole& all, const LineTransform& line, Index lines) {
    const Index length = line.whole().target_length();
    const Index count = line.target_length();
    const bool modes = line.to.what == KeptPart::What::modes;
    const bool two_sided = modes && !halves(line.kind);
    Whole kept{{count, lines}, {}};
    for (Index i = 0; i < count; ++i) {
        const bool negative = two_sided && i >= (count + 1) / 2;
        const bool even = modes && line.to.count % 2 == 0 && i == line.to.count / 2;
        for (Index l = 0; l < lines; ++l) {
            const auto value = [&](Index k) { return all.values[usize(k * lines + l)]; };
            Exact one = value(negative ? i + length - count : i);
            if (even && line.to.even == EvenModes::zero) one = 0;
            if (even && line.to.even == EvenModes::split) {
                one = two_sided ? one + value(i) : 2 * one.real();
            }
            kept.values.push_back(one);
        }
    }
    return kept;
}

/// A part of lines that is kept in the target.
KeptPart draw_kept(Random& random, const LineTransform& line) {
    const bool first = line.kind == Kind::c2r || line.kind == Kind::r2r || random.once_in(3);
    const Index all = first ? line.target_length() : line.length;
    return {first ? KeptPart::What::first : KeptPart::What::modes,
            random.pick(std::vector<EvenModes>{EvenModes::split, EvenModes::zero, EvenModes::keep}),
            random.between(1, std::max<Index>(all - 1, 1))};
}

/// How lines lie, and what of them the target has.
enum class Lie { anyhow, contiguous, without_a_segment, kept };

template <class T, class Make>
void check_tiles(Random& random, const std::vector<Kind>& kinds, const Make& make,
                 Lie lie = Lie::anyhow) {
    test::Trial trial;
    TileTask task;
    LineTransform& line = task.line;
    line.kind = random.pick(kinds);
    line.sign = line.kind == Kind::r2c   ? -1
                : line.kind == Kind::c2r ? 1
                                         : random.pick(std::vector<int>{-1, 1});
    line.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    line.length = random.once_in(3) ? random.pick(std::vector<Index>{1, 2, 16, 64, 120, 127, 256})
                                    : random.between(1, 70);
    if (line.kind == Kind::r2r) line.axis = random.pick(test::real_kinds);
    if (line.axis == AxisKind::dct1) line.length = std::max<Index>(line.length, 2);
    task.caches = {random.once_in(2), random.once_in(2), random.once_in(2)};
    trial.task.line = line;
    // As many lines as some plan takes, or fewer.
    const Index lines = random.once_in(2) ? 8 : random.between(1, 70);
    test::draw_values(random, trial, {line.length, lines});
    if (lie == Lie::kept) {
        line.to = draw_kept(random, line);
        trial.expected = kept_of(trial.expected, line, lines);
    }
    const bool contiguous = lie == Lie::contiguous || (lie == Lie::kept && random.once_in(2));
    const auto draw = contiguous ? draw_contiguous_side : draw_side;
    SegmentedSide from = draw(random, line.source(), trial.input.shape[0], lines);
    SegmentedSide to = draw(random, line.target(), trial.expected.shape[0], lines);
    if (lie == Lie::without_a_segment && to.segments.size() > 1) {
        to.segments.erase(to.segments.begin());
        to.arrays.erase(to.arrays.begin());
        to.begins.erase(to.begins.begin());
    }
    task.from = from.segments;
    task.to = to.segments;
    store<T>(from, lines, trial.input);
    for (Buffer& array : to.arrays) std::fill_n(array.data(), array.bytes(), untouched);

    const std::unique_ptr<TilePlan> plan = make(task);
    ASSERT_GE(plan->lines(), 1);
    for (Index first = 0; first < lines; first += plan->lines()) {
        std::vector<std::byte*> sources = begins(from);
        std::vector<std::byte*> targets = begins(to);
        for (std::size_t i = 0; i < sources.size(); ++i)
            sources[i] += first * task.from[i].lane_step * from.scalar.bytes();
        for (std::size_t i = 0; i < targets.size(); ++i)
            targets[i] += first * task.to[i].lane_step * to.scalar.bytes();
        // What is asked for ahead need not exist.
        plan->execute(sources.data(), targets.data(), std::min(plan->lines(), lines - first),
                      random.once_in(2) ? sources.data() : nullptr);
    }
    plan->complete();

    Whole found{trial.expected.shape, std::vector<Exact>(trial.expected.values.size())};
    if (lie == Lie::without_a_segment) found = trial.expected;  // what no segment holds is dropped
    load<T>(to, lines, found);
    const long double bound = sizeof(T) == 8 ? 3e-15L : 2e-6L;
    EXPECT_LT(test::relative_error(found, trial.expected), bound)
        << to_string(line.kind) << " of " << line.length;
    EXPECT_TRUE(gaps_kept(to, lines));
    Whole kept{trial.input.shape, std::vector<Exact>(trial.input.values.size())};
    load<T>(from, lines, kept);
    EXPECT_LT(test::relative_error(kept, trial.input), bound);
}

class Tiles : public ::testing::TestWithParam<std::string> {};

TEST_P(Tiles, TransformLinesInSegments) {
    Random random(8);
    const auto make = [&](const TileTask& task) { return engine(GetParam()).tiles(task); };
    const std::vector<Kind> kinds = {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r};
    for (int i = 0; i < 250 && !HasFailure(); ++i) {
        check_tiles<double>(random, kinds, make);
        check_tiles<float>(random, kinds, make);
    }
}

TEST_P(Tiles, KeepAPartOfLines) {
    Random random(38);
    const auto make = [&](const TileTask& task) { return engine(GetParam()).tiles(task); };
    const std::vector<Kind> kinds = {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r};
    for (int i = 0; i < 250 && !HasFailure(); ++i) {
        check_tiles<double>(random, kinds, make, Lie::kept);
        check_tiles<float>(random, kinds, make, Lie::kept);
    }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Tiles, ::testing::ValuesIn(test::built_in()),
                         [](const auto& info) { return info.param; });

template <class T>
void check_every_target() {
    for (const native::Kernels<T>* kernels : native::all_kernels<T>()) {
        SCOPED_TRACE(kernels->target);
        Random random(9);
        const auto make = [&](const TileTask& task) { return native::make_tiles(task, *kernels); };
        for (int i = 0; i < 200 && !::testing::Test::HasFailure(); ++i)
            check_tiles<T>(random, {Kind::c2c, Kind::r2c, Kind::c2r}, make);
        for (int i = 0; i < 100 && !::testing::Test::HasFailure(); ++i)
            check_tiles<T>(random, {Kind::c2c}, make, Lie::contiguous);
        for (int i = 0; i < 100 && !::testing::Test::HasFailure(); ++i)
            check_tiles<T>(random, {Kind::r2r}, make);
        for (int i = 0; i < 200 && !::testing::Test::HasFailure(); ++i)
            check_tiles<T>(random, {Kind::c2c, Kind::r2c, Kind::c2r}, make, Lie::without_a_segment);
    }
}

TEST(Tiles, OfEveryInstructionSet) {
    check_every_target<double>();
    check_every_target<float>();
}

/// Rows with room for whole tiles: lanes that mean nothing are read and written, others are not.
template <class T>
void check_beyond(const native::Kernels<T>& kernels, Index length, Index missing) {
    SCOPED_TRACE(kernels.target);
    const Precision precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    Random random(3);
    const auto task_of = [&](Index step) {
        return TileTask{.line = {Kind::c2c, -1, precision, length},
                        .from = {{0, length, step, 1}},
                        .to = {{0, length, step, 1}},
                        .caches = {.stream = true},
                        .reads_beyond = true,
                        .writes_beyond = true};
    };
    const Index room = native::make_tiles(task_of(1), kernels)->lines();
    const Index count = room - missing;
    const TileTask task = task_of(room);
    const Index bytes = length * room * 2 * static_cast<Index>(sizeof(T));
    Buffer from(bytes);
    Buffer whole(bytes);
    Buffer part(bytes);
    auto* numbers = reinterpret_cast<T*>(from.data());
    for (Index i = 0; i < 2 * length * room; ++i) {
        numbers[i] = static_cast<T>(random.between(-100, 100));
    }
    const std::byte* source = from.data();
    std::byte* all = whole.data();
    std::byte* some = part.data();
    const auto plan = native::make_tiles(task, kernels);
    plan->execute(&source, &all, room);
    plan->execute(&source, &some, count);
    for (Index e = 0; e < length; ++e) {
        for (Index i = 0; i < 2 * count; ++i) {
            const Index number = e * 2 * room + i;
            EXPECT_EQ(reinterpret_cast<const T*>(part.data())[number],
                      reinterpret_cast<const T*>(whole.data())[number]);
        }
    }
}

TEST(Tiles, OfRowsWithRoomMayReadAndWriteBeyond) {
    for (const Index length : {16, 64, 180}) {
        for (const auto* kernels : native::all_kernels<double>()) {
            check_beyond(*kernels, length, kernels->lanes > 1 ? 1 : 0);
        }
        for (const auto* kernels : native::all_kernels<float>()) {
            check_beyond(*kernels, length, kernels->lanes / 2);
        }
    }
}

/// Longer than a tile is good for.
TEST(Tiles, OfLongLines) {
    TileTask task;
    const Index length = native_engine().tiles(task)->lines() * 1000;
    task.line.length = length;
    task.from = {{0, length, 1, length}};
    task.to = task.from;
    const Buffer from(length * 16);
    const Buffer to(length * 16);
    auto* values = reinterpret_cast<std::complex<double>*>(from.data());
    std::fill_n(values, length, 1.0);
    const std::byte* sources[] = {from.data()};
    std::byte* targets[] = {to.data()};
    native_engine().tiles(task)->execute(sources, targets, 1);
    const auto* found = reinterpret_cast<const std::complex<double>*>(to.data());
    EXPECT_NEAR(std::abs(found[0] - static_cast<double>(length)), 0, 1e-9);
    EXPECT_NEAR(std::abs(found[1]), 0, 1e-9);
    EXPECT_NEAR(std::abs(found[length - 1]), 0, 1e-9);
}

}  // namespace

}  // namespace weft::core
