#include "plan/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "exchange/transfers.hpp"

namespace weft::core {

namespace {

bool all_done(const Problem& problem, const std::vector<bool>& done) {
    const auto axes = transformed_axes(problem);
    return std::all_of(axes.begin(), axes.end(),
                       [&](int axis) { return done[static_cast<std::size_t>(axis)]; });
}

/// Whether the halved axis has its n/2+1 values already.
bool half_done(const Problem& problem, const std::vector<bool>& done) {
    const int halved = halved_axis(problem);
    return halved != -1 && done[static_cast<std::size_t>(halved)];
}

/// The axes that a process grid may cut: the dimensions; of a one-dimensional problem also the
/// batch, the only way to use more than one rank ([gholami] Alg. 3 cuts d-1 of d axes).
std::vector<int> cuttable_axes(const Problem& problem) {
    const std::size_t dims = problem.shape.size();
    std::vector<int> axes(dims == 1 && problem.batch > 1 ? 2 : dims);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

/// All ways to give `count` factors distinct axes, lexicographically ascending.
std::vector<std::vector<int>> assignments(const std::vector<int>& axes, std::size_t count) {
    std::vector<std::vector<int>> all = {{}};
    for (std::size_t f = 0; f < count; ++f) {
        std::vector<std::vector<int>> longer;
        for (const auto& prefix : all) {
            for (const int axis : axes) {
                if (std::count(prefix.begin(), prefix.end(), axis) != 0) continue;
                longer.push_back(prefix);
                longer.back().push_back(axis);
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// A distribution on the way, before it is known whether the halved axis is done.
struct Node {
    std::vector<int> axes;  ///< the axis of each factor; only for inner nodes
    Distribution real;
    Distribution half;
    bool inner = false;
};

/// Everything that the search for one process grid looks at.
struct Graph {
    const Problem& problem;
    std::vector<Node> nodes;
    int in = -1;              ///< the node of the input; -1: free
    int out = -1;             ///< the node of the output; -1: free
    std::vector<int> grid{};  ///< the factors that inner nodes assign
};

Node make_node(const Problem& problem, const std::vector<int>& grid, const std::vector<int>& axes,
               int ranks) {
    const auto shape = array_shape(problem, false);
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < axes.size(); ++f) {
        cuts[static_cast<std::size_t>(axes[f])].push_back(static_cast<int>(f));
    }
    Node node;
    node.axes = axes;
    node.real = Distribution(shape, ranks, ProcessGrid{grid}, cuts, problem.cut);
    node.half = node.real.reshaped(array_shape(problem, true));
    node.inner = true;
    return node;
}

/// The node with that distribution, added if there is none.
int end_node(Graph& graph, const std::optional<Distribution>& where) {
    if (!where) return -1;
    const Distribution real = where->reshaped(array_shape(graph.problem, false));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].real == real) return static_cast<int>(i);
    }
    graph.nodes.push_back({{}, real, real.reshaped(array_shape(graph.problem, true)), false});
    return static_cast<int>(graph.nodes.size()) - 1;
}

/// Nodes for one process grid; without the idle ones if `strict`.
Graph make_graph(const Problem& problem, const std::vector<int>& grid, int ranks, bool strict) {
    Graph graph{problem, {}, -1, -1, grid};
    for (const auto& axes : assignments(cuttable_axes(problem), grid.size())) {
        Node node = make_node(problem, grid, axes, ranks);
        if (strict && (node.real.idle() || node.half.idle())) continue;
        // Factors of 1 may stand on any axis; one node for each distribution is enough.
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(),
                        [&](const Node& other) { return other.real == node.real; }))
            continue;
        graph.nodes.push_back(std::move(node));
    }
    graph.in = end_node(graph, distribution_of(problem, problem.in, false, ranks, grid));
    graph.out = end_node(graph, distribution_of(problem, problem.out, true, ranks, grid));
    return graph;
}

/// A way through the graph as far as the search has come.
struct Trail {
    std::vector<int> nodes;
    std::vector<bool> done;
    Index volume = 0;
};

/// Whether a volume is so much less than another that it matters.
bool clearly_less(Index a, Index b) { return a < b - b / 64; }

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
    // The ends' own distributions are only ends.
    if (!b.inner && to != graph.out) return false;
    if (!a.inner && trail.nodes.size() > 1) return false;
    constexpr std::size_t few_nodes = 64;
    return graph.nodes.size() <= few_nodes || !a.inner || !b.inner ||
           single_factor_move(a, b, graph.grid);
}

