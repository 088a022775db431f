#include "unit/all_ways.hpp"

#include <set>
#include <utility>
#include <vector>

namespace weft::core::test {

namespace {

/// Goes all ways through a graph that meet no state twice.
class AllWays {
  public:
    AllWays(const Graph& graph, const Objective& objective)
        : graph_(graph), objective_(objective), r2c_axis_(r2c_axis_of(graph.problem)) {}

    /// The price of the best; nothing if there is no way.
    std::optional<Price> best() {
        for (int node = 0; node < static_cast<int>(graph_.nodes.size()); ++node) {
            const bool given = graph_.in.has_value();
            if (given ? node == graph_.in : this->node(node).inner) go_on(node, {}, {});
        }
        // A free input may lie as the output does; then nothing may move.
        if (!graph_.in && graph_.out && at_goal(*graph_.out, arrived(*graph_.out, {}))) {
            best_ = Price{};
        }
        return best_;
    }

  private:
    using Axes = std::set<int>;

    [[nodiscard]] const Node& node(int number) const {
        return graph_.nodes[static_cast<std::size_t>(number)];
    }

    [[nodiscard]] const Distribution& where(int number, const Axes& done) const {
        return done.contains(r2c_axis_) ? node(number).of.back() : node(number).of.front();
    }

    /// The r2c axis is transformed before all others.
    [[nodiscard]] Axes arrived(int number, Axes done) const {
        const Distribution& here = where(number, done);
        if (r2c_axis_ != -1 && !done.contains(r2c_axis_) && !here.local(r2c_axis_)) return done;
        for (const int axis : transformed_axes(graph_.problem)) {
            if (here.local(axis)) done.insert(axis);
        }
        return done;
    }

    [[nodiscard]] bool at_goal(int number, const Axes& done) const {
        const bool there = !graph_.out || number == graph_.out;
        return there && done.size() == transformed_axes(graph_.problem).size();
    }

    void go_on(int here, const Axes& before, const Price& price) {
        if (best_ && objective_.before(*best_, price)) return;
        const Axes done = arrived(here, before);
        if (at_goal(here, done)) {
            if (!best_ || precedes(objective_, price, *best_)) best_ = price;
            return;
        }
        // The given ends are no places to pass.
        const bool starts = on_way_.empty();
        if (!node(here).inner && !starts) return;
        if (!on_way_.insert({here, done}).second) return;
        for (int to = 0; to < static_cast<int>(graph_.nodes.size()); ++to) {
            if (to == here || (!node(to).inner && to != graph_.out)) continue;
            Price longer = price;
            longer += objective_.price(
                {where(here, done), where(to, done), r2c_axis_ != -1 && done.contains(r2c_axis_)});
            go_on(to, done, longer);
        }
        on_way_.erase({here, done});
    }

    const Graph& graph_;
    const Objective& objective_;
    int r2c_axis_;
    std::set<std::pair<int, Axes>> on_way_;
    std::optional<Price> best_;
};

LayoutRequest grid_or_free(Random& random, int dims, int ranks) {
    if (random.once_in(3)) return {};
    if (random.once_in(6)) return single();
    return grid(random.pick(ordered_factorizations(ranks, dims, 1)));
}

}  // namespace

SmallCase small_case(Random& random) {
    SmallCase drawn;
    drawn.ranks = static_cast<int>(random.between(2, 12));
    Problem& problem = drawn.problem;
    const int dims = static_cast<int>(random.between(2, 3));
    for (int axis = 0; axis < dims; ++axis) problem.shape.push_back(random.between(3, 13));
    if (random.once_in(2)) {
        problem.kind = Kind::r2c;
        problem.r2c_axis = static_cast<int>(random.between(0, dims - 1));
    }
    problem.in = grid_or_free(random, dims, drawn.ranks);
    problem.out = grid_or_free(random, dims, drawn.ranks);
    return drawn;
}

Candidates candidates_of(const SmallCase& drawn, Scope scope) {
    return {drawn.problem, {}, drawn.ranks, drawn.ranks, scope, drawn.problem.cut};
}

std::optional<Price> best_of_all_ways(const Graph& graph, const Objective& objective) {
    return AllWays(graph, objective).best();
}

}  // namespace weft::core::test
