#include "plan/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "plan/search.hpp"

namespace weft::core {

namespace {

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
Path given_path(const Problem& problem, const Ends& ends, const Decomposition& given, int ranks) {
    Graph graph{problem, {}, -1, -1};
    std::vector<int> nodes;
    const auto visit = [&](int node) {
        if (node != -1 && (nodes.empty() || nodes.back() != node)) nodes.push_back(node);
    };
    graph.in = end_node(graph, ends.in(given.grid));
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
    graph.out = end_node(graph, ends.out(given.grid));
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

/// As many cuts as dimensions.
bool asks_for_bricks(const Problem& problem, const Decomposition& constraint) {
    return problem.shape.size() > 1 && constraint.cuts == static_cast<int>(problem.shape.size());
}

/// Factor f is at home on axis f. For each axis in turn, every factor is at home but that axis'
/// own, which steps aside to the next one: 012, 112, 022, 010, 012 in three dimensions. The halved
/// axis comes first.
Decomposition with_brick_path(const Problem& problem, const Decomposition& constraint, int ranks) {
    const int dims = static_cast<int>(problem.shape.size());
    std::vector<int> home(static_cast<std::size_t>(dims));
    std::iota(home.begin(), home.end(), 0);
    Decomposition result = constraint;
    if (result.grid.empty()) result.grid = minimum_surface_grid(problem.shape, ranks);
    std::vector<int> gathered = transformed_axes(problem);
    if (halved_axis(problem) != -1) {
        std::stable_partition(gathered.begin(), gathered.end(),
                              [&](int axis) { return axis == halved_axis(problem); });
    }
    result.path.emplace();
    if (problem.in.free) result.path->push_back(home);
    for (const int axis : gathered) {
        std::vector<int> state = home;
        state[static_cast<std::size_t>(axis)] = (axis + 1) % dims;
        result.path->push_back(state);
    }
    if (problem.out.free) result.path->push_back(home);
    return result;
}

void check_constraint(const Problem& problem, const Decomposition& constraint, int ranks) {
    if (!constraint.cuts) return;
    const int cuts = *constraint.cuts;
    const int axes = static_cast<int>(cuttable_axes(problem).size());
    if (cuts >= axes && cuts > 0 && !asks_for_bricks(problem, constraint)) {
        bad_request(fmt::format("decomposition {} cuts {} axes, but of {} at most {} can be cut",
                                weft::to_string(constraint), cuts, axes,
                                problem.shape.size() > 1 ? axes : axes - 1));
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

void add_candidates(const Problem& problem, const Ends& ends, const Decomposition& constraint,
                    int cuts, int ranks, bool strict, std::vector<Candidate>& candidates) {
    for (const auto& grid : candidate_grids(problem, constraint, cuts, ranks, strict)) {
        const Graph graph = make_graph(problem, ends, grid, ranks, strict);
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

Path find_path(const Problem& problem, const Decomposition& constraint, int ranks) {
    check_constraint(problem, constraint, ranks);
    const Ends ends(problem, ranks);
    if (constraint.path) return given_path(problem, ends, constraint, ranks);
    if (asks_for_bricks(problem, constraint)) {
        return given_path(problem, ends, with_brick_path(problem, constraint, ranks), ranks);
    }
    const int most = static_cast<int>(cuttable_axes(problem).size()) - 1;
    const int first = constraint.cuts.value_or(ranks == 1 ? 0 : std::min(1, most));
    const int last = constraint.cuts.value_or(ranks == 1 ? 0 : most);
    // More cuts never save an exchange, but two can save volume when an end is given; three and
    // more are for ranks that would idle otherwise.
    std::vector<Candidate> candidates;
    for (const bool strict : {true, false}) {
        for (int cuts = first; cuts <= last; ++cuts) {
            if (strict && !candidates.empty() && cuts > 2) break;
            add_candidates(problem, ends, constraint, cuts, ranks, strict, candidates);
        }
        if (!candidates.empty()) return best_of(candidates).path;
    }
    bad_request(fmt::format("no decomposition {} transforms {} on {} ranks",
                            weft::to_string(constraint), weft::to_string(problem), ranks));
}

}  // namespace weft::core
