// The engines that every rank can compute with.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "weft/choice.hpp"

namespace weft {

/// Local. The engine of the choice, complete; throws as core::resolve_engine does.
std::string engine_of(const Choice& choice);
/// Local. Those of the choice's device, or of the host that are built in and whose library is there;
/// the default first. Without `reference`, which is for checking and never the fastest.
std::vector<std::string> usable_engines(const Choice& choice);
/// Collective. Those that are usable on all ranks.
std::vector<std::string> engines_of_all(MPI_Comm comm, const Choice& choice);

}  // namespace weft
