// Which transforms of this process are started.
#pragma once

#include <memory>

#include "run/started.hpp"

namespace weft {

/// The list of this process, of whatever communicators they are. It is an attribute of
/// MPI_COMM_SELF, and goes in MPI_Finalize, or with the last who holds it. Local.
std::shared_ptr<core::Started> started_of_process();

}  // namespace weft
