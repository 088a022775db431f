// find_path against a search of all paths on small machines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "geometry/row_wise.hpp"
#include "plan/path.hpp"
#include "property/random_problem.hpp"
#include "property/volume_by_boxes.hpp"

namespace weft::core::test {

namespace {

/// What is left to decide about a way so far: where it is and what it has transformed.
using State = std::pair<std::size_t, std::set<int>>;

struct Cost {
    int redistributions = 0;
    Index volume = 0;
};

/// All ways of one process grid, breadth first.
class Search {
  public:
    /// The first `inner` states may be met on the way, the others are only ends.
    Search(Problem problem, std::vector<Distribution> states, std::size_t inner,
           const std::vector<std::size_t>& starts, std::optional<std::size_t> goal)
        : problem_(std::move(problem)), states_(std::move(states)), inner_(inner), goal_(goal) {
        for (const std::size_t start : starts) {
            frontier_[{start, arrived(states_[start], {})}] = 0;
        }
    }

    std::optional<Cost> best() {
        std::set<State> seen;
        for (int redistributions = 0; !frontier_.empty(); ++redistributions) {
            std::optional<Index> least;
            for (const auto& [state, volume] : frontier_) {
                seen.insert(state);
                const bool there = !goal_ || state.first == *goal_;
                if (there && state.second.size() == transformed_axes(problem_).size()) {
                    least = std::min(least.value_or(volume), volume);
                }
            }
            if (least) return Cost{redistributions, *least};
            std::map<State, Index> next;
            for (const auto& [state, volume] : frontier_) {
                if (state.first >= inner_ && redistributions > 0) continue;
                for (std::size_t to = 0; to < states_.size(); ++to) {
                    if (to == state.first || (to >= inner_ && to != goal_)) continue;
                    const State reached{to, arrived(states_[to], state.second)};
                    if (seen.contains(reached)) continue;
                    const Index total = volume + cost(state, to);
                    const auto known = next.try_emplace(reached, total).first;
                    known->second = std::min(known->second, total);
                }
            }
            frontier_ = std::move(next);
        }
        return std::nullopt;
    }

  private:
    [[nodiscard]] Index cost(const State& state, std::size_t to) const {
        const int r2c_axis = r2c_axis_of(problem_);
        const bool half = state.second.contains(r2c_axis);
        const auto shape = array_shape(problem_, half);
        return (half ? 2 : 1) *
               volume_by_boxes(states_[state.first].reshaped(shape), states_[to].reshaped(shape));
    }

    /// The r2c axis is transformed before all others.
    [[nodiscard]] std::set<int> arrived(const Distribution& where, std::set<int> done) const {
        const int r2c_axis = r2c_axis_of(problem_);
        if (r2c_axis != -1 && !done.contains(r2c_axis) && !where.local(r2c_axis)) return done;
        for (const int axis : transformed_axes(problem_)) {
            if (where.local(axis)) done.insert(axis);
        }
        return done;
    }

