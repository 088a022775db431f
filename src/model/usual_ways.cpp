#include "model/usual_ways.hpp"

#include <algorithm>
#include <utility>

#include "geometry/process_grid.hpp"

namespace weft::core {

std::vector<UsualWay> usual_ways(const Problem& problem, int ranks, const Machine& machine) {
    const int dims = static_cast<int>(problem.shape.size());
    const int node = machine.ranks_per_node;
    std::vector<UsualWay> result = {{"slab", decomposition::slab}};
    const auto add = [&](const char* name, std::vector<int> grid) {
        if (std::count(grid.begin(), grid.end(), 1) > 0) return;
        const int cuts = static_cast<int>(grid.size());
        result.push_back({name, {cuts, std::move(grid)}});
    };
    if (dims >= 3) {
        add("pencil", near_square(ranks, 2));
        if (ranks % node == 0) add("pencil", {ranks / node, node});
    }
    if (dims >= 2) add("brick", near_square(ranks, dims));
    return result;
}

}  // namespace weft::core
