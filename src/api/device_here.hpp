// Questions to all ranks about their devices, for choices that leave the answer to the model, to
// tuning or to the devices.
#pragma once

#include <mpi.h>

#include <optional>

#include "model/machine.hpp"
#include "net/node_ranks.hpp"
#include "weft/choice.hpp"

namespace weft {

/// Collective. Where the choice leaves the device open, the machine loses its devices unless all
/// ranks have one of their kind, so that nothing is planned that cannot run.
void leave_out_absent_devices(MPI_Comm comm, const Choice& choice, core::Machine& machine);

/// Collective. Whether MPI reaches the memory of the choice's device from all ranks, or of the
/// machine's if the choice leaves that open; nothing where there is none.
std::optional<bool> mpi_reaches(MPI_Comm comm, const Choice& choice,
                                const std::optional<core::Machine>& described);

/// Collective. Bytes of the device's memory that each rank may take, the same number on all: where
/// the least is free, divided among the ranks of the node that share the device. A sixteenth is
/// left for tables of kernels and for what others take meanwhile. `node`: all ranks of this node.
Index free_device_memory(MPI_Comm comm, const core::NodeRanks& node, const Choice& choice);

}  // namespace weft
