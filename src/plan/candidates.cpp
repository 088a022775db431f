#include "plan/candidates.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

namespace {

int largest_factor(const std::vector<int>& grid) {
    return *std::max_element(grid.begin(), grid.end());
}

/// Of very many grids those nearest to square, in their order: the others unbalance most.
void keep_nearest_to_square(std::vector<std::vector<int>>& grids, std::size_t most) {
    if (grids.size() <= most) return;
    std::stable_sort(grids.begin(), grids.end(), nearer_to_square);
    grids.resize(most);
    std::sort(grids.begin(), grids.end());
}

/// How many grids of that many factors are looked at.
std::size_t most_grids(int cuts, Scope scope, std::size_t all) {
    if (scope == Scope::all) return cuts > 3 ? 2 : cuts > 2 ? 8 : all;
    return cuts > 2 ? 8 : 32;
}

}  // namespace

Candidates::Candidates(const Problem& problem, Decomposition constraint, int ranks, int used,
                       Scope scope, const Split& split)
    : problem_(problem),
      constraint_(std::move(constraint)),
      ranks_(ranks),
      used_(used),
      scope_(scope),
      split_(split),
      shapes_(problem),
      ends_(problem, ranks) {}

std::vector<CandidateRound> Candidates::rounds() const {
    std::vector<int> cuts;
    const bool rows = constraint_.row_wise || (scope_ == Scope::all && !shapes_.grow());
    if (!constraint_.row_wise) {
        const int most = static_cast<int>(cuttable_axes(problem_).size()) - 1;
        const int first = constraint_.cuts.value_or(used_ == 1 ? 0 : std::min(1, most));
        const int last = constraint_.cuts.value_or(used_ == 1 ? 0 : most);
        for (int count = first; count <= last; ++count) cuts.push_back(count);
    }
    if (rows) return {{cuts, rows, false}, {cuts, rows, true}};
    // Two cuts can save volume when an end is given. Three and more are for ranks that would idle
    // otherwise: each a round by itself.
    std::vector<CandidateRound> result;
    for (const int count : cuts) {
        if (count > 2 || result.empty()) result.emplace_back();
        result.back().cuts.push_back(count);
    }
    result.push_back({cuts, false, true});
    return result;
}

/// A factor above every extent leaves ranks idle.
std::vector<std::vector<int>> Candidates::grids(int cuts, bool idle) const {
    if (!constraint_.grid.empty()) return {constraint_.grid};
    if (cuts == 0) return {{}};
    const bool one = idle && scope_ == Scope::usual;
    if (one && split_.even()) return {near_square(used_, cuts)};
    const int least = cuts == 1 || scope_ == Scope::all ? 1 : 2;
    auto grids = ordered_factorizations(used_, cuts, least);
    // A prime number of ranks has no other pencils than 1 x P; asked for, these will do.
    if (grids.empty() && constraint_.cuts) grids = ordered_factorizations(used_, cuts, 1);
    const auto shape = array_shape(problem_, false);
    const Index longest = *std::max_element(shape.begin(), shape.end());
    std::erase_if(grids, [&](const std::vector<int>& grid) {
        return (!idle && largest_factor(grid) > longest) || !split_.suits({grid});
    });
    keep_nearest_to_square(grids, one ? 1 : most_grids(cuts, scope_, grids.size()));
    return grids;
}

std::vector<Family> Candidates::families(const CandidateRound& round) const {
    std::vector<Family> families;
    for (const int cuts : round.cuts) {
        for (const auto& grid : grids(cuts, round.idle)) {
            families.push_back({ranks_, used_, split_, grid});
        }
    }
    if (round.rows) families.push_back({ranks_, used_, split_, {}, true});
    return families;
}

std::optional<Graph> Candidates::graph(const CandidateRound& round, const Family& family) const {
    Graph graph = make_graph(problem_, shapes_, ends_, family, !round.idle);
    if (graph.nodes.empty()) return std::nullopt;
    return graph;
}

}  // namespace weft::core
