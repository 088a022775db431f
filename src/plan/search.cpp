#include "plan/search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

namespace {

bool all_done(const Problem& problem, const std::vector<bool>& done) {
    const auto axes = transformed_axes(problem);
    return std::all_of(axes.begin(), axes.end(), [&](int axis) { return done[usize(axis)]; });
}

/// Two inner nodes that differ in one factor's axis.
bool one_factor_differs(const Node& a, const Node& b, const std::vector<int>& grid) {
    int differing = 0;
    for (std::size_t f = 0; f < a.axes.size(); ++f)
        differing += grid[f] != 1 && a.axes[f] != b.axes[f] ? 1 : 0;
    return differing == 1;
}

/// Two orders of axes that are the same without one axis.
bool one_axis_differs(const Node& a, const Node& b) {
    return std::any_of(a.axes.begin(), a.axes.end(), [&](int axis) {
        std::vector<int> before = a.axes;
        std::vector<int> after = b.axes;
        std::erase(before, axis);
        std::erase(after, axis);
        return before == after;
    });
}

/// In graphs of many nodes only the nearest are looked at from inner nodes (in [gholami] Alg. 3
/// no others are adjacent). 128: all 120 orders of five axes.
bool near(const Graph& graph, const Node& a, const Node& b) {
    const bool rows = graph.family.row_wise;
    if (graph.nodes.size() <= (rows ? 128U : 64U)) return true;
    return rows ? one_axis_differs(a, b) : one_factor_differs(a, b, graph.family.grid);
}

}  // namespace

Trail start_trail(const Graph& graph, int node) {
    Trail trail;
    trail.nodes = {node};
    trail.done.resize(usize(array_axes(graph.problem)), false);
    transform_local_axes(graph.problem, graph.at(graph.nodes[usize(node)], trail.done), trail.done,
                         graph.in_order, graph.shapes.growing());
    return trail;
}

std::vector<Trail> start_trails(const Graph& graph) {
    if (graph.in) return {start_trail(graph, *graph.in)};
    std::vector<Trail> result;
    // A free input may fall where the output has to be, if nothing needs to move.
    if (graph.out) {
        const Trail here = start_trail(graph, *graph.out);
        if (at_goal(graph, here)) return {here};
    }
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].inner) result.push_back(start_trail(graph, static_cast<int>(node)));
    }
    return result;
}

bool may_extend(const Graph& graph, const Trail& trail, int to) {
    const int from = trail.nodes.back();
    if (from == to) return false;
    const Node& a = graph.nodes[usize(from)];
    const Node& b = graph.nodes[usize(to)];
    // The ends' own distributions are only ends, and boxes of the array behind all transforms are no
    // place for it before one, unless they are whole along that axis.
    if (!b.inner && to != graph.out) return false;
    if (const auto& changing = graph.shapes.changing(); !b.inner && !changing.empty()) {
        const std::vector<bool> done = done_before(graph, trail, to);
        const auto is_cut = [&](int axis) {
            return !done[usize(axis)] && !b.of.back().local(axis);
        };
        if (std::any_of(changing.begin(), changing.end(), is_cut)) return false;
    }
    if (!a.inner && trail.nodes.size() > 1) return false;
    return !a.inner || !b.inner || near(graph, a, b);
}

std::vector<bool> waiting_for(const Graph& graph, const Node& next) {
    std::vector<bool> waiting = graph.shapes.growing();
    for (std::size_t a = 0; a < waiting.size(); ++a) {
        const auto is_whole = [&](const Distribution& where) {
            return where.local(static_cast<int>(a));
        };
        waiting[a] = waiting[a] && std::all_of(next.of.begin(), next.of.end(), is_whole);
    }
    return waiting;
}

std::vector<bool> done_before(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = trail.done;
    if (!graph.shapes.grow()) return done;
    const Node& here = graph.nodes[usize(trail.nodes.back())];
    transform_local_axes(graph.problem, graph.at(here, done), done, graph.in_order,
                         waiting_for(graph, graph.nodes[usize(to)]));
    return done;
}

std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = done_before(graph, trail, to);
    const Node& node = graph.nodes[usize(to)];
    transform_local_axes(graph.problem, graph.at(node, done), done, graph.in_order,
                         graph.shapes.growing());
    return done;
}

void extend(Trail& trail, int to, std::vector<bool> done) {
    trail.nodes.push_back(to);
    trail.done = std::move(done);
}

std::vector<bool> done_at_end(const Graph& graph, const Trail& trail) {
    std::vector<bool> done = trail.done;
    if (!graph.shapes.grow()) return done;
    const Node& last = graph.nodes[usize(trail.nodes.back())];
    transform_local_axes(graph.problem, graph.at(last, done), done, graph.in_order);
    return done;
}

bool at_goal(const Graph& graph, const Trail& trail) {
    if (!all_done(graph.problem, done_at_end(graph, trail))) return false;
    return !graph.out || trail.nodes.back() == graph.out;
}

