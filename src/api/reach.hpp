// Whether the messages of a plan may be sent from the memory of its device.
#pragma once

#include <mpi.h>

#include "device/device.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"

namespace weft {

/// Collective: whether MPI on all ranks reaches the device. Throws Error(bad_request) with the
/// reason if it does not, though the plan says that messages travel directly, and some by MPI. Says
/// so on stderr once in a process if MPI claims what it does not do. `device`: that on which this
/// rank computes; null on a rank of the host beside those of the plan's device.
bool agreed_reach(MPI_Comm comm, int rank, const core::Plan& plan, core::Device* device,
                  const core::Environment& environment);

}  // namespace weft
