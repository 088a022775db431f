// What a measurement was made on and with.
#pragma once

#include <mpi.h>

#include <string>

namespace weft::cli {

struct Machine {
    std::string processor;  ///< of rank 0, as the system names it
    int cores = 1;          ///< of rank 0's node
    int nodes = 1;
    std::string compiler;
    std::string mpi;
    bool crowded = false;  ///< whether some node has fewer cores than ranks
    int most_ranks = 1;    ///< on one node
};

/// Collective.
Machine machine(MPI_Comm comm);

/// In two lines.
std::string description(const Machine& machine, int ranks);

/// Tells stderr, in a verb's name, that times say little where ranks share cores, and what to do.
void warn_if_crowded(const Machine& machine, const char* verb);

}  // namespace weft::cli