Trail start_trail(const Graph& graph, int node) {
    Trail trail;
    trail.nodes = {node};
    trail.done.resize(graph.nodes.front().real.shape().size(), false);
    transform_local_axes(graph.problem, graph.nodes[static_cast<std::size_t>(node)].real,
                         trail.done);
    return trail;
}

/// The axes done after a move to that node.
std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to) {
    std::vector<bool> done = trail.done;
    transform_local_axes(graph.problem, graph.nodes[static_cast<std::size_t>(to)].real, done);
    return done;
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

void extend(Trail& trail, int to, std::vector<bool> done, Index volume) {
    trail.nodes.push_back(to);
    trail.done = std::move(done);
    trail.volume += volume;
}

/// Breadth first: all states reachable with 0, 1, 2, .. exchanges, each with its least volume.
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

/// The trail as a path, with the shapes at the moves and the complete decomposition.
Path to_path(const Graph& graph, const std::vector<int>& grid, const Trail& trail) {
    Path path;
    path.decomposition.cuts = static_cast<int>(grid.size());
    path.decomposition.grid = grid;
    path.decomposition.path.emplace();
    std::vector<bool> done(trail.done.size(), false);
    for (std::size_t i = 0; i < trail.nodes.size(); ++i) {
        const Node& node = graph.nodes[static_cast<std::size_t>(trail.nodes[i])];
        transform_local_axes(graph.problem, node.real, done);
        path.states.push_back(half_done(graph.problem, done) ? node.half : node.real);
        const bool given_in = i == 0 && graph.in != -1;
        const bool given_out = i + 1 == trail.nodes.size() && graph.out != -1;
        if (given_in || given_out) continue;
        std::vector<int> axes = node.axes;
        for (int& axis : axes) {
            if (axis == static_cast<int>(graph.problem.shape.size()))
                axis = Decomposition::batch_axis;
        }
        path.decomposition.path->push_back(axes);
    }
    return path;
}

/// The path that a text spells out, checked.
Path given_path(const Problem& problem, const Decomposition& given, int ranks) {
    Graph graph{problem, {}, -1, -1};
    std::vector<int> nodes;
    const auto visit = [&](int node) {
        if (node != -1 && (nodes.empty() || nodes.back() != node)) nodes.push_back(node);
    };
    graph.in = end_node(graph, distribution_of(problem, problem.in, false, ranks, given.grid));
    visit(graph.in);
    for (std::vector<int> axes : *given.path) {
        for (int& axis : axes) {
            if (axis == Decomposition::batch_axis) axis = static_cast<int>(problem.shape.size());
            if (axis < 0 || axis >= array_axes(problem)) {
                bad_request(fmt::format("decomposition {}: there is no axis {} to cut",
                                        weft::to_string(given), axis));
            }
        }
        const Node node = make_node(problem, given.grid, axes, ranks);
        int known = end_node(graph, node.real);
        graph.nodes[static_cast<std::size_t>(known)] = node;
        visit(known);
    }
    graph.out = end_node(graph, distribution_of(problem, problem.out, true, ranks, given.grid));
    visit(graph.out);
    if (nodes.empty()) {
        bad_request(fmt::format("decomposition {}: the path is empty and both ends are free",
                                weft::to_string(given)));
    }
    Trail trail = start_trail(graph, nodes.front());
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        extend(trail, nodes[i], done_after(graph, trail, nodes[i]), 0);
    }
    for (const int axis : transformed_axes(problem)) {
        if (!trail.done[static_cast<std::size_t>(axis)]) {
            bad_request(
                fmt::format("decomposition {}: axis {} is never whole on a rank after the "
                            "halved axis, so it cannot be transformed",
                            weft::to_string(given), axis));
        }
    }
    return to_path(graph, given.grid, trail);
}

void check_constraint(const Problem& problem, const Decomposition& constraint, int ranks) {
    if (!constraint.cuts) return;
    const int cuts = *constraint.cuts;
    const int axes = static_cast<int>(cuttable_axes(problem).size());
    if (cuts >= axes && cuts > 0) {
        bad_request(
            fmt::format("decomposition {} cuts {} axes, but of {} at most {} can be cut: "
                        "one must stay whole to be transformed",
                        weft::to_string(constraint), cuts, axes, axes - 1));
    }
    const Index size = ProcessGrid{constraint.grid}.size();
    if (!constraint.grid.empty() && size != ranks) {
        bad_request(fmt::format("decomposition {}: the process grid has {} ranks, but there are {}",
                                weft::to_string(constraint), size, ranks));
    }
}

