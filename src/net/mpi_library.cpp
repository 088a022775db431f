#include "net/mpi_library.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace weft::core {

std::string mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string version(text.data());
    // Open MPI goes on with how it was built.
    version.resize(std::min(version.find_first_of(",\n"), version.size()));
    std::replace(version.begin(), version.end(), '\t', ' ');
    return version;
}

}  // namespace weft::core
