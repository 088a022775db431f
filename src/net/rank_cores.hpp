// How many cores of its node a rank has for its threads.
#pragma once

#include <mpi.h>

#include "base/topology.hpp"

namespace weft::core {

/// Collective. The threads that each rank may keep busy without taking a core from another rank of
/// the communicator: the least of all ranks. Ranks that may run on the same cores share them
/// evenly. `nodes`: of the communicator. 1 where MPI was not initialised for more than one thread.
///
/// Example: a node of 8 cores. Four ranks that the launcher has bound to two cores each have 2, and
/// so have four that are bound to none; four that are bound to one each have 1.
int cores_of_each_rank(MPI_Comm comm, const Topology& nodes);

}  // namespace weft::core
