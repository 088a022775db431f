// Whether the messages of a plan may be sent from the memory of its device.
#pragma once

#include <mpi.h>

#include "device/device.hpp"
#include "weft/choice.hpp"

namespace weft {

/// Collective: whether MPI on all ranks reaches the device. Throws Error(bad_request) with the
/// reason if it does not, though the space says that messages travel directly. Says so on stderr
/// once in a process if MPI claims what it does not do.
bool agreed_reach(MPI_Comm comm, int rank, const Space& space, core::Device& device);

}  // namespace weft
