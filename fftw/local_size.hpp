// Local sizes: what a rank has of an array, and the room that its array must give. The boxes of
// weft's plans (call.cpp) come from the same blocks.
//
// Example: 6x5x4 on 2 ranks with blocks of 3 along axis 0 and 5 along axis 1. Both ranks have 3 of
// axis 0, 60 elements. In transposed order rank 0 has all 5 of axis 1, 120 elements, and rank 1
// nothing: 120 and 60 elements of room.
#pragma once

#include <mpi.h>

#include <optional>

#include "blocks.hpp"

namespace weft::fftw {

struct LocalSize {
    Part axis0;              ///< in natural order
    Part axis1;              ///< in transposed order
    ptrdiff_t elements = 0;  ///< that an array must hold, fields included; at least 1 for each
};

/// Local. The arguments of local_size_many_transposed; without `block1` those of local_size_many,
/// whose arrays are in natural order only.
LocalSize local_size(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                     std::optional<ptrdiff_t> block1, MPI_Comm comm);

}  // namespace weft::fftw
