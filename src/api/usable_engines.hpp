// The engines that every rank can compute with.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "weft/choice.hpp"

namespace weft {

/// Local. Those of the space's device, or of the host that are built in and whose library is there;
/// the default first. Without `reference`, which is for checking and never the fastest.
std::vector<std::string> usable_engines(const Space& space);
/// Collective. Those that are usable on all ranks.
std::vector<std::string> engines_of_all(MPI_Comm comm, const Space& space);

}  // namespace weft
