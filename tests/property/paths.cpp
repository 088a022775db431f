// find_path against a search of all paths on small machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "plan/path.hpp"
#include "property/random_problem.hpp"

namespace weft::core::test {

namespace {

/// What is left to decide about a way so far: where it is and what it has transformed.
using State = std::pair<std::size_t, std::set<int>>;

struct Cost {
    int moves = 0;
    Index volume = 0;
};

Index volume_by_boxes(const Distribution& from, const Distribution& to) {
    Index leaving = 0;
    for (int rank = 0; rank < from.ranks(); ++rank) {
        const Box mine = from.box(rank);
        leaving += mine.volume() - intersect(mine, to.box(rank)).volume();
    }
    return leaving;
}

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
        for (int moves = 0; !frontier_.empty(); ++moves) {
            std::optional<Index> least;
            for (const auto& [state, volume] : frontier_) {
                seen.insert(state);
                const bool there = !goal_ || state.first == *goal_;
                if (there && state.second.size() == transformed_axes(problem_).size()) {
                    least = std::min(least.value_or(volume), volume);
                }
            }
            if (least) return Cost{moves, *least};
            std::map<State, Index> next;
            for (const auto& [state, volume] : frontier_) {
                if (state.first >= inner_ && moves > 0) continue;
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
        const int halved = halved_axis(problem_);
        const auto shape = array_shape(problem_, state.second.contains(halved));
        return volume_by_boxes(states_[state.first].reshaped(shape), states_[to].reshaped(shape));
    }

    /// The halved axis is transformed before all others.
    [[nodiscard]] std::set<int> arrived(const Distribution& where, std::set<int> done) const {
        const int halved = halved_axis(problem_);
        if (halved != -1 && !done.contains(halved) && !where.local(halved)) return done;
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
    if (problem.kind == Kind::r2c) problem.halved = random.pick(transformed_axes(problem));
    problem.cut = random.once_in(3) ? CutRule::block : CutRule::balanced;
    problem.in = random_end(random, problem, ranks);
    problem.out = random_end(random, problem, ranks);
    return problem;
}

Index volume_of(const Path& path) {
    Index total = 0;
    for (std::size_t i = 1; i < path.states.size(); ++i) {
        const auto& before = path.states[i - 1];
        total += volume_by_boxes(before, path.states[i].reshaped(before.shape()));
    }
    return total;
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
        ASSERT_EQ(static_cast<int>(path.states.size()) - 1, expected->moves)
            << weft::to_string(path.decomposition);
        // Every comparison on the way may overlook a 64th.
        const double slack = std::pow(64.0 / 63.0, expected->moves + 2);
        ASSERT_LE(static_cast<double>(volume_of(path)),
                  slack * static_cast<double>(expected->volume))
            << weft::to_string(path.decomposition);
    }
    EXPECT_GT(compared, 250);
}

}  // namespace

}  // namespace weft::core::test
