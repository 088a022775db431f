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
};

/// Collective.
Machine machine(MPI_Comm comm);

/// As the system names it.
std::string processor();
/// The name and version of the MPI library, of all that it says of itself.
std::string mpi_library();
/// The compiler's name and version, and the type of the build.
std::string compiler();

}  // namespace weft::cli
