// How redistributions can travel here.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft {

/// Throws Error(not_available) if a redistribution goes by a transport that this build lacks, or its messages
/// need more of MPI than it gives.
void require_transports(const core::Plan& plan);

/// Collective. The named methods whose needs are met on all ranks for plans that are computed
/// there: they may depend on a rank's machine.
std::vector<std::string> methods_of_all(MPI_Comm comm, const Choice& choice);

}  // namespace weft
