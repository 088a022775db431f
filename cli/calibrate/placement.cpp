#include "calibrate/placement.hpp"

#include <algorithm>

#include "net/mpi_error.hpp"
#include "net/node_ranks.hpp"

namespace weft::cli {

Placement placement(MPI_Comm comm) {
    const core::Topology topology = core::NodeRanks(comm).topology(comm);
    int ranks = 0;
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    std::vector<int> firsts;
    std::vector<int> sizes;
    Placement result;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto known = std::find_if(firsts.begin(), firsts.end(),
                                        [&](int first) { return topology.same_node(first, rank); });
        const auto node = static_cast<std::size_t>(known - firsts.begin());
        if (known == firsts.end()) {
            firsts.push_back(rank);
            sizes.push_back(0);
        }
        result.node.push_back(static_cast<int>(node));
        result.place.push_back(sizes[node]++);
    }
    result.nodes = static_cast<int>(firsts.size());
    result.ranks_per_node = *std::max_element(sizes.begin(), sizes.end());
    return result;
}

}  // namespace weft::cli
