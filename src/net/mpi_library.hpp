// Which MPI this is.
#pragma once

#include <string>

namespace weft::core {

/// The name and version of the MPI library, of all that it says of itself: `Open MPI v4.1.4`. Works
/// before MPI is initialised.
std::string mpi_library();

}  // namespace weft::core
