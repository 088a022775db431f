#include "plan/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "plan/search.hpp"

namespace weft::core {

namespace {

/// The trail as a path, with the shapes at the moves and the complete decomposition.
Path to_path(const Graph& graph, const Trail& trail) {
    const Family& family = graph.family;
    Path path;
    if (!family.row_wise) path.decomposition.cuts = static_cast<int>(family.grid.size());
    path.decomposition.grid = family.grid;
    path.decomposition.row_wise = family.row_wise;
    path.decomposition.path.emplace();
    std::vector<bool> done(trail.done.size(), false);
    for (std::size_t i = 0; i < trail.nodes.size(); ++i) {
        const Node& node = graph.nodes[static_cast<std::size_t>(trail.nodes[i])];
        transform_local_axes(graph.problem, at(node, graph.problem, done), done);
        path.states.push_back(at(node, graph.problem, done));
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

/// Every axis of a word is one of the array's, and in an order of rows all are there.
void check_word(const Problem& problem, const Decomposition& given, std::vector<int>& axes) {
    for (int& axis : axes) {
        if (axis == Decomposition::batch_axis) axis = static_cast<int>(problem.shape.size());
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
Path given_path(const Problem& problem, const GivenEnds& ends, const Decomposition& given,
                const Family& family) {
    Graph graph{problem, family};
    std::vector<int> nodes;
    const auto visit = [&](int node) {
        if (node != -1 && (nodes.empty() || nodes.back() != node)) nodes.push_back(node);
    };
    graph.in = end_node(graph, ends.in(family));
    visit(graph.in);
    for (std::vector<int> axes : *given.path) {
        check_word(problem, given, axes);
        const Node node = make_node(problem, family, axes);
        const int known = node_like(graph, node);
        graph.nodes[static_cast<std::size_t>(known)] = node;
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
    return to_path(graph, trail);
}

/// As many cuts as dimensions.
bool asks_for_bricks(const Problem& problem, const Decomposition& constraint) {
    return problem.shape.size() > 1 && constraint.cuts == static_cast<int>(problem.shape.size());
}

/// Factor f is at home on axis f. For each axis in turn, every factor is at home but that axis'
/// own, which steps aside to the next one: 012, 112, 022, 010, 012 in three dimensions. The halved
/// axis comes first.
Decomposition with_brick_path(const Problem& problem, const Decomposition& constraint, int used) {
    const int dims = static_cast<int>(problem.shape.size());
    std::vector<int> home(static_cast<std::size_t>(dims));
    std::iota(home.begin(), home.end(), 0);
    Decomposition result = constraint;
    if (result.grid.empty()) result.grid = minimum_surface_grid(problem.shape, used);
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

void check_constraint(const Problem& problem, const Decomposition& constraint, int ranks,
                      int used) {
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

/// The process grids with that many factors that are worth a look. A factor above every extent
/// leaves ranks idle, so strict searches leave it out.
std::vector<std::vector<int>> candidate_grids(const Problem& problem,
                                              const Decomposition& constraint, int cuts, int used,
                                              bool strict) {
    const bool any = constraint.least_volume;
    if (!constraint.grid.empty()) return {constraint.grid};
    if (cuts == 0) return {{}};
    if (!strict && !any) return {near_square(used, cuts)};
    auto grids = ordered_factorizations(used, cuts, cuts == 1 || any ? 1 : 2);
    // A prime number of ranks has no other pencils than 1 x P; asked for, these will do.
    if (grids.empty() && constraint.cuts) grids = ordered_factorizations(used, cuts, 1);
    const auto shape = array_shape(problem, false);
    const Index longest = *std::max_element(shape.begin(), shape.end());
    std::erase_if(grids, [&](const std::vector<int>& grid) {
        return strict && *std::max_element(grid.begin(), grid.end()) > longest;
    });
    // Of very many, those nearest to square: the others unbalance most. Of pencils there are never
    // so many that the least volume could not be looked for among all.
    const std::size_t most = cuts > 3 && any ? 2 : cuts > 2 ? 8 : any ? grids.size() : 32;
    if (grids.size() > most) {
        std::stable_sort(grids.begin(), grids.end(), [](const auto& a, const auto& b) {
            return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
        });
        grids.resize(most);
        std::sort(grids.begin(), grids.end());
    }
    return grids;
}

/// The families that the constraint allows. More cuts never save an exchange, but two can save
/// volume when an end is given; three and more are for ranks that would idle otherwise, and for the
/// least volume.
std::vector<Family> candidate_families(const Problem& problem, const Decomposition& constraint,
                                       const Family& all, bool strict) {
    std::vector<Family> families;
    const auto add = [&](const std::vector<int>& grid, bool row_wise) {
        families.push_back({all.ranks, all.used, grid, row_wise});
    };
    if (!constraint.row_wise) {
        const int most = static_cast<int>(cuttable_axes(problem).size()) - 1;
        const int first = constraint.cuts.value_or(all.used == 1 ? 0 : std::min(1, most));
        const int last = constraint.cuts.value_or(all.used == 1 ? 0 : most);
        for (int cuts = first; cuts <= last; ++cuts) {
            for (const auto& grid : candidate_grids(problem, constraint, cuts, all.used, strict)) {
                add(grid, false);
            }
        }
    }
    if (constraint.row_wise || constraint.least_volume) add({}, true);
    return families;
}

/// The best path through one family.
struct Candidate {
    Path path;
    Index largest = 0;  ///< elements of the largest part on the way
    Trail trail;
};

Index largest_part(const Graph& graph, const Trail& trail) {
    Index largest = 0;
    for (const int node : trail.nodes) {
        const Node& visited = graph.nodes[static_cast<std::size_t>(node)];
        if (visited.inner) largest = std::max(largest, visited.real.largest());
    }
    return largest;
}

/// Fewest exchanges, then least volume, among the balanced: a grid that leaves one rank with twice
/// the others' data is no bargain, however little it moves.
const Candidate* best_of(const std::vector<Candidate>& candidates) {
    const Candidate* best = nullptr;
    Index least = std::numeric_limits<Index>::max();
    for (const Candidate& candidate : candidates) least = std::min(least, candidate.largest);
    for (const Candidate& candidate : candidates) {
        if (candidate.largest > least + least / 4) continue;
        const Trail& trail = candidate.trail;
        if (best == nullptr || trail.nodes.size() < best->trail.nodes.size() ||
            (trail.nodes.size() == best->trail.nodes.size() &&
             clearly_less(trail.volume, best->trail.volume))) {
            best = &candidate;
        }
    }
    return best;
}

std::optional<Path> fewest_exchanges_of(const Problem& problem, const GivenEnds& ends,
                                        const std::vector<Family>& families, bool strict) {
    std::vector<Candidate> candidates;
    for (const Family& family : families) {
        const std::size_t cuts = family.grid.size();
        if (strict && cuts > 2 && !candidates.empty() &&
            cuts > candidates.back().path.decomposition.grid.size()) {
            break;
        }
        const Graph graph = make_graph(problem, ends, family, strict);
        if (graph.nodes.empty()) continue;
        if (const std::optional<Trail> trail = fewest_exchanges(graph)) {
            candidates.push_back({to_path(graph, *trail), largest_part(graph, *trail), *trail});
        }
    }
    if (candidates.empty()) return std::nullopt;
    return best_of(candidates)->path;
}

std::optional<Path> least_volume_of(const Problem& problem, const GivenEnds& ends,
                                    const std::vector<Family>& families, bool strict) {
    std::optional<Path> best;
    Trail least;
    least.volume = std::numeric_limits<Index>::max();
    for (const Family& family : families) {
        const Graph graph = make_graph(problem, ends, family, strict);
        if (graph.nodes.empty()) continue;
        const std::optional<Trail> trail = least_volume(graph, least.volume);
        if (!trail || !moves_less(*trail, least)) continue;
        best = to_path(graph, *trail);
        least = *trail;
    }
    return best;
}

}  // namespace

Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink) {
    if (shrink > ranks) {
        bad_request(
            fmt::format("shrink={}: there are {} ranks to shrink to a part of", shrink, ranks));
    }
    const int used = shrink == 0 ? ranks : shrink;
    check_constraint(problem, constraint, ranks, used);
    const GivenEnds ends(problem, ranks);
    const Family given{ranks, used, constraint.grid, constraint.row_wise};
    if (constraint.path) return given_path(problem, ends, constraint, given);
    if (asks_for_bricks(problem, constraint)) {
        const Decomposition bricks = with_brick_path(problem, constraint, used);
        return given_path(problem, ends, bricks, {ranks, used, bricks.grid});
    }
    for (const bool strict : {true, false}) {
        const auto families = candidate_families(problem, constraint, given, strict);
        const auto path = constraint.least_volume
                              ? least_volume_of(problem, ends, families, strict)
                              : fewest_exchanges_of(problem, ends, families, strict);
        if (path) return *path;
    }
    bad_request(fmt::format("no decomposition {} transforms {} on {} ranks",
                            weft::to_string(constraint), weft::to_string(problem), used));
}

}  // namespace weft::core