    Problem problem_;
    std::vector<Distribution> states_;
    std::size_t inner_;
    std::optional<std::size_t> goal_;
    std::map<State, Index> frontier_;
};

/// All ways to give the factors of a grid different axes.
std::vector<std::vector<int>> all_assignments(int axes, std::size_t factors) {
    std::vector<std::vector<int>> result;
    std::vector<int> digits(factors, 0);
    for (;;) {
        const std::set<int> distinct(digits.begin(), digits.end());
        if (distinct.size() == factors) result.push_back(digits);
        std::size_t f = factors;
        while (f > 0 && ++digits[f - 1] == axes) digits[--f] = 0;
        if (f == 0) return result;
    }
}

/// The least cost of all paths through one grid on which no inner state leaves a rank idle.
std::optional<Cost> least_cost(const Problem& problem, const std::vector<int>& grid, int ranks) {
    const int dims = static_cast<int>(problem.shape.size());
    const auto shape = array_shape(problem, false);
    std::vector<Distribution> states;
    for (const auto& axes : all_assignments(dims, grid.size())) {
        std::vector<std::vector<int>> owned(shape.size());
        for (std::size_t f = 0; f < axes.size(); ++f) {
            owned[static_cast<std::size_t>(axes[f])].push_back(static_cast<int>(f));
        }
        const Distribution where(shape, ranks, {grid}, owned, problem.cut);
        if (where.idle() || where.reshaped(array_shape(problem, true)).idle()) continue;
        states.push_back(where);
    }
    const std::size_t inner = states.size();
    const auto end = [&](const LayoutRequest& request) -> std::optional<std::size_t> {
        const auto where = distribution_of(problem, request, false, ranks, grid);
        if (!where) return std::nullopt;
        const auto known = std::find(states.begin(), states.end(), *where);
        if (known != states.end()) return static_cast<std::size_t>(known - states.begin());
        states.push_back(*where);
        return states.size() - 1;
    };
    const auto in = end(problem.in);
    const auto out = end(problem.out);
    std::vector<std::size_t> starts;
    if (in) starts = {*in};
    for (std::size_t i = 0; !in && i < inner; ++i) starts.push_back(i);
    // A free input may lie as the output does.
    if (!in && out) starts.push_back(*out);
    return Search(problem, states, inner, starts, out).best();
}

LayoutRequest random_end(Random& random, const Problem& problem, int ranks) {
    const int dims = static_cast<int>(problem.shape.size());
    if (random.once_in(2)) return {};
    if (random.once_in(6)) return single();
    if (problem.batch > 1 && random.once_in(4)) return slab(dims);
    return grid(random.pick(ordered_factorizations(ranks, dims, 1)));
}

Problem random_problem(Random& random, int ranks) {
    Problem problem;
    problem.kind = random.pick<Kind>({Kind::c2c, Kind::r2c});
    const Index dims = random.between(2, 3);
    for (Index a = 0; a < dims; ++a) problem.shape.push_back(random.between(1, 16));
    if (random.once_in(3)) problem.batch = random.between(2, 9);
    if (random.once_in(2)) {
        for (int a = 0; a < dims; ++a) {
            if (random.once_in(2)) problem.axes.push_back(a);
        }
    }
    if (problem.kind == Kind::r2c) problem.r2c_axis = random.pick(transformed_axes(problem));
    problem.cut = random.once_in(3) ? CutRule::block : CutRule::balanced;
    problem.in = random_end(random, problem, ranks);
    problem.out = random_end(random, problem, ranks);
    return problem;
}

/// In reals where an axis is r2c_axis; lengths of 1 and 2, which halving keeps, count once.
Index volume_of(const Problem& problem, const Path& path) {
    Index total = 0;
    for (std::size_t i = 1; i < path.states.size(); ++i) {
        const auto& before = path.states[i - 1];
        const bool half = before.shape() != array_shape(problem, false);
        total += (half ? 2 : 1) * volume_by_boxes(before, path.states[i].reshaped(before.shape()));
    }
    return total;
}

// [duy] section 2: abc -> cab -> cba is a good order; what the search finds moves no more.
TEST(Paths, OfRowsMoveNoMoreThanThatOfOpenFFT) {
    Problem problem;
    problem.shape = {256, 256, 256};
    Decomposition rows;
    rows.row_wise = true;
    for (const int ranks : {257, 300, 512, 1000, 1024, 4096, 5000}) {
        rows.path.reset();
        const Path found = find_path(problem, rows, ranks);
        rows.path = {{0, 1, 2}, {2, 0, 1}, {2, 1, 0}};
        const Path published = find_path(problem, rows, ranks);
        EXPECT_EQ(found.states.size(), 3U) << ranks;
        EXPECT_LE(volume_of(problem, found), volume_of(problem, published)) << ranks;
    }
}

/// Every distribution between the ends of a three-dimensional c2c problem that leaves no rank idle:
/// slabs and pencils of one process grid, or (without a grid) rows.
std::vector<Distribution> states_of(const Problem& problem, const std::vector<int>& grid,
                                    int ranks) {
    std::vector<Distribution> states;
    for (const auto& axes : all_assignments(3, grid.empty() ? 3 : grid.size())) {
        std::vector<std::vector<int>> owned(3);
        for (std::size_t f = 0; f < grid.size(); ++f) {
            owned[static_cast<std::size_t>(axes[f])].push_back(static_cast<int>(f));
        }
        const Distribution where =
            grid.empty() ? row_wise(problem.shape, ranks, ranks, axes, problem.cut)
                         : Distribution(problem.shape, ranks, {grid}, owned, problem.cut);
        if (!where.idle()) states.push_back(where);
    }
    return states;
}

/// The least volume of all ways from here through those states, in at most that many redistributions.
Index least_by_trial(const std::vector<Distribution>& states, const Distribution& here,
                     std::set<int> done, const std::optional<Distribution>& out,
                     int redistributions) {
    constexpr Index never = Index{1} << 60;
    const auto arrive = [](const Distribution& where, std::set<int>& axes) {
        for (int axis = 0; axis < 3; ++axis) {
            if (where.local(axis)) axes.insert(axis);
        }
        return axes.size() == 3;
    };
    if (arrive(here, done) && (!out || *out == here)) return 0;
    if (redistributions == 0) return never;
    std::set<int> at_out = done;
    Index least = out && arrive(*out, at_out) ? volume_by_boxes(here, *out) : never;
    for (const Distribution& next : states) {
        const Index volume = volume_by_boxes(here, next);
        if (next == here || volume >= least) continue;
        least =
            std::min(least, volume + least_by_trial(states, next, done, out, redistributions - 1));
    }
    return least;
}

TEST(Paths, OfLeastVolumeAreThoseFoundByTrial) {
    constexpr Index never = Index{1} << 60;
    Random random(11);
    Decomposition constraint;
    constraint.least_volume = true;
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        const int ranks = static_cast<int>(random.between(2, 12));
        Problem problem;
        for (int a = 0; a < 3; ++a) problem.shape.push_back(random.between(2, 9));
        // These ends say how many parts each axis has: they do not depend on a grid.
        problem.in = random_end(random, problem, ranks);
        problem.out = random_end(random, problem, ranks);
        const auto in = distribution_of(problem, problem.in, false, ranks, {});
        const auto out = distribution_of(problem, problem.out, false, ranks, {});
        auto grids = ordered_factorizations(ranks, 2, 1);
        grids.push_back({ranks});
        grids.emplace_back();  // rows
        Index least = never;
        for (const auto& grid : grids) {
            const auto states = states_of(problem, grid, ranks);
            auto starts = in ? std::vector<Distribution>{*in} : states;
            if (!in && out) starts.push_back(*out);
            if (states.empty()) continue;
            for (const Distribution& start : starts) {
                least = std::min(least, least_by_trial(states, start, {}, out, 4));
            }
        }
        if (least == never) continue;  // ranks have to idle
        ++compared;
        SCOPED_TRACE(to_string(Case{problem, {constraint}, ranks}));
        ASSERT_EQ(volume_of(problem, find_path(problem, constraint, ranks)), least);
    }
    EXPECT_GT(compared, 30);
}

/// Whether a state that the planner chose leaves a rank idle.
bool idles(const Problem& problem, const Path& path) {
    for (std::size_t i = 0; i < path.states.size(); ++i) {
        const bool given =
            (i == 0 && !problem.in.free) || (i + 1 == path.states.size() && !problem.out.free);
        if (!given && path.states[i].idle()) return true;
    }
    return false;
}

TEST(Paths, OfLeastVolumeMoveNoMoreThanAnyOther) {
    Random random(12);
    Decomposition constraint;
    constraint.least_volume = true;
    int compared = 0;
    for (int i = 0; i < 50; ++i) {
        const int ranks = static_cast<int>(random.between(1, 64));
        Problem problem;
        problem.kind = random.pick<Kind>({Kind::c2c, Kind::r2c});
        const Index dims = random.between(2, 5);
        for (Index a = 0; a < dims; ++a) problem.shape.push_back(random.between(3, 60 / dims));
        if (random.once_in(3)) problem.in = brick(static_cast<int>(dims));
        if (random.once_in(3)) problem.out = random_end(random, problem, ranks);
        std::vector<std::string> others = {"slab", "row-wise", "auto"};
        for (const auto& grid : ordered_factorizations(ranks, 2, 1)) {
            if (dims > 2) others.push_back(fmt::format("pencil({}x{})", grid[0], grid[1]));
        }
        SCOPED_TRACE(to_string(Case{problem, {constraint}, ranks}));
        const Path least = find_path(problem, constraint, ranks);
        const Path again = find_path(problem, least.decomposition, ranks);
        ASSERT_TRUE(again.states == least.states) << weft::to_string(least.decomposition);
        for (const std::string& other : others) {
            const Path path = find_path(problem, parse_decomposition(other), ranks);
            // One that leaves ranks idle competes only where all do.
            if (idles(problem, path) && !idles(problem, least)) continue;
            ++compared;
            ASSERT_LE(volume_of(problem, least), volume_of(problem, path)) << other;
        }
    }
    EXPECT_GT(compared, 150);
}

TEST(Paths, KeepTheRanksBalanced) {
    // A slab of 999 parts gives some ranks two planes and most one; 27 x 37 pencils differ by
    // little.
    Problem problem;
    problem.shape = {1000, 1000, 1000};
    const Path path = find_path(problem, {}, 999);
    Index largest = 0;
    for (const Distribution& where : path.states) largest = std::max(largest, where.largest());
    EXPECT_LE(largest, 1000 * 1000 * 1000 / 999 * 5 / 4);
    // Where slabs are balanced they have the fewest exchanges.
    EXPECT_EQ(find_path(problem, {}, 500).decomposition.cuts, 1);
}

TEST(Paths, HaveTheFewestExchangesAndThenTheLeastVolume) {
    Random random(1);
    int compared = 0;
    for (int i = 0; i < 500; ++i) {
        const int ranks = static_cast<int>(random.between(2, 8));
        const Problem problem = random_problem(random, ranks);
        const int dims = static_cast<int>(problem.shape.size());
        // The grid is given, so that balance between grids has no say.
        Decomposition constraint;
        constraint.cuts = static_cast<int>(random.between(1, dims - 1));
        constraint.grid = random.pick(ordered_factorizations(ranks, *constraint.cuts, 1));
        const std::optional<Cost> expected = least_cost(problem, constraint.grid, ranks);
        if (!expected) continue;  // ranks have to idle
        ++compared;
        SCOPED_TRACE(to_string(Case{problem, {constraint}, ranks}));
        const Path path = find_path(problem, constraint, ranks);
        ASSERT_EQ(static_cast<int>(path.states.size()) - 1, expected->redistributions)
            << weft::to_string(path.decomposition);
        // Every comparison on the way may overlook a 64th.
        const double slack = std::pow(64.0 / 63.0, expected->redistributions + 2);
        ASSERT_LE(static_cast<double>(volume_of(problem, path)),
                  slack * static_cast<double>(expected->volume))
            << weft::to_string(path.decomposition);
    }
    EXPECT_GT(compared, 250);
}

}  // namespace

}  // namespace weft::core::test
