#include "plan/search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "exchange/transfers.hpp"

namespace weft::core {

bool clearly_less(Index a, Index b) { return a < b - b / 64; }

Trail start_trail(const Graph& graph, int node) {
    Trail trail;
    trail.nodes = {node};
    trail.done.resize(graph.nodes.front().real.shape().size(), false);
    trail.done = done_after(graph, trail, node);
    return trail;
}

std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = trail.done;
    const Node& node = graph.nodes[static_cast<std::size_t>(to)];
    transform_local_axes(graph.problem, at(node, graph.problem, done), done);
    return done;
}

void extend(Trail& trail, int to, std::vector<bool> done, Index volume) {
    trail.nodes.push_back(to);
    trail.done = std::move(done);
    trail.volume += volume;
}

namespace {

/// All that matters for what may follow a trail.
using State = std::pair<int, std::vector<bool>>;

State state_of(const Trail& trail) { return {trail.nodes.back(), trail.done}; }

bool all_done(const Problem& problem, const std::vector<bool>& done) {
    const auto axes = transformed_axes(problem);
    return std::all_of(axes.begin(), axes.end(),
                       [&](int axis) { return done[static_cast<std::size_t>(axis)]; });
}

bool at_goal(const Graph& graph, const Trail& trail) {
    if (!all_done(graph.problem, trail.done)) return false;
    return graph.out == -1 || trail.nodes.back() == graph.out;
}

/// The trails that have not moved yet.
std::vector<Trail> starts(const Graph& graph) {
    if (graph.in != -1) return {start_trail(graph, graph.in)};
    std::vector<Trail> result;
    // A free input may fall where the output has to be, if nothing needs to move.
    if (graph.out != -1) {
        const Trail here = start_trail(graph, graph.out);
        if (at_goal(graph, here)) return {here};
    }
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].inner) result.push_back(start_trail(graph, static_cast<int>(node)));
    }
    return result;
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
/// there are no other moves). 128: all 120 orders of five axes.
bool near(const Graph& graph, const Node& a, const Node& b) {
    const bool rows = graph.family.row_wise;
    if (graph.nodes.size() <= (rows ? 128U : 64U)) return true;
    return rows ? one_axis_differs(a, b) : one_factor_differs(a, b, graph.family.grid);
}

bool may_move(const Graph& graph, const Trail& trail, int to) {
    const int from = trail.nodes.back();
    if (from == to) return false;
    const Node& a = graph.nodes[static_cast<std::size_t>(from)];
    const Node& b = graph.nodes[static_cast<std::size_t>(to)];
    // The ends' own distributions are only ends, and boxes of the halved array are no place for
    // the real one.
    if (!b.inner && to != graph.out) return false;
    const int halved = halved_axis(graph.problem);
    if (!b.inner && halved != -1 && !half_done(graph.problem, trail.done) &&
        !b.real.local(halved)) {
        return false;
    }
    if (!a.inner && trail.nodes.size() > 1) return false;
    return !a.inner || !b.inner || near(graph, a, b);
}

/// The moves that a search looks at, each one's volume counted once.
class Moves {
  public:
    explicit Moves(const Graph& graph) : graph_(graph) {}

    /// Calls visit(Trail) for the trail with every move that leads to a state not yet seen.
    template <class Visit>
    void follow(const Trail& trail, const std::set<State>& seen, const Visit& visit) {
        const int count = static_cast<int>(graph_.nodes.size());
        for (int to = 0; to < count; ++to) {
            if (!may_move(graph_, trail, to)) continue;
            std::vector<bool> done = done_after(graph_, trail, to);
            if (seen.contains({to, done})) continue;
            Trail longer = trail;
            extend(longer, to, std::move(done), volume_of(trail, to));
            visit(std::move(longer));
        }
    }

  private:
    /// From some thousand ranks an estimate, which is enough to compare. Where an axis is halved,
    /// complex elements count as the two reals that they are.
    Index volume_of(const Trail& trail, int to) {
        constexpr Index samples = 4096;
        const int from = trail.nodes.back();
        const auto [known, fresh] =
            volumes_.try_emplace({from, to, half_done(graph_.problem, trail.done)}, 0);
        if (fresh) {
            const auto where = [&](int node) -> const Distribution& {
                return at(graph_.nodes[static_cast<std::size_t>(node)], graph_.problem, trail.done);
            };
            known->second = volume(where(from), where(to), samples);
            if (half_done(graph_.problem, trail.done)) known->second *= 2;
        }
        return known->second;
    }

    const Graph& graph_;
    std::map<std::tuple<int, int, bool>, Index> volumes_;
};

}  // namespace

std::optional<Trail> fewest_exchanges(const Graph& graph) {
    Moves moves(graph);
    std::set<State> seen;
    std::vector<Trail> frontier = starts(graph);
    while (!frontier.empty()) {
        const Trail* best = nullptr;
        for (const Trail& trail : frontier) {
            seen.insert(state_of(trail));
            if (!at_goal(graph, trail)) continue;
            if (best == nullptr || clearly_less(trail.volume, best->volume)) best = &trail;
        }
        if (best != nullptr) return *best;
        std::vector<Trail> next;
        std::map<State, std::size_t> place;
        for (const Trail& trail : frontier) {
            moves.follow(trail, seen, [&](Trail longer) {
                const auto [known, fresh] = place.try_emplace(state_of(longer), next.size());
                if (fresh) {
                    next.push_back(std::move(longer));
                } else if (clearly_less(longer.volume, next[known->second].volume)) {
                    next[known->second] = std::move(longer);
                }
            });
        }
        frontier = std::move(next);
    }
    return std::nullopt;
}

bool moves_less(const Trail& a, const Trail& b) {
    return std::pair{a.volume, a.nodes.size()} < std::pair{b.volume, b.nodes.size()};
}

namespace {

/// Equals are taken in the order of the graph's nodes.
bool goes_first(const Trail& a, const Trail& b) {
    return moves_less(a, b) || (!moves_less(b, a) && a.nodes < b.nodes);
}

}  // namespace

std::optional<Trail> least_volume(const Graph& graph, Index most) {
    Moves moves(graph);
    std::set<State> seen;
    std::map<State, Trail> open;
    for (Trail& trail : starts(graph)) open.try_emplace(state_of(trail), trail);
    while (!open.empty()) {
        const auto nearest = std::min_element(
            open.begin(), open.end(),
            [](const auto& a, const auto& b) { return goes_first(a.second, b.second); });
        Trail trail = nearest->second;
        if (trail.volume > most) return std::nullopt;
        if (at_goal(graph, trail)) return trail;
        seen.insert(nearest->first);
        open.erase(nearest);
        moves.follow(trail, seen, [&](Trail longer) {
            const auto [known, fresh] = open.try_emplace(state_of(longer), longer);
            if (!fresh && goes_first(longer, known->second)) known->second = std::move(longer);
        });
    }
    return std::nullopt;
}

}  // namespace weft::core
