// Which device all ranks have, for choices that leave that to the model or to tuning.
#pragma once

#include <mpi.h>

#include <optional>

#include "model/machine.hpp"
#include "weft/choice.hpp"

namespace weft {

/// Collective. Where the choice leaves the device open, the machine loses its devices unless all
/// ranks have one of their kind, so that nothing is planned that cannot run.
void leave_out_absent_devices(MPI_Comm comm, const Choice& choice, core::Machine& machine);

/// Collective. Whether MPI reaches the memory of the choice's device from all ranks, or of the
/// machine's if the choice leaves that open; nothing where there is none.
std::optional<bool> mpi_reaches(MPI_Comm comm, const Choice& choice,
                                const std::optional<core::Machine>& described);

}  // namespace weft
