// weft's wisdom between the ranks of a communicator. Nothing is done with WEFT_FFTW=off.
#pragma once

#include <mpi.h>

namespace weft::fftw {

/// Collective. Rank 0 learns what the others know.
void gather_wisdom(MPI_Comm comm);

/// Collective. All ranks learn what rank 0 knows.
void broadcast_wisdom(MPI_Comm comm);

}  // namespace weft::fftw