namespace {

/// All that matters for how a trail may go on.
using State = std::pair<int, std::vector<bool>>;

/// A trail that may still be replaced by another one to its state.
struct Open {
    Found found;
    std::vector<int> turn;
};

class Search {
  public:
    Search(const Graph& graph, const Objective& objective) : graph_(graph), objective_(objective) {
        for (Trail& trail : start_trails(graph)) {
            Open start{{std::move(trail), {}}, {}};
            start.turn = start.found.trail.nodes;
            open_.emplace(state_of(start.found.trail), std::move(start));
        }
    }

    std::optional<Found> run(const Price* to_beat) {
        while (!open_.empty()) {
            const std::vector<Open> settled = settle();
            if (to_beat != nullptr && objective_.before(*to_beat, settled.front().found.price)) {
                return std::nullopt;
            }
            if (const Found* best = best_at_goal(settled)) {
                if (to_beat != nullptr && !precedes(objective_, best->price, *to_beat)) {
                    return std::nullopt;
                }
                return *best;
            }
            for (const Open& from : settled) extend_all(from);
        }
        return std::nullopt;
    }

  private:
    static State state_of(const Trail& trail) { return {trail.nodes.back(), trail.done}; }

    /// Takes all of the first grade, in the order of their turns.
    std::vector<Open> settle() {
        const auto first =
            std::min_element(open_.begin(), open_.end(), [&](const auto& a, const auto& b) {
                return objective_.before(a.second.found.price, b.second.found.price);
            });
        const Price lowest = first->second.found.price;
        std::vector<Open> settled;
        for (auto each = open_.begin(); each != open_.end();) {
            if (objective_.before(lowest, each->second.found.price)) {
                ++each;
                continue;
            }
            settled_.insert(each->first);
            settled.push_back(std::move(each->second));
            each = open_.erase(each);
        }
        std::sort(settled.begin(), settled.end(),
                  [](const Open& a, const Open& b) { return a.turn < b.turn; });
        return settled;
    }

    [[nodiscard]] const Found* best_at_goal(const std::vector<Open>& settled) const {
        const Found* best = nullptr;
        for (const Open& each : settled) {
            if (!at_goal(graph_, each.found.trail)) continue;
            if (best == nullptr || objective_.better(each.found.price, best->price)) {
                best = &each.found;
            }
        }
        return best;
    }

    /// By one redistribution, to every state that is not settled.
    void extend_all(const Open& from) {
        const Trail& trail = from.found.trail;
        const int count = static_cast<int>(graph_.nodes.size());
        for (int to = 0; to < count; ++to) {
            if (!may_extend(graph_, trail, to)) continue;
            State state{to, done_after(graph_, trail, to)};
            if (!settled_.contains(state)) offer(from, std::move(state));
        }
    }

    /// Keeps the trail that goes on to that state, unless another one to it goes before.
    void offer(const Open& from, State state) {
        const int to = state.first;
        Price total = from.found.price;
        total += price(from.found.trail, to);
        const auto known = open_.lower_bound(state);
        if (known == open_.end() || known->first != state) {
            Open fresh = extended(from, state, total);
            open_.emplace_hint(known, std::move(state), std::move(fresh));
            return;
        }
        Open& old = known->second;
        const Price& kept = old.found.price;
        if (objective_.before(kept, total)) return;
        const bool sooner = objective_.before(total, kept);
        if (!sooner && objective_.better(total, kept)) {
            old.found = extended(from, state, total).found;
            return;
        }
        const bool as_good = !objective_.better(kept, total);
        if (sooner || (as_good && is_earlier(from.turn, to, old.turn))) {
            old = extended(from, state, total);
        }
    }

    static Open extended(const Open& from, const State& state, const Price& total) {
        Open longer = from;
        extend(longer.found.trail, state.first, state.second);
        longer.found.price = total;
        longer.turn.push_back(state.first);
        return longer;
    }

    /// Whether the turn with one more node is before another.
    static bool is_earlier(const std::vector<int>& turn, int to, const std::vector<int>& other) {
        const auto [mine, its] =
            std::mismatch(turn.begin(), turn.end(), other.begin(), other.end());
        if (its == other.end()) return false;
        return (mine == turn.end() ? to : *mine) < *its;
    }

    /// Of one redistribution, asked of the objective once.
    const Price& price(const Trail& trail, int to) {
        const int from = trail.nodes.back();
        const std::vector<bool> done = done_before(graph_, trail, to);
        const bool complex = half_done(graph_.problem, done);
        const std::size_t shape = graph_.shapes.number(done);
        const auto [known, added] = prices_.try_emplace({from, to, complex, shape});
        if (added) {
            const auto where = [&](int node) -> const Distribution& {
                return graph_.nodes[usize(node)].of[shape];
            };
            known->second = objective_.price({where(from), where(to), complex});
        }
        return known->second;
    }

    const Graph& graph_;
    const Objective& objective_;
    std::map<State, Open> open_;
    std::set<State> settled_;
    std::map<std::tuple<int, int, bool, std::size_t>, Price> prices_;
};

}  // namespace

std::optional<Found> search(const Graph& graph, const Objective& objective, const Price* to_beat) {
    return Search(graph, objective).run(to_beat);
}

}  // namespace weft::core
