// FFTW's MPI transpose as a channel.
#pragma once

#include "net/mpi.hpp"

namespace weft::core {

/// A channel that transposes the matrix; the plan stays with the group's communicator, because FFTW
/// frees plans collectively. Throws Error(not_available) where FFTW's MPI library is not built in.
std::unique_ptr<Channel> open_fftw_transpose(const Ends& ends, const MatrixTask& matrix);
/// Why it is not built in, and what would help; empty if it is.
std::string why_no_fftw_mpi();

}  // namespace weft::core
