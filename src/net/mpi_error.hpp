// MPI return codes as weft errors.
#pragma once

#include <mpi.h>

#include <array>
#include <string>

#include "base/index.hpp"
#include "weft/error.hpp"

namespace weft::core {

/// Throws Error(system) with MPI's own text unless the call succeeded.
inline void check_mpi(int status, const char* call) {
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error(ErrorCode::system,
                std::string(call) + " failed: " + std::string(text.data(), usize(length)));
}

/// Whether nothing of MPI's may be freed any more.
inline bool mpi_is_finalised() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    return finalised != 0;
}

}  // namespace weft::core
