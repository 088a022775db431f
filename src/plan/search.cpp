#include "plan/search.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "exchange/transfers.hpp"

namespace weft::core {

bool clearly_less(Index a, Index b) { return a < b - b / 64; }

Trail start_trail(const Graph& graph, int node) {
    Trail trail;
    trail.nodes = {node};
    trail.done.resize(graph.nodes.front().real.shape().size(), false);
    transform_local_axes(graph.problem, graph.nodes[static_cast<std::size_t>(node)].real,
                         trail.done);
    return trail;
}

std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = trail.done;
    transform_local_axes(graph.problem, graph.nodes[static_cast<std::size_t>(to)].real, done);
    return done;
}

void extend(Trail& trail, int to, std::vector<bool> done, Index volume) {
    trail.nodes.push_back(to);
    trail.done = std::move(done);
    trail.volume += volume;
}

namespace {

bool all_done(const Problem& problem, const std::vector<bool>& done) {
    const auto axes = transformed_axes(problem);
    return std::all_of(axes.begin(), axes.end(),
                       [&](int axis) { return done[static_cast<std::size_t>(axis)]; });
}

bool at_goal(const Graph& graph, const Trail& trail) {
    if (!all_done(graph.problem, trail.done)) return false;
    return graph.out == -1 || trail.nodes.back() == graph.out;
}

/// Two inner nodes that differ in one factor's axis; in graphs of many nodes only such moves are
/// looked at between inner nodes (in [gholami] Alg. 3 there are no others).
bool single_factor_move(const Node& a, const Node& b, const std::vector<int>& grid) {
    int differing = 0;
    for (std::size_t f = 0; f < a.axes.size(); ++f)
        differing += grid[f] != 1 && a.axes[f] != b.axes[f] ? 1 : 0;
    return differing == 1;
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
    constexpr std::size_t few_nodes = 64;
    return graph.nodes.size() <= few_nodes || !a.inner || !b.inner ||
           single_factor_move(a, b, graph.grid);
}

/// The volume of the move that follows the trail; from some thousand ranks an estimate, which is
/// enough to compare.
Index move_volume(const Graph& graph, const Trail& trail, int to) {
    constexpr Index samples = 4096;
    const Node& a = graph.nodes[static_cast<std::size_t>(trail.nodes.back())];
    const Node& b = graph.nodes[static_cast<std::size_t>(to)];
    return half_done(graph.problem, trail.done) ? volume(a.half, b.half, samples)
                                                : volume(a.real, b.real, samples);
}

}  // namespace

std::optional<Trail> search(const Graph& graph) {
    using State = std::pair<int, std::vector<bool>>;
    std::map<State, std::size_t> frontier_index;
    std::vector<Trail> frontier;
    std::map<State, bool> visited;
    std::map<std::tuple<int, int, bool>, Index> volumes;
    const int count = static_cast<int>(graph.nodes.size());
    // A free input may fall where the output has to be, if nothing needs to move.
    if (graph.in == -1 && graph.out != -1) {
        const Trail here = start_trail(graph, graph.out);
        if (at_goal(graph, here)) return here;
    }
    for (int node = 0; node < count; ++node) {
        const bool start =
            graph.in == -1 ? graph.nodes[static_cast<std::size_t>(node)].inner : node == graph.in;
        if (start) frontier.push_back(start_trail(graph, node));
    }
    while (!frontier.empty()) {
        const Trail* best = nullptr;
        for (const Trail& trail : frontier) {
            visited[{trail.nodes.back(), trail.done}] = true;
            if (!at_goal(graph, trail)) continue;
            if (best == nullptr || clearly_less(trail.volume, best->volume)) best = &trail;
        }
        if (best != nullptr) return *best;
        std::vector<Trail> next;
        frontier_index.clear();
        for (const Trail& trail : frontier) {
            for (int to = 0; to < count; ++to) {
                if (!may_move(graph, trail, to)) continue;
                std::vector<bool> done = done_after(graph, trail, to);
                const State state{to, done};
                if (visited.contains(state)) continue;
                Trail candidate = trail;
                const bool half = half_done(graph.problem, trail.done);
                const auto [volume, unknown] =
                    volumes.try_emplace({trail.nodes.back(), to, half}, 0);
                if (unknown) volume->second = move_volume(graph, trail, to);
                extend(candidate, to, std::move(done), volume->second);
                const auto [known, fresh] = frontier_index.try_emplace(state, next.size());
                if (fresh) {
                    next.push_back(std::move(candidate));
                } else if (clearly_less(candidate.volume, next[known->second].volume)) {
                    next[known->second] = std::move(candidate);
                }
            }
        }
        frontier = std::move(next);
    }
    return std::nullopt;
}

}  // namespace weft::core
