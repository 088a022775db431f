// Lines that the problem says nothing common about share nothing: what one of them holds, be it
// not a number, infinite or huge, changes no bit of another one's result.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "fft/native/engine.hpp"
#include "fft/reference_line.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"
#include "verify/simulate.hpp"

namespace weft::core {

namespace {

/// A batch of lines of one length.
struct Batch {
    Kind kind = Kind::c2c;
    int sign = -1;
    Index length = 1;
    Index lines = 1;
    bool lines_in = true;  ///< a line is contiguous, or else its elements are `lines` apart
    bool lines_out = true;
    Index gap = 0;  ///< elements between lines, or between rows of elements side by side
    bool stream = false;
};

std::string text(const Batch& batch, const std::string& engine) {
    return fmt::format("{} {}*{} in {} out {} gap {}{} {}", to_string(batch.kind), batch.length,
                       batch.lines, batch.lines_in ? "lines" : "lanes",
                       batch.lines_out ? "lines" : "lanes", batch.gap,
                       batch.stream ? " streamed" : "", engine);
}

/// One side of a batch in memory.
template <class T>
struct LineSide {
    Index stored;
    Index numbers;    ///< of an element
    Index step;       ///< from element to element, in numbers
    Index lane_step;  ///< from line to line
    Index lines;
    std::vector<T> values;

