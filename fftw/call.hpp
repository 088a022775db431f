// A call of FFTW's MPI planner as a value, and the weft problem that is the same transform.
//
// Example: plan_dft_r2c_3d(8, 6, 4, in, out, comm, FFTW_MPI_TRANSPOSED_OUT) on 2 ranks. Rank 0 has
// rows 0 to 3 of axis 0, each line of 4 reals in the room of 6, and gets columns 0 to 2 of axis 1
// in the order 1, 0, 2:  r2c:f64:8x6x4 in=slab(0)@012+(0,0,2) out=slab(1)@102 cut=block
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "weft/problem.hpp"

namespace weft::fftw {

enum class Family { dft, r2c, c2r, r2r, transpose };

/// The arguments of plan_many_*, to which the simpler planners lead.
struct Call {
    const char* name;  ///< of the function that the program called, after fftw_mpi_
    Family family;
    Precision precision;
    int dims;            ///< as the program gave it, so perhaps wrong
    const ptrdiff_t* n;  ///< lengths, slowest first; transpose: rows and columns
    ptrdiff_t howmany;   ///< interleaved fields; transpose: reals in an element
    ptrdiff_t in_block;  ///< 0: FFTW's default
    ptrdiff_t out_block;
    void* in;
    void* out;
    MPI_Comm comm;
    int sign;
    unsigned flags;
    std::vector<int> kinds{};  ///< r2r: FFTW's number of each axis's kind
};

/// The same transform for weft, or the reason why FFTW keeps it.
struct Mapping {
    Problem problem{};
    bool backward = false;  ///< the problem's backward direction: FFTW_BACKWARD of dft
    std::string refusal{};  ///< empty: weft does it
};

/// Local. A call with wrong arguments is refused, so that FFTW judges it.
Mapping map(const Call& call, int ranks, bool in_place);

/// The direction of weft's transform is backward.
bool is_backward(const Call& call);

/// Local. Whether the rank owns elements at either end of a transform that weft may do.
bool has_part(const Call& call, int rank, int ranks);

/// `name 8x6x4*3`, for the log.
std::string to_string(const Call& call);

/// Local. What the ranks have to agree on, without the rigour of planning and with blocks as they
/// come out: `r2c:f64 8x6x4, blocks 4 3, FFTW_MPI_TRANSPOSED_OUT`.
std::string meaning(const Call& call, int ranks, bool in_place);

}  // namespace weft::fftw
