// Real-to-real lines of the native engine on each of its instruction sets, against the definitions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "fft/native/engine.hpp"

namespace weft::core {

namespace {

constexpr std::array kinds = {AxisKind::dct1, AxisKind::dct2, AxisKind::dct3, AxisKind::dct4,
                              AxisKind::dst1, AxisKind::dst2, AxisKind::dst3, AxisKind::dst4};

// Sanitizers and emulators are slow.
#ifdef WEFT_FEW_BUTTERFLIES
constexpr Index stride_of_lengths = 5;
#else
constexpr Index stride_of_lengths = 1;
#endif

/// A batch of lines, as both sides keep it.
struct Case {
    AxisKind kind = AxisKind::dct2;
    Index n = 1;
    Index batch = 1;
    bool lines_in = true;  ///< a line is contiguous, or else lines lie side by side
    bool lines_out = true;
    Index gap = 0;    ///< elements between lines, or between rows of elements side by side
    Index shift = 0;  ///< numbers by which the arrays miss the alignment of vectors
    bool in_place = false;
};

std::string text(const Case& one, const char* target) {
    return fmt::format("kind {} n={} batch={} in={} out={} gap={} shift={}{} {}",
                       static_cast<int>(one.kind), one.n, one.batch,
                       one.lines_in ? "lines" : "lanes", one.lines_out ? "lines" : "lanes", one.gap,
                       one.shift, one.in_place ? " in place" : "", target);
}

bool is_sine(AxisKind kind) { return kind >= AxisKind::dst1; }

/// What x[j] is multiplied by in X[k], by the table of docs/kinds.md.
class Factors {
  public:
    Factors(AxisKind kind, Index n) : kind_(kind), n_(n) {
        table_.reserve(static_cast<std::size_t>(2 * denominator()));
        for (Index i = 0; i < 2 * denominator(); ++i) {
            const long double angle = std::numbers::pi_v<long double> *
                                      static_cast<long double>(i) /
                                      static_cast<long double>(denominator());
            table_.push_back(2 * (is_sine(kind) ? std::sin(angle) : std::cos(angle)));
        }
    }
    [[nodiscard]] long double operator()(Index k, Index j) const {
        const long double last = k % 2 == 0 ? 1 : -1;
        switch (kind_) {
            case AxisKind::dct1:
                if (j == 0) return 1;
                return j == n_ - 1 ? last : at(j * k);
            case AxisKind::dct3:
                return j == 0 ? 1 : at(j * (2 * k + 1));
            case AxisKind::dst1:
                return at((j + 1) * (k + 1));
            case AxisKind::dct2:
                return at((2 * j + 1) * k);
            case AxisKind::dst2:
                return at((2 * j + 1) * (k + 1));
            case AxisKind::dst3:
                return j == n_ - 1 ? last : at((j + 1) * (2 * k + 1));
            default:
                return at((2 * j + 1) * (2 * k + 1));
        }
    }

  private:
    /// Angles are multiples of pi over this.
    [[nodiscard]] Index denominator() const {
        switch (kind_) {
            case AxisKind::dct1:
                return n_ - 1;
            case AxisKind::dst1:
                return n_ + 1;
            case AxisKind::dct4:
            case AxisKind::dst4:
                return 4 * n_;
            default:
                return 2 * n_;
        }
    }
    [[nodiscard]] long double at(Index numerator) const {
        return table_[static_cast<std::size_t>(numerator % (2 * denominator()))];
    }

    AxisKind kind_;
    Index n_;
    std::vector<long double> table_;
};

/// One side of a batch in memory.
template <class T>
struct Side {
    Loop line;  ///< `from` is the stride
    Loop loop;
    Index shift;
    std::vector<T> values;

