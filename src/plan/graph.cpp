#include "plan/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::core {

std::vector<int> cuttable_axes(const Problem& problem) {
    const std::size_t dims = problem.shape.size();
    std::vector<int> axes(dims == 1 && problem.batch > 1 ? 2 : dims);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

bool half_done(const Problem& problem, const std::vector<bool>& done) {
    const int halved = halved_axis(problem);
    return halved != -1 && done[static_cast<std::size_t>(halved)];
}

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

namespace {

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

/// The assignment of that process grid that gives every rank the same boxes, if there is one: a
/// caller's boxes are often slabs, and then nothing has to move.
Distribution recognised(const Distribution& where, const Problem& problem,
                        const std::vector<int>& grid) {
    if (where.list() == nullptr) return where;
    for (const auto& axes : assignments(cuttable_axes(problem), grid.size())) {
        const Node node = make_node(problem, grid, axes, where.ranks());
        Distribution known = node.real.reshaped(where.shape());
        if (same_boxes(known, where)) return known;
    }
    return where;
}

}  // namespace

Ends::Ends(const Problem& problem, int ranks) : problem_(problem), ranks_(ranks) {
    if (!problem.in.boxes.empty()) in_ = distribution_of(problem, problem.in, false, ranks, {});
    if (!problem.out.boxes.empty()) out_ = distribution_of(problem, problem.out, true, ranks, {});
}

std::optional<Distribution> Ends::in(const std::vector<int>& grid) const {
    if (in_) return recognised(*in_, problem_, grid);
    return distribution_of(problem_, problem_.in, false, ranks_, grid);
}

std::optional<Distribution> Ends::out(const std::vector<int>& grid) const {
    if (out_) return recognised(*out_, problem_, grid);
    return distribution_of(problem_, problem_.out, true, ranks_, grid);
}

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

int end_node(Graph& graph, const std::optional<Distribution>& where) {
    if (!where) return -1;
    const Distribution real = where->reshaped(array_shape(graph.problem, false));
    const Distribution half = where->reshaped(array_shape(graph.problem, true));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].real == real && graph.nodes[i].half == half) return static_cast<int>(i);
    }
    graph.nodes.push_back({{}, real, half, false});
    return static_cast<int>(graph.nodes.size()) - 1;
}

Graph make_graph(const Problem& problem, const Ends& ends, const std::vector<int>& grid, int ranks,
                 bool strict) {
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
    graph.in = end_node(graph, ends.in(grid));
    graph.out = end_node(graph, ends.out(grid));
    return graph;
}

}  // namespace weft::core
