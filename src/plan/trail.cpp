#include "plan/trail.hpp"

#include <algorithm>
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
    trail.done.resize(graph.nodes.front().real.shape().size(), false);
    trail.done = done_after(graph, trail, node);
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

std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = trail.done;
    const Node& node = graph.nodes[usize(to)];
    transform_local_axes(graph.problem, at(node, graph.problem, done), done, graph.in_order);
    return done;
}

void extend(Trail& trail, int to, std::vector<bool> done) {
    trail.nodes.push_back(to);
    trail.done = std::move(done);
}

bool at_goal(const Graph& graph, const Trail& trail) {
    if (!all_done(graph.problem, trail.done)) return false;
    return !graph.out || trail.nodes.back() == graph.out;
}

}  // namespace weft::core