    Side(const Case& one, bool lines)
        : line{one.n, lines ? 1 : one.batch + one.gap, 0},
          loop{one.batch, lines ? one.n + one.gap : 1, 0},
          shift(one.shift) {
        const Index elements = std::max(one.n * line.from, one.batch * loop.from);
        values.resize(static_cast<std::size_t>(elements + shift));
    }
    [[nodiscard]] T& at(Index j, Index b) {
        return values[static_cast<std::size_t>(shift + j * line.from + b * loop.from)];
    }
    [[nodiscard]] std::vector<T> line_of(Index b) {
        std::vector<T> result;
        result.reserve(static_cast<std::size_t>(line.extent));
        for (Index j = 0; j < line.extent; ++j) result.push_back(at(j, b));
        return result;
    }
    /// All values with those of the lines made zero: what no transform may touch.
    [[nodiscard]] std::vector<T> between() const {
        Side other = *this;
        for (Index b = 0; b < loop.extent; ++b) {
            for (Index j = 0; j < line.extent; ++j) other.at(j, b) = 0;
        }
        return other.values;
    }
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The plan's result; in place that is the input.
template <class T>
Side<T> transformed(const Case& one, FftPlan& plan, Side<T>& in) {
    Side<T> out = one.in_place ? in : Side<T>(one, one.lines_out);
    T* to = out.values.data() + one.shift;
    const T* from = one.in_place ? to : in.values.data() + one.shift;
    plan.execute(reinterpret_cast<std::byte*>(const_cast<T*>(from)),
                 reinterpret_cast<std::byte*>(to));
    return out;
}

template <class T>
void check_line(const Factors& factor, const std::vector<T>& in, const std::vector<T>& out) {
    long double error = 0;
    long double size = 0;
    const auto n = static_cast<Index>(in.size());
    for (Index k = 0; k < n; ++k) {
        long double want = 0;
        for (Index j = 0; j < n; ++j) {
            want += factor(k, j) * static_cast<long double>(in[static_cast<std::size_t>(j)]);
        }
        const long double got = out[static_cast<std::size_t>(k)];
        error += (got - want) * (got - want);
        size += want * want;
    }
    const long double epsilon = std::numeric_limits<T>::epsilon();
    ASSERT_LE(std::sqrt(error), 8 * epsilon * std::sqrt(size));
}

/// Against the definition; then again with a line that holds something else, which may change no
/// bit of the others.
template <class T>
void check(const Case& one, const native::Kernels<T>& kernels, Random& random) {
    SCOPED_TRACE(text(one, kernels.target));
    Side<T> in(one, one.lines_in);
    for (T& value : in.values) value = static_cast<T>(random.between(-1000, 1000)) / T(1024);
    const Side<T> out(one, one.lines_out);
    FftTask task;
    task.line = {Kind::r2r, -1, sizeof(T) == 8 ? Precision::f64 : Precision::f32, one.n, one.kind};
    task.in_place = one.in_place;
    task.set_axes({{one.n, in.line.from, out.line.from}});
    task.looped = {{one.batch, in.loop.from, out.loop.from}};
    const auto plan = native::make_plan(task, kernels);
    // (Few or long lines are left to reduced_plan.)
    if (plan == nullptr) return;
    const Side<T> input = in;
    Side<T> first = transformed(one, *plan, in);
    ASSERT_EQ(in.values, input.values) << "input changed";
    ASSERT_EQ(first.between(), one.in_place ? input.between() : out.values)
        << "something between the lines changed";
    // Of a full tile, of the rest.
    const Factors factors(one.kind, one.n);
    for (const Index b : {Index{0}, one.batch - 1}) {
        check_line<T>(factors, in.line_of(b), first.line_of(b));
        if (::testing::Test::HasFatalFailure()) return;
    }
    const Index other = random.between(0, one.batch - 1);
    in.at(random.between(0, one.n - 1), other) = std::numeric_limits<T>::quiet_NaN();
    Side<T> second = transformed(one, *plan, in);
    for (Index b = 0; b < one.batch; ++b) {
        if (b == other) continue;
        ASSERT_TRUE(same_bits(first.line_of(b), second.line_of(b))) << "line " << b;
    }
}

template <class T>
void check_length(Index n, const native::Kernels<T>& kernels, Random& random) {
    for (const AxisKind kind : kinds) {
        if (kind == AxisKind::dct1 && n == 1) continue;
        Case one;
        one.kind = kind;
        one.n = n;
        one.batch = random.between(1, 3 * kernels.lanes + 1);
        if (n > 200) one.batch = kernels.lanes + 1;
        one.lines_in = random.once_in(2);
        one.lines_out = random.once_in(2);
        one.gap = random.once_in(2) ? random.between(1, 3) : 0;
        one.shift = random.once_in(3) ? 1 : 0;
        one.in_place = one.lines_in == one.lines_out && random.once_in(2);
        check(one, kernels, random);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

template <class T>
void check_every_length() {
    Random random(1);
    for (const auto* kernels : native::all_kernels<T>()) {
        for (Index n = 1; n <= 64; n += n < 16 ? 1 : stride_of_lengths) {
            for (int i = 0; i < 2; ++i) {
                check_length(n, *kernels, random);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(RealToReal, EveryLengthTo64InDoublePrecision) { check_every_length<double>(); }
TEST(RealToReal, EveryLengthTo64InSinglePrecision) { check_every_length<float>(); }

template <class T>
void check_longer() {
    Random random(2);
    // Powers of two and what is beside them, products, primes, twice a prime.
    std::vector<Index> lengths = {127, 128, 129, 255, 256, 257, 360, 511, 101, 251, 202};
    if (stride_of_lengths == 1) lengths.insert(lengths.end(), {513, 1000, 1021, 1023, 1025, 1042});
    for (const auto* kernels : native::all_kernels<T>()) {
        if (kernels->lanes == 1 && stride_of_lengths > 1) continue;
        for (const Index n : lengths) {
            check_length(n, *kernels, random);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(RealToReal, LongerLinesInDoublePrecision) { check_longer<double>(); }
TEST(RealToReal, LongerLinesInSinglePrecision) { check_longer<float>(); }

}  // namespace

}  // namespace weft::core
