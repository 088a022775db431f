// FFTW's local sizes, computed without FFTW.
#pragma once

#include <mpi.h>

#include "blocks.hpp"

namespace weft::fftw {

struct LocalSize {
    Part in;                 ///< of axis 0
    Part out;                ///< of axis 1 in transposed order; the whole axis if it is one block
    ptrdiff_t elements = 0;  ///< that an array must hold, fields included; at least 1 for each
};

/// Local. The arguments of local_size_many_transposed.
LocalSize local_size(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                     ptrdiff_t block1, MPI_Comm comm);

/// The same without MPI.
LocalSize local_size_of(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                        ptrdiff_t block1, int rank, int ranks);

}  // namespace weft::fftw
