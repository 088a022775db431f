// Which node each rank is on, for measurements on some of them.
#pragma once

#include <mpi.h>

#include <vector>

namespace weft::cli {

struct Placement {
    std::vector<int> node;   ///< by rank; nodes are numbered by their first ranks
    std::vector<int> place;  ///< by rank: how many ranks before it are on its node
    int nodes = 1;
    int ranks_per_node = 1;  ///< on the fullest node

    [[nodiscard]] int ranks() const { return static_cast<int>(node.size()); }
};

/// Collective.
Placement placement(MPI_Comm comm);

}  // namespace weft::cli