    LineSide(const Batch& batch, bool output)
        : stored(batch.kind == (output ? Kind::r2c : Kind::c2r) ? batch.length / 2 + 1
                                                                : batch.length),
          numbers(batch.kind == (output ? Kind::c2r : Kind::r2c) ? 1 : 2),
          lines(batch.lines) {
        const bool contiguous = output ? batch.lines_out : batch.lines_in;
        step = numbers * (contiguous ? 1 : lines + batch.gap);
        lane_step = numbers * (contiguous ? stored + batch.gap : 1);
        values.resize(
            static_cast<std::size_t>((stored - 1) * step + (lines - 1) * lane_step + numbers));
    }
    [[nodiscard]] Loop loop_of_line() const { return {stored, step / numbers, step / numbers}; }
    [[nodiscard]] T& at(Index line, Index element, Index part) {
        return values[static_cast<std::size_t>(line * lane_step + element * step + part)];
    }
    [[nodiscard]] std::vector<T> line(Index number) {
        std::vector<T> result;
        result.reserve(static_cast<std::size_t>(stored * numbers));
        for (Index e = 0; e < stored; ++e) {
            for (Index part = 0; part < numbers; ++part) result.push_back(at(number, e, part));
        }
        return result;
    }
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Transforms one side into the other.
template <class T>
using Transform = std::function<void(LineSide<T>& from, LineSide<T>& to)>;

/// Runs a batch of ordinary lines, then with one line after the other made strange.
template <class T>
void check_batch(const Batch& batch, const Transform<T>& transform, Random& random) {
    LineSide<T> from(batch, false);
    LineSide<T> to(batch, true);
    for (T& value : from.values) value = static_cast<T>(random.between(-1000, 1000)) / T(1024);
    const std::vector<T> ordinary = from.values;
    transform(from, to);
    LineSide<T> expected = to;
    constexpr T huge = T(1e10);
    constexpr T infinity = std::numeric_limits<T>::infinity();
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    std::vector<Index> strange_lines = {0, batch.lines / 2, batch.lines - 1};
    std::vector<T> strange_values = {huge, infinity, nan};
    random.shuffle(strange_values);
    for (std::size_t i = 0; i < strange_lines.size(); ++i) {
        const Index strange = strange_lines[i];
        const bool all = random.once_in(3);
        for (Index e = 0; e < from.stored; ++e) {
            if (!all && e != from.stored / 2) continue;
            // (The imaginary part of some elements of c2r is not looked at.)
            from.at(strange, e, 0) = strange_values[i];
        }
        std::fill(to.values.begin(), to.values.end(), T(0));
        transform(from, to);
        for (Index line = 0; line < batch.lines; ++line) {
            if (line == strange) continue;
            ASSERT_TRUE(same_bits(to.line(line), expected.line(line)))
                << strange_values[i] << " in line " << strange << " changes line " << line;
        }
        ASSERT_FALSE(same_bits(to.line(strange), expected.line(strange)));
        from.values = ordinary;
    }
}

template <class T>
FftTask task_of(const Batch& batch, const LineSide<T>& from, const LineSide<T>& to) {
    FftTask task;
    task.line.kind = batch.kind;
    task.line.sign = batch.sign;
    task.line.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    task.caches.stream = batch.stream;
    task.line.length = batch.length;
    task.from_step = from.step / from.numbers;
    task.to_step = to.step / to.numbers;
    task.looped = {{batch.lines, from.lane_step / from.numbers, to.lane_step / to.numbers}};
    return task;
}

/// Plans on first use, for the arrays that it is given.
template <class T>
Transform<T> planned(
    const Batch& batch,
    const std::function<std::unique_ptr<FftPlan>(const FftTask&, std::byte*, std::byte*)>& make) {
    return [batch, make, plan = std::shared_ptr<FftPlan>()](LineSide<T>& from,
                                                            LineSide<T>& to) mutable {
        auto* source = reinterpret_cast<std::byte*>(from.values.data());
        auto* target = reinterpret_cast<std::byte*>(to.values.data());
        if (plan == nullptr) plan = make(task_of(batch, from, to), source, target);
        plan->execute(source, target);
    };
}

/// The lines as a tile plan takes them, each in two segments.
template <class T>
Transform<T> tiled(const Batch& batch,
                   const std::function<std::unique_ptr<TilePlan>(const TileTask&)>& make) {
    return [batch, make](LineSide<T>& from, LineSide<T>& to) {
        const auto cut = [](const LineSide<T>& side) {
            const Index half = side.stored / 2;
            const Index step = side.step / side.numbers;
            const Index lane_step = side.lane_step / side.numbers;
            return std::vector<LineSegment>{{0, half, step, lane_step},
                                            {half, side.stored - half, step, lane_step}};
        };
        const auto begin = [](LineSide<T>& side, Index line, bool second) {
            return reinterpret_cast<std::byte*>(
                &side.at(line, second && side.stored > 1 ? side.stored / 2 : 0, 0));
        };
        TileTask task;
        task.line.kind = batch.kind;
        task.line.sign = batch.sign;
        task.line.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
        task.line.length = batch.length;
        task.caches.stream = batch.stream;
        task.from = cut(from);
        task.to = cut(to);
        const std::unique_ptr<TilePlan> plan = make(task);
        for (Index line = 0; line < batch.lines; line += plan->lines()) {
            const std::byte* sources[] = {begin(from, line, false), begin(from, line, true)};
            std::byte* targets[] = {begin(to, line, false), begin(to, line, true)};
            plan->execute(sources, targets, std::min(plan->lines(), batch.lines - line), nullptr);
        }
        plan->complete();
    };
}

/// Short, smooth even and odd, primes with a butterfly, by the formula, by Rader with and without
/// zeros, by Bluestein, and products with each.
const std::vector<Index> lengths = {1,   2,   3,   4,   5,   6,   8,   9,   11,  13,  15,
                                    16,  27,  31,  32,  45,  64,  73,  96,  97,  100, 105,
                                    143, 146, 167, 225, 256, 303, 509, 512, 667, 1018};

constexpr Kind kinds[] = {Kind::c2c, Kind::r2c, Kind::c2r};

Batch random_batch(Kind kind, Index length, Index lines, Random& random) {
    Batch batch;
    batch.length = length;
    batch.lines = lines;
    batch.kind = kind;
    const bool backward = kind == Kind::c2r || (kind == Kind::c2c && random.once_in(2));
    batch.sign = backward ? 1 : -1;
    batch.lines_in = random.once_in(2);
    batch.lines_out = random.once_in(2);
    batch.gap = random.once_in(3) ? random.between(1, 3) : 0;
    batch.stream = random.once_in(3);
    return batch;
}

/// Numbers of lines around those of a tile.
std::vector<Index> batches(Index lanes) {
    return {2, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1, 3 * lanes + 2};
}

template <class T>
void check_kernels(const native::Kernels<T>& kernels) {
    Random random(5);
    const auto plan = [&](const FftTask& task, std::byte*, std::byte*) {
        return native::make_plan(task, kernels);
    };
    const auto tiles = [&](const TileTask& task) { return native::make_tiles(task, kernels); };
    for (const Index length : lengths) {
        for (const Index lines : batches(kernels.lanes)) {
            if (lines < 1) continue;
            for (const Kind kind : kinds) {
                const Batch batch = random_batch(kind, length, lines, random);
                SCOPED_TRACE(text(batch, kernels.target));
                check_batch<T>(batch, planned<T>(batch, plan), random);
                if (::testing::Test::HasFatalFailure()) return;
                SCOPED_TRACE("tiles");
                check_batch<T>(batch, tiled<T>(batch, tiles), random);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
    // Beyond the longest tile: even, odd, primes.
    for (const Index length : {4098, 4097, 4375, 4099, 5000, 5001}) {
        for (const Index lines : {Index{2}, Index{kernels.lanes} + 1}) {
            for (const Kind kind : kinds) {
                const Batch batch = random_batch(kind, length, lines, random);
                SCOPED_TRACE(text(batch, kernels.target));
                check_batch<T>(batch, planned<T>(batch, plan), random);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(IndependentLines, OfEveryInstructionSetInDoublePrecision) {
    for (const auto* kernels : native::all_kernels<double>()) {
        check_kernels(*kernels);
        if (HasFatalFailure()) return;
    }
}

TEST(IndependentLines, OfEveryInstructionSetInSinglePrecision) {
    for (const auto* kernels : native::all_kernels<float>()) {
        check_kernels(*kernels);
        if (HasFatalFailure()) return;
    }
}

class IndependentLines : public ::testing::TestWithParam<std::string> {};

template <class T>
void check_engine(const FftEngine& engine, Random& random) {
    const auto plan = [&](const FftTask& task, std::byte* from, std::byte* to) {
        return engine.plan(task, Effort::estimate, from, to);
    };
    const auto tiles = [&](const TileTask& task) { return engine.tiles(task); };
    for (const Index length : lengths) {
        if (length > 150) continue;  // the reference is slow
        for (const Kind kind : kinds) {
            Batch batch = random_batch(kind, length, random.pick<Index>({2, 3, 9, 17}), random);
            batch.stream = false;
            SCOPED_TRACE(text(batch, std::string(engine.name())));
            check_batch<T>(batch, planned<T>(batch, plan), random);
            if (::testing::Test::HasFatalFailure()) return;
            SCOPED_TRACE("tiles");
            check_batch<T>(batch, tiled<T>(batch, tiles), random);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST_P(IndependentLines, OfTheEngine) {
    Random random(6);
    check_engine<double>(engine(GetParam()), random);
    if (HasFatalFailure()) return;
    check_engine<float>(engine(GetParam()), random);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, IndependentLines, ::testing::ValuesIn(test::built_in()),
                         [](const auto& info) { return info.param; });

/// A plan's arrays in one process.
class LineArrays {
  public:
    explicit LineArrays(const std::string& text)
        : plan_(parse_plan(text)), simulation_(plan_, LocalOptions{}) {}

    [[nodiscard]] test::Whole run(const test::Whole& input) {
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            test::scatter(input, plan_.at.front(), rank, simulation_.in(rank));
        }
        simulation_.run(false);
        const Layout& layout = plan_.at.back();
        test::Whole result{layout.where.shape(), {}};
        result.values.resize(static_cast<std::size_t>(whole(result.shape).volume()));
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            test::gather(simulation_.out(rank), layout, rank, result);
        }
        return result;
    }
    [[nodiscard]] test::Whole random_input(Random& random) const {
        const Layout& layout = plan_.at.front();
        return test::random_whole(layout.where.shape(), layout.scalar.complex, random);
    }

  private:
    Plan plan_;
    Simulation simulation_;
};

/// Elements that agree in the axes that are not transformed belong together.
std::vector<Index> independent_part(const std::vector<Index>& point,
                                    const std::vector<std::size_t>& independent) {
    std::vector<Index> result;
    result.reserve(independent.size());
    for (const std::size_t axis : independent) result.push_back(point[axis]);
    return result;
}

bool is_same(const test::Exact& a, const test::Exact& b) {
    return a.real() == b.real() && a.imag() == b.imag();
}

/// A strange value in one element of a problem whose axes of these numbers (the batch is the last
/// one) are not transformed.
void check_plan(const std::string& plan, const std::vector<std::size_t>& independent) {
    SCOPED_TRACE(plan);
    Random random(8);
    LineArrays arrays(plan);
    const test::Whole input = arrays.random_input(random);
    const test::Whole expected = arrays.run(input);
    for (const long double value : {std::numeric_limits<long double>::quiet_NaN(),
                                    std::numeric_limits<long double>::infinity(), 1e10L}) {
        test::Whole strange = input;
        const Index number = random.between(0, static_cast<Index>(input.values.size()) - 1);
        strange.values[static_cast<std::size_t>(number)] = value;
        const std::vector<Index> part =
            independent_part(test::point_of(number, input.shape), independent);
        const test::Whole found = arrays.run(strange);
        bool changed = false;
        for (std::size_t i = 0; i < found.values.size(); ++i) {
            const bool same = is_same(found.values[i], expected.values[i]);
            if (independent_part(test::point_of(static_cast<Index>(i), found.shape), independent) ==
                part) {
                changed = changed || !same;
            } else {
                ASSERT_TRUE(same) << static_cast<double>(value) << " in element " << number
                                  << " changes element " << i;
            }
        }
        ASSERT_TRUE(changed);
    }
}

TEST(IndependentLines, OfPlans) {
    for (const char* kind : {"c2c", "r2c", "c2r"}) {
        for (const char* engine : {"native", "reference"}) {
            const auto check = [&](const std::string& problem, const std::string& choice,
                                   const std::vector<std::size_t>& independent) {
                check_plan(fmt::format("{}:f64:{}; {}engine={}", kind, problem, choice, engine),
                           independent);
            };
            check("24x24x24*4 in=slab(0)@012b", "ranks=1; ", {3});
            if (HasFatalFailure()) return;
            check("12x10x9*16 in=slab(0)@012b", "ranks=2; ", {3});
            check("12x10x9*3 in=slab(0)@012b", "ranks=2; ", {3});
            check("12x10x9*16", "ranks=2; ", {3});
            check("12x10x9*5 in=slab(0)@b012", "ranks=3; via=alltoallv; ", {3});
            check("16x17x18 axes=0,2", "ranks=2; ", {1});
            check("16x17x15 axes=0,2", "ranks=1; ", {1});
            check("17x16x18 axes=1", "ranks=2; ", {0, 2});
            check("9x40x12 axes=2", "ranks=1; ", {0, 1});
        }
    }
}

/// The error of each line relative to that line.
template <class T>
void check_small_lines(const native::Kernels<T>& kernels, Index length, T factor) {
    SCOPED_TRACE(fmt::format("{} {}", length, kernels.target));
    for (const bool contiguous : {false, true}) {
        Random random(9);
        Batch batch;
        batch.kind = Kind::r2c;
        batch.length = length;
        batch.lines = 2 * kernels.lanes;
        batch.lines_in = batch.lines_out = contiguous;
        LineSide<T> from(batch, false);
        LineSide<T> to(batch, true);
        for (Index line = 0; line < batch.lines; ++line) {
            for (Index e = 0; e < length; ++e) {
                from.at(line, e, 0) = static_cast<T>(random.between(-1000, 1000)) / T(1024) *
                                      (2 * line < batch.lines ? T(1) : factor);
            }
        }
        native::make_plan(task_of(batch, from, to), kernels)
            ->execute(reinterpret_cast<std::byte*>(from.values.data()),
                      reinterpret_cast<std::byte*>(to.values.data()));
        for (Index line = 0; line < batch.lines; ++line) {
            std::vector<test::Exact> exact;
            exact.reserve(static_cast<std::size_t>(length));
            for (Index e = 0; e < length; ++e) exact.emplace_back(from.at(line, e, 0));
            ReferenceLine(length, -1).transform(exact);
            long double error = 0;
            long double size = 0;
            for (Index k = 0; k < to.stored; ++k) {
                const test::Exact& want = exact[static_cast<std::size_t>(k)];
                error += std::norm(want - test::Exact(to.at(line, k, 0), to.at(line, k, 1)));
                size += std::norm(want);
            }
            const long double epsilon = std::numeric_limits<T>::epsilon();
            ASSERT_LE(std::sqrt(error), 4 * epsilon * std::sqrt(size)) << "line " << line;
        }
    }
}

TEST(IndependentLines, KeepTheirOwnPrecision) {
    for (const Index length : {7, 16, 100, 105, 101, 73, 509}) {
        for (const auto* kernels : native::all_kernels<double>()) {
            check_small_lines(*kernels, length, 1e-16);
            if (HasFatalFailure()) return;
        }
        for (const auto* kernels : native::all_kernels<float>()) {
            check_small_lines(*kernels, length, 1e-8F);
            if (HasFatalFailure()) return;
        }
    }
}

}  // namespace

}  // namespace weft::core
