// The native engine on each of its instruction sets, line by line against the reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "base/random.hpp"
#include "fft/native/engine.hpp"
#include "fft/native/tables/numbers.hpp"
#include "fft/reference_line.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

namespace {

using Exact = ReferenceLine::Complex;
using Line = std::vector<Exact>;

// Sanitizers and emulators are slow.
#ifdef WEFT_FEW_BUTTERFLIES
constexpr Index stride_of_lengths = 41;
#else
constexpr Index stride_of_lengths = 1;
#endif

/// A batch of lines, as one side keeps it: contiguous ones, or side by side.
template <class T>
struct LinesSide {
    Loop line;  ///< `from` is the stride
    Loop loop;
    bool complex = true;
    std::vector<T> values;

    LinesSide(Index n, Index batch, bool lines, bool is_complex, Index gap, Index shift)
        : line{n, lines ? 1 : batch + gap, 0},
          loop{batch, lines ? n + gap : 1, 0},
          complex(is_complex) {
        const Index elements = std::max(n * line.from, batch * loop.from);
        values.resize(static_cast<std::size_t>(elements * (complex ? 2 : 1) + shift));
    }
    [[nodiscard]] std::size_t place(Index j, Index b) const {
        return static_cast<std::size_t>((j * line.from + b * loop.from) * (complex ? 2 : 1));
    }
    [[nodiscard]] Exact get(const T* data, Index j, Index b) const {
        const T* element = data + place(j, b);
        return complex ? Exact(element[0], element[1]) : Exact(element[0], 0);
    }
};

/// Values with those of all lines made zero: what no transform may touch.
template <class T>
std::vector<T> between(const LinesSide<T>& side, std::vector<T> values, Index shift) {
    for (Index b = 0; b < side.loop.extent; ++b) {
        for (Index j = 0; j < side.line.extent; ++j) {
            T* element = values.data() + shift + side.place(j, b);
            std::fill_n(element, side.complex ? 2 : 1, T(0));
        }
    }
    return values;
}

/// (Without the text of problems, so that this file can be tested with the engine alone.)
const char* name(Kind kind) {
    return kind == Kind::c2c ? "c2c" : kind == Kind::r2c ? "r2c" : "c2r";
}

struct Case {
    Index n = 1;
    Index batch = 1;
    Kind kind = Kind::c2c;
    int sign = -1;
    bool lines_in = true;
    bool lines_out = true;
    Index gap = 0;    ///< elements between lines, or between rows of elements side by side
    Index shift = 0;  ///< real numbers by which the arrays miss the alignment of vectors
    bool in_place = false;
    bool far = false;
    bool stream = false;
};

std::string text(const Case& one, const char* target) {
    return fmt::format("{} n={} batch={} sign={} in={} out={} gap={} shift={}{}{}{} {}",
                       name(one.kind), one.n, one.batch, one.sign, one.lines_in ? "lines" : "lanes",
                       one.lines_out ? "lines" : "lanes", one.gap, one.shift,
                       one.in_place ? " in place" : "", one.far ? " far" : "",
                       one.stream ? " streamed" : "", target);
}

/// What line b should become, given its stored elements.
Line expected(const Case& one, Line line) {
    const Index n = one.n;
    if (one.kind == Kind::c2r) {
        line.resize(static_cast<std::size_t>(n));
        const auto at = [&](Index k) -> Exact& { return line[static_cast<std::size_t>(k)]; };
        at(0) = at(0).real();
        if (n % 2 == 0) at(n / 2) = at(n / 2).real();
        for (Index k = n / 2 + 1; k < n; ++k) at(k) = std::conj(at(n - k));
    }
    ReferenceLine(n, one.sign).transform(line);
    if (one.kind == Kind::r2c) line.resize(static_cast<std::size_t>(n / 2 + 1));
    return line;
}

template <class T>
void check(const Case& one, const native::Kernels<T>& kernels, Random& random) {
    SCOPED_TRACE(text(one, kernels.target));
    const Index stored_in = one.kind == Kind::c2r ? one.n / 2 + 1 : one.n;
    const Index stored_out = one.kind == Kind::r2c ? one.n / 2 + 1 : one.n;
    LinesSide<T> in(stored_in, one.batch, one.lines_in, one.kind != Kind::r2c, one.gap, one.shift);
    LinesSide<T> out(stored_out, one.batch, one.lines_out, one.kind != Kind::c2r, one.gap,
                     one.shift);
    for (T& value : in.values) value = static_cast<T>(random.between(-1000, 1000)) / T(1024);
    const std::vector<T> input = in.values;
    FftTask task;
    task.line.kind = one.kind;
    task.line.sign = one.sign;
    task.line.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    task.in_place = one.in_place;
    task.caches.far_from = one.far;
    task.caches.stream = one.stream;
    task.set_axes({{one.n, in.line.from, out.line.from}});
    task.looped = {{one.batch, in.loop.from, out.loop.from}};
    T* from = in.values.data() + one.shift;
    T* to = one.in_place ? from : out.values.data() + one.shift;
    const auto plan = native::make_plan(task, kernels);
    plan->execute(reinterpret_cast<std::byte*>(from), reinterpret_cast<std::byte*>(to));

    if (!one.in_place) {
        ASSERT_EQ(in.values, input) << "input changed";
    }
    const LinesSide<T>& written = one.in_place ? in : out;
    ASSERT_EQ(between(written, written.values, one.shift),
              between(written, one.in_place ? input : std::vector<T>(out.values.size()), one.shift))
        << "something between the lines changed";
    // Of a full tile, of the rest; of short lines all, since several of them share vectors.
    for (Index b = 0; b < one.batch; ++b) {
        if (one.n > 64 && b > 0 && b != one.batch / 2 && b + 1 != one.batch) continue;
        Line line;
        for (Index j = 0; j < stored_in; ++j)
            line.push_back(in.get(input.data() + one.shift, j, b));
        line = expected(one, line);
        long double error = 0;
        long double size = 0;
        for (Index k = 0; k < stored_out; ++k) {
            const Exact& want = line[static_cast<std::size_t>(k)];
            const Exact got = out.get(to, k, b);
            error += std::norm(got - (out.complex ? want : Exact(want.real(), 0)));
            size += std::norm(want);
        }
        const long double epsilon = std::numeric_limits<T>::epsilon();
        ASSERT_LE(std::sqrt(error), 8 * epsilon * std::sqrt(size)) << "line " << b;
    }
}

template <class T>
Case random_case(Index n, Random& random, const native::Kernels<T>& kernels) {
    Case one;
    one.n = n;
    one.kind = random.pick<Kind>({Kind::c2c, Kind::c2c, Kind::r2c, Kind::c2r});
    one.sign = one.kind == Kind::r2c ? -1 : one.kind == Kind::c2r || random.once_in(2) ? 1 : -1;
    one.batch = random.once_in(4) ? 1 : random.between(1, 3 * kernels.lanes + 1);
    one.lines_in = random.once_in(2);
    one.lines_out = random.once_in(2);
    one.gap = random.once_in(4) ? random.between(1, 3) : 0;
    one.shift = random.once_in(3) ? 1 : 0;
    one.in_place = one.kind == Kind::c2c && one.lines_in == one.lines_out && random.once_in(2);
    one.far = random.once_in(2);
    one.stream = random.once_in(2);
    return one;
}

/// Which computes large prime factors by the definition. (All lengths to 4096 take minutes.)
bool takes_the_reference_long(Index n) { return n > 512 && native::prime_factors(n).back() > 64; }

template <class T>
void check_lengths(Index first, Index last, Index step) {
    Random random(first);
    for (Index n = first; n <= last; n += step) {
        if (takes_the_reference_long(n) && n % 16 != 3) continue;
        // The best for all lengths; the others take turns.
        const auto& all = native::all_kernels<T>();
        check(random_case(n, random, *all.front()), *all.front(), random);
        if (::testing::Test::HasFatalFailure()) return;
        const auto& other = *all[static_cast<std::size_t>(n) % all.size()];
        if (n > 600) continue;
        check(random_case(n, random, other), other, random);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(Native, HasTheWidestVectorsFirst) {
    const auto& all = native::all_kernels<double>();
    ASSERT_FALSE(all.empty());
    for (const auto* kernels : all) EXPECT_GE(all.front()->lanes, kernels->lanes);
}

template <class T>
void check_short_lines(Random& random) {
    for (const auto* kernels : native::all_kernels<T>()) {
        for (Index n = 1; n <= 130; n += stride_of_lengths > 1 ? 3 : 1) {
            for (int i = 0; i < 4; ++i) {
                check(random_case(n, random, *kernels), *kernels, random);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(Native, TransformsShortLinesOnEveryInstructionSet) {
    Random random(1);
    check_short_lines<double>(random);
    if (HasFatalFailure()) return;
    check_short_lines<float>(random);
}

/// Lanes whose elements are a large power of two apart are worked on several tiles at a time, of
/// which the last ones of a batch may be one and a part of one.
template <class T>
void check_lanes_that_are_a_power_of_two_apart(Random& random) {
    constexpr Index apart = 128;
    for (const auto* kernels : native::all_kernels<T>()) {
        for (const Index n : {18, 36, 75, 90}) {
            for (Index tiles = 1; tiles <= 5; ++tiles) {
                for (const Index rest : {Index{0}, Index{1}, Index{kernels->lanes} - 1}) {
                    Case one;
                    one.n = n;
                    one.batch = tiles * kernels->lanes + rest;
                    one.gap = (one.batch + apart - 1) / apart * apart - one.batch;
                    one.lines_in = rest == 1 && random.once_in(3);
                    one.lines_out = !one.lines_in && rest == 1 && random.once_in(3);
                    check(one, *kernels, random);
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST(Native, TransformsLanesThatAreAPowerOfTwoApart) {
    Random random(5);
    check_lanes_that_are_a_power_of_two_apart<double>(random);
    if (HasFatalFailure()) return;
    check_lanes_that_are_a_power_of_two_apart<float>(random);
}

/// Complex lines in the caches, between contiguous lines and adjacent lanes, either way: batches
/// that fill vectors and some that do not, rows of elements that meet in a cache and some that do
/// not.
template <class T>
void check_patterns(Index n, const native::Kernels<T>& kernels, Random& random) {
    for (const bool lines_in : {false, true}) {
        for (const bool lines_out : {false, true}) {
            Case one;
            one.n = n;
            one.sign = random.once_in(2) ? 1 : -1;
            one.batch = random.once_in(3) ? 8 * kernels.lanes
                                          : random.between(kernels.lanes, 5 * kernels.lanes + 1);
            one.lines_in = lines_in;
            one.lines_out = lines_out;
            one.gap = random.once_in(3) ? random.between(1, 3) : 0;
            one.shift = random.once_in(3) ? 1 : 0;
            one.in_place = lines_in == lines_out && random.once_in(2);
            check(one, kernels, random);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

template <class T>
void check_patterns(Random& random) {
    for (const auto* kernels : native::all_kernels<T>()) {
        for (Index n = 1; n <= 48; n += stride_of_lengths > 1 ? 5 : 1) {
            check_patterns(n, *kernels, random);
            if (::testing::Test::HasFatalFailure()) return;
        }
        // Products of 2, with few and many factors more.
        for (const Index n : {60, 100, 128, 180, 208, 256, 336, 350, 420, 512, 900, 2100}) {
            check_patterns(n, *kernels, random);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(Native, TransposesInTheCachesInDoublePrecision) {
    Random random(5);
    check_patterns<double>(random);
}

TEST(Native, TransposesInTheCachesInSinglePrecision) {
    Random random(6);
    check_patterns<float>(random);
}

/// Every kernel of contiguous lines of one length, both ways.
template <class T>
void check_fixed_lines(Random& random) {
    for (const auto* kernels : native::all_kernels<T>()) {
        for (const auto& kernel : kernels->fixed_lines) {
            for (const int sign : {-1, 1}) {
                Case one;
                one.n = kernel.length();
                one.batch = random.between(1, 5);
                one.sign = sign;
                one.gap = random.once_in(2) ? random.between(1, 3) : 0;
                one.shift = random.once_in(2) ? 1 : 0;
                one.in_place = random.once_in(2);
                check(one, *kernels, random);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(Native, TransformsContiguousLinesOfFixedLengths) {
    Random random(7);
    check_fixed_lines<double>(random);
    if (HasFatalFailure()) return;
    check_fixed_lines<float>(random);
}

TEST(Native, TransformsLengthsTo4096InDoublePrecision) {
    check_lengths<double>(1, 4096, stride_of_lengths);
}

TEST(Native, TransformsLengthsTo4096InSinglePrecision) {
    check_lengths<float>(1, 4096, stride_of_lengths);
}

TEST(Native, TransformsLongLines) {
    Random random(3);
    const native::Kernels<double>& kernels = *native::all_kernels<double>().front();
    // Powers of two, smooth, a prime by Rader, two large primes, one by Bluestein.
    for (const Index n : {65536, 100000, 7681, 199 * 211, 4099}) {
        Case one;
        one.n = n;
        one.batch = 2;
        check(one, kernels, random);
        if (HasFatalFailure()) return;
    }
}

TEST(Native, TransformsRealLinesThatAreLongOrFew) {
    Random random(4);
    const native::Kernels<double>& kernels = *native::all_kernels<double>().front();
    for (const Index n : {16, 34, 128, 1000, 4098, 20000, 32768}) {
        for (const Kind kind : {Kind::r2c, Kind::c2r}) {
            for (const bool lines : {false, true}) {
                Case one;
                one.n = n;
                one.kind = kind;
                one.sign = kind == Kind::r2c ? -1 : 1;
                one.batch = n > 4096 ? 3 : 1;
                one.lines_in = lines;
                one.lines_out = random.once_in(2);
                check(one, kernels, random);
                if (HasFatalFailure()) return;
            }
        }
    }
}

/// exp(-2 pi i jk/n) for all j.
Line row_of_dft(Index k, Index n) {
    Line row;
    for (Index j = 0; j < n; ++j) {
        const native::Turn w = native::turn(j * k % n, n);
        row.emplace_back(w.cos, -w.sin);
    }
    return row;
}

/// Arrays beyond the caches, which are worked on in slices: some frequencies by the definition.
/// get(j) is element j of the source.
template <class Get>
Exact frequency(const std::array<Index, 3>& shape, const std::array<Index, 3>& k, const Get& get) {
    const Line w0 = row_of_dft(k[0], shape[0]);
    const Line w1 = row_of_dft(k[1], shape[1]);
    const Line w2 = row_of_dft(k[2], shape[2]);
    Exact total;
    Index j = 0;
    for (const Exact& a : w0) {
        for (const Exact& b : w1) {
            Exact line;
            for (const Exact& c : w2) line += c * get(j++);
            total += a * b * line;
        }
    }
    return total;
}

void check_slices(const std::array<Index, 3>& n, Kind kind, bool in_place) {
    SCOPED_TRACE(
        fmt::format("{} {}x{}x{}{}", name(kind), n[0], n[1], n[2], in_place ? " in place" : ""));
    Random random(7);
    const bool real = kind == Kind::r2c;
    const Index stored = real ? n[2] / 2 + 1 : n[2];
    std::vector<double> in(static_cast<std::size_t>(n[0] * n[1] * n[2] * (real ? 1 : 2)));
    for (double& value : in) value = static_cast<double>(random.between(-1000, 1000)) / 1024;
    const Buffer input(static_cast<Index>(in.size() * sizeof(double)));
    std::memcpy(input.data(), in.data(), in.size() * sizeof(double));
    const Buffer output(n[0] * n[1] * stored * 16);
    std::byte* to = in_place ? input.data() : output.data();
    FftTask task;
    task.line.kind = kind;
    task.in_place = in_place;
    task.set_axes({{n[0], n[1] * n[2], n[1] * stored}, {n[1], n[2], stored}, {n[2], 1, 1}});
    const auto& kernels = *native::all_kernels<double>().front();
    native::make_plan(task, kernels)->execute(input.data(), to);

    const auto* result = reinterpret_cast<const double*>(to);
    const long double scale = std::sqrt(static_cast<long double>(n[0] * n[1] * n[2]));
    for (int trial = 0; trial < 4; ++trial) {
        const std::array<Index, 3> k = {random.between(0, n[0] - 1), random.between(0, n[1] - 1),
                                        random.between(0, stored - 1)};
        const Exact want = frequency(n, k, [&](Index j) {
            const auto at = static_cast<std::size_t>(j);
            return real ? Exact(in[at], 0) : Exact(in[2 * at], in[2 * at + 1]);
        });
        const double* got = result + 2 * ((k[0] * n[1] + k[1]) * stored + k[2]);
        ASSERT_LT(std::abs(Exact(got[0], got[1]) - want) / scale, 1e-14L)
            << k[0] << ' ' << k[1] << ' ' << k[2];
    }
    if (!real) return;
    // Back again: the real data times their number.
    FftTask back = task;
    back.line.kind = inverse(kind);
    back.line.sign = 1;
    back.may_destroy_input = true;
    std::vector<Loop> axes = task.axes();
    for (Loop& axis : axes) std::swap(axis.from, axis.to);
    back.set_axes(axes);
    native::make_plan(back, kernels)->execute(to, input.data());
    const auto* values = reinterpret_cast<const double*>(input.data());
    const auto volume = static_cast<double>(n[0] * n[1] * n[2]);
    for (std::size_t j = 0; j < in.size(); ++j) {
        ASSERT_NEAR(values[j] / volume, in[j], 1e-13) << j;
    }
}

TEST(Native, TransformsInSlicesWhatExceedsTheCache) {
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
        check_slices({40, 50, 63}, kind, false);  // lanes that are not aligned
        check_slices({24, 80, 64}, kind, false);
        check_slices({128, 8, 96}, kind, false);
    }
    check_slices({40, 50, 63}, Kind::c2c, true);
#ifndef WEFT_FEW_BUTTERFLIES
    // More than the last cache: through a buffer.
    check_slices({48, 200, 256}, Kind::c2c, false);
    check_slices({48, 200, 254}, Kind::r2c, false);
#endif
}

}  // namespace

}  // namespace weft::core
