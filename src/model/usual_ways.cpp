#include "model/usual_ways.hpp"

#include <algorithm>
#include <utility>

#include "geometry/process_grid.hpp"
#include "plan/problem.hpp"

namespace weft::core {

std::string name_of_way(const Decomposition& way, std::size_t axes) {
    const int cuts = way.cuts.value_or(-1);
    if (axes > 1 && cuts == static_cast<int>(axes)) return "brick";
    if (cuts == 2) return "pencil";
    const bool slabs = cuts == 1 || (cuts == 0 && axes > 1);
    return slabs ? "slab" : "default";
}

std::vector<Decomposition> usual_ways(const Problem& problem, const Choice& choice, int ranks,
                                      const Machine& machine) {
    const Decomposition& asked = choice.decomposition;
    if (asked.row_wise || asked.least_volume || asked.path || !asked.grid.empty()) return {};
    const int dims = dims_of(problem);
    const int node = machine.ranks_per_node;
    if (choice.shrink > 0) ranks = choice.shrink;
    std::vector<Decomposition> result = {decomposition::slab};
    const auto add = [&](std::vector<int> grid) {
        if (std::count(grid.begin(), grid.end(), 1) > 0) return;
        const int cuts = static_cast<int>(grid.size());
        result.push_back({cuts, std::move(grid)});
    };
    if (dims >= 3) {
        add(near_square(ranks, 2));
        if (ranks % node == 0) add({ranks / node, node});
    }
    if (dims >= 2) add(near_square(ranks, dims));
    std::erase_if(result, [&](const Decomposition& way) {
        return way == asked || (asked.cuts && asked.cuts != way.cuts);
    });
    return result;
}

}  // namespace weft::core
