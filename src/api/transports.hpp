// Whether a plan's redistributions can travel here.
#pragma once

#include "plan/plan.hpp"

namespace weft {

/// Throws Error(not_available) if a move goes by a transport that this build lacks, or its messages
/// need more of MPI than it gives.
void require_transports(const core::Plan& plan);

}  // namespace weft
