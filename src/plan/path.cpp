#include "plan/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/index.hpp"
#include "base/text.hpp"
#include "plan/candidates.hpp"
#include "plan/problem.hpp"
#include "plan/search.hpp"

namespace weft::core {

namespace {

/// The trail as a path, with the shapes at the redistributions and the complete decomposition.
Path to_path(const Graph& graph, const Trail& trail) {
    const Family& family = graph.family;
    Path path;
    if (!family.row_wise) path.decomposition.cuts = static_cast<int>(family.grid.size());
    path.decomposition.grid = family.grid;
    path.decomposition.row_wise = family.row_wise;
    path.decomposition.path.emplace();
    std::vector<bool> done(trail.done.size(), false);
    for (std::size_t i = 0; i < trail.nodes.size(); ++i) {
        const Node& node = graph.nodes[usize(trail.nodes[i])];
        std::vector<bool> waiting;
        if (i + 1 < trail.nodes.size()) {
            waiting = waiting_for(graph, graph.nodes[usize(trail.nodes[i + 1])]);
        }
        path.axes.push_back(transform_local_axes(graph.problem, graph.at(node, done), done,
                                                 graph.in_order, waiting));
        path.states.push_back(graph.at(node, done));
        const bool given_in = i == 0 && graph.in;
        const bool given_out = i + 1 == trail.nodes.size() && graph.out;
        if (given_in || given_out) continue;
        std::vector<int> axes = node.axes;
        for (int& axis : axes) {
            if (axis == dims_of(graph.problem)) axis = Decomposition::batch_axis;
        }
        path.decomposition.path->push_back(axes);
    }
    return path;
}

/// Every axis of a word is one of the array's, and in an order of rows all are there.
void check_word(const Problem& problem, const Decomposition& given, std::vector<int>& axes) {
    for (int& axis : axes) {
        if (axis == Decomposition::batch_axis) axis = dims_of(problem);
        if (axis < 0 || axis >= array_axes(problem)) {
            bad_request(fmt::format("decomposition {}: there is no axis {} to cut",
                                    weft::to_string(given), axis));
        }
    }
    if (!given.row_wise || axes.size() == problem.shape.size()) return;
    bad_request(fmt::format("decomposition {}: '{}' is an order of {} axes, the array has {}",
                            weft::to_string(given), axis_digits(axes, -1), axes.size(),
                            problem.shape.size()));
}

/// The path that a text spells out, checked.
Path given_path(const Problem& problem, const Decomposition& given, const Family& family,
                bool in_order) {
    const GivenEnds ends(problem, family.ranks);
    Graph graph{problem, family, Shapes(problem)};
    graph.in_order = in_order;
    std::vector<int> nodes;
    const auto visit = [&](std::optional<int> node) {
        if (node && (nodes.empty() || nodes.back() != *node)) nodes.push_back(*node);
    };
    graph.in = end_node(graph, ends.in(family));
    visit(graph.in);
    for (std::vector<int> axes : *given.path) {
        check_word(problem, given, axes);
        const Node node = make_node(graph.shapes, family, axes);
        const int known = node_like(graph, node);
        graph.nodes[usize(known)] = node;
        visit(known);
    }
    graph.out = end_node(graph, ends.out(family));
    visit(graph.out);
    if (nodes.empty()) {
        bad_request(fmt::format("decomposition {}: the path is empty and both ends are free",
                                weft::to_string(given)));
    }
    Trail trail = start_trail(graph, nodes.front());
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        extend(trail, nodes[i], done_after(graph, trail, nodes[i]));
    }
    const std::vector<bool> done = done_at_end(graph, trail);
    for (const int axis : transformed_axes(problem)) {
        if (!done[usize(axis)]) {
            std::string after = halves(problem.kind) ? " after the r2c axis is transformed" : "";
            if (in_order) {
                after =
                    fmt::format(" after the axes before it in the order of reproducible=yes ({})",
                                join(axis_order(problem), ","));
            }
            bad_request(
                fmt::format("decomposition {}: axis {} stays distributed{}, so it cannot be "
                            "transformed; choose another decomposition, or leave it out",
                            weft::to_string(given), axis, after));
        }
    }
    return to_path(graph, trail);
}

/// As many cuts as dimensions.
bool asks_for_bricks(const Problem& problem, const Decomposition& constraint) {
    return problem.shape.size() > 1 && constraint.cuts == dims_of(problem);
}

/// The grid of least surface, if it suits; of those that do the nearest to a cube.
std::vector<int> brick_grid(const Problem& problem, int used, const Split& split) {
    std::vector<int> least = minimum_surface_grid(problem.shape, used);
    if (split.suits({least})) return least;
    auto grids = ordered_factorizations(used, dims_of(problem), 1);
    std::erase_if(grids, [&](const std::vector<int>& grid) { return !split.suits({grid}); });
    return *std::min_element(grids.begin(), grids.end(), nearer_to_square);
}

/// Factor f is at home on axis f. For each axis in turn, every factor is at home but that axis'
/// own, which steps aside to the next one: 012, 112, 022, 010, 012 in three dimensions. The r2c
/// axis comes first.
Decomposition with_brick_path(const Problem& problem, const Decomposition& constraint, int used,
                              const Split& split, bool in_order) {
    const int dims = dims_of(problem);
    std::vector<int> home(usize(dims));
    std::iota(home.begin(), home.end(), 0);
    Decomposition result = constraint;
    if (result.grid.empty()) result.grid = brick_grid(problem, used, split);
    std::vector<int> gathered = in_order ? axis_order(problem) : transformed_axes(problem);
    if (!in_order && r2c_axis_of(problem) != -1) {
        std::stable_partition(gathered.begin(), gathered.end(),
                              [&](int axis) { return axis == r2c_axis_of(problem); });
    }
    result.path.emplace();
    if (problem.in.free) result.path->push_back(home);
    for (const int axis : gathered) {
        std::vector<int> state = home;
        state[usize(axis)] = (axis + 1) % dims;
        result.path->push_back(state);
    }
    if (problem.out.free) result.path->push_back(home);
    return result;
}

void check_constraint(const Problem& problem, const Decomposition& constraint, int ranks,
                      int used) {
    if (constraint.row_wise && Shapes(problem).grow()) {
        bad_request(
            fmt::format("decomposition {}: an axis has more modes than points, so its transform "
                        "changes the rows; take slab or pencil",
                        weft::to_string(constraint)));
    }
    if (!constraint.cuts) return;
    const int cuts = *constraint.cuts;
    const int axes = static_cast<int>(cuttable_axes(problem).size());
    if (cuts >= axes && cuts > 0 && !asks_for_bricks(problem, constraint)) {
        bad_request(fmt::format("decomposition {} cuts {} axes, but of {} at most {} can be cut",
                                weft::to_string(constraint), cuts, axes,
                                problem.shape.size() > 1 ? axes : axes - 1));
    }
    const Index size = ProcessGrid{constraint.grid}.size();
    if (!constraint.grid.empty() && size != used) {
        bad_request(fmt::format("decomposition {}: the process grid has {} ranks, but {} {}",
                                weft::to_string(constraint), size,
                                used == ranks ? "there are" : "it is to shrink to", used));
    }
}

/// The best way through one family.
struct Candidate {
    Path path;
    Price price;
    Index largest = 0;  ///< elements of the largest part between the ends
};

Index largest_part(const Graph& graph, const Trail& trail) {
    Index largest = 0;
    for (const int node : trail.nodes) {
        const Node& visited = graph.nodes[usize(node)];
        if (!visited.inner) continue;
        for (const Distribution& where : visited.of) largest = std::max(largest, where.largest());
    }
    return largest;
}

/// Of those that nothing tells apart the first.
const Candidate* best_of(const std::vector<Candidate>& found, const Objective& objective) {
    const Candidate* best = nullptr;
    Index least = std::numeric_limits<Index>::max();
    for (const Candidate& each : found) least = std::min(least, each.largest);
    for (const Candidate& each : found) {
        if (objective.balanced && each.largest > least + least / 4) continue;
        if (best == nullptr || precedes(objective, each.price, best->price)) best = &each;
    }
    return best;
}

/// The best way through each family of the round, with axes `in_order` or in any. Only balance
/// needs those that are worse than one before them.
std::vector<Candidate> ways_of(const Candidates& candidates, const CandidateRound& round,
                               const Objective& objective, bool in_order) {
    std::vector<Candidate> found;
    for (const Family& family : candidates.families(round)) {
        std::optional<Graph> graph = candidates.graph(round, family);
        if (!graph) continue;
        graph->in_order = in_order;
        const bool any = objective.balanced || found.empty();
        const auto way = search(*graph, objective, any ? nullptr : &found.back().price);
        if (!way) continue;
        found.push_back(
            {to_path(*graph, way->trail), way->price, largest_part(*graph, way->trail)});
    }
    return found;
}

}  // namespace

Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink) {
    return find_path(problem, constraint, ranks, shrink, objective_for(constraint), problem.cut);
}

Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink,
               const Objective& objective, const Split& split, bool in_order) {
    if (shrink > ranks) {
        bad_request(fmt::format("shrink={}: the plan has only {} ranks; give at most that number",
                                shrink, ranks));
    }
    const int used = shrink == 0 ? ranks : shrink;
    check_constraint(problem, constraint, ranks, used);
    if (constraint.path) {
        return given_path(problem, constraint,
                          {ranks, used, split, constraint.grid, constraint.row_wise}, in_order);
    }
    if (asks_for_bricks(problem, constraint)) {
        const Decomposition bricks = with_brick_path(problem, constraint, used, split, in_order);
        return given_path(problem, bricks, {ranks, used, split, bricks.grid}, in_order);
    }
    const Candidates candidates(problem, constraint, ranks, used, objective.scope, split);
    for (const CandidateRound& round : candidates.rounds()) {
        const std::vector<Candidate> found = ways_of(candidates, round, objective, in_order);
        if (!found.empty()) return best_of(found, objective)->path;
    }
    bad_request(fmt::format("decomposition {} cannot transform {} on {} ranks",
                            weft::to_string(constraint), weft::to_string(problem), used));
}

}  // namespace weft::core
