// Which transforms of this process are started.
#pragma once

#include <memory>

#include "run/in_flight.hpp"

namespace weft {

/// The list of this process, of whatever communicators they are. It is an attribute of
/// MPI_COMM_SELF, and goes in MPI_Finalize, or with the last who holds it. Local.
std::shared_ptr<core::InFlight> in_flight_of_process();

}  // namespace weft