/// The process grids with that many factors that are worth a look. A factor above every extent
/// leaves ranks idle, so strict searches leave it out.
std::vector<std::vector<int>> candidate_grids(const Problem& problem,
                                              const Decomposition& constraint, int cuts, int ranks,
                                              bool strict) {
    if (!constraint.grid.empty()) return {constraint.grid};
    if (cuts == 0) return {{}};
    if (!strict) return {near_square(ranks, cuts)};
    auto grids = ordered_factorizations(ranks, cuts, cuts == 1 ? 1 : 2);
    // A prime number of ranks has no other pencils than 1 x P; asked for, these will do.
    if (grids.empty() && constraint.cuts) grids = ordered_factorizations(ranks, cuts, 1);
    const auto shape = array_shape(problem, false);
    const Index longest = *std::max_element(shape.begin(), shape.end());
    std::erase_if(grids, [&](const std::vector<int>& grid) {
        return *std::max_element(grid.begin(), grid.end()) > longest;
    });
    // Of very many, those nearest to square: the others unbalance most.
    const std::size_t most = cuts <= 2 ? 32 : 8;
    if (grids.size() > most) {
        std::stable_sort(grids.begin(), grids.end(), [](const auto& a, const auto& b) {
            return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
        });
        grids.resize(most);
        std::sort(grids.begin(), grids.end());
    }
    return grids;
}

/// The best path through one process grid.
struct Candidate {
    Path path;
    Index largest = 0;  ///< elements of the largest part on the way
    std::size_t exchanges = 0;
    Index volume = 0;
};

void add_candidates(const Problem& problem, const Decomposition& constraint, int cuts, int ranks,
                    bool strict, std::vector<Candidate>& candidates) {
    for (const auto& grid : candidate_grids(problem, constraint, cuts, ranks, strict)) {
        const Graph graph = make_graph(problem, grid, ranks, strict);
        if (graph.nodes.empty()) continue;
        const std::optional<Trail> trail = search(graph);
        if (!trail) continue;
        Candidate candidate{to_path(graph, grid, *trail), 0, trail->nodes.size() - 1,
                            trail->volume};
        for (const int node : trail->nodes) {
            const Node& visited = graph.nodes[static_cast<std::size_t>(node)];
            if (visited.inner) {
                candidate.largest = std::max(candidate.largest, visited.real.largest());
            }
        }
        candidates.push_back(std::move(candidate));
    }
}

/// Fewest exchanges, then least volume, among the balanced: a grid that leaves one rank with twice
/// the others' data is no bargain, however little it moves.
const Candidate& best_of(const std::vector<Candidate>& candidates) {
    Index least = candidates.front().largest;
    for (const Candidate& candidate : candidates) least = std::min(least, candidate.largest);
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates) {
        if (candidate.largest > least + least / 4) continue;
        if (best == nullptr || candidate.exchanges < best->exchanges ||
            (candidate.exchanges == best->exchanges &&
             clearly_less(candidate.volume, best->volume))) {
            best = &candidate;
        }
    }
    return *best;
}

}  // namespace

std::vector<int> transform_local_axes(const Problem& problem, const Distribution& where,
                                      std::vector<bool>& done) {
    const int halved = halved_axis(problem);
    const bool halve_now = halved != -1 && !done[static_cast<std::size_t>(halved)];
    std::vector<int> axes;
    if (halve_now && !where.local(halved)) return axes;
    for (const int axis : transformed_axes(problem)) {
        const auto a = static_cast<std::size_t>(axis);
        if (done[a] || axis == halved || !where.local(axis)) continue;
        axes.push_back(axis);
        done[a] = true;
    }
    if (halve_now) {
        axes.push_back(halved);
        done[static_cast<std::size_t>(halved)] = true;
    }
    return axes;
}

Path find_path(const Problem& problem, const Decomposition& constraint, int ranks) {
    check_constraint(problem, constraint, ranks);
    if (constraint.path) return given_path(problem, constraint, ranks);
    const int most = static_cast<int>(cuttable_axes(problem).size()) - 1;
    const int first = constraint.cuts.value_or(ranks == 1 ? 0 : std::min(1, most));
    const int last = constraint.cuts.value_or(ranks == 1 ? 0 : most);
    // More cuts never save an exchange, but two can save volume when an end is given; three and
    // more are for ranks that would idle otherwise.
    std::vector<Candidate> candidates;
    for (const bool strict : {true, false}) {
        for (int cuts = first; cuts <= last; ++cuts) {
            if (strict && !candidates.empty() && cuts > 2) break;
            add_candidates(problem, constraint, cuts, ranks, strict, candidates);
        }
        if (!candidates.empty()) return best_of(candidates).path;
    }
    bad_request(fmt::format("no decomposition {} transforms {} on {} ranks",
                            weft::to_string(constraint), weft::to_string(problem), ranks));
}

}  // namespace weft::core
