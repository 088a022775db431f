// What copies and serial transforms take here, while all ranks do the same.
#pragma once

#include <mpi.h>

#include <string>

#include "model/machine.hpp"

namespace weft::cli {

/// Sets `memory` and `engines`, each figure with `source`. Ranks that share a core are as slow as
/// that makes them: unlike `weft engines`, this takes the time that passes. Takes about so many
/// seconds. Collective.
void measure_memory(double seconds, MPI_Comm comm, const std::string& source,
                    core::Machine& machine);
void measure_engines(double seconds, MPI_Comm comm, const std::string& source,
                     core::Machine& machine);

}  // namespace weft::cli
