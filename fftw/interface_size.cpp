// FFTW's local sizes. Parts of axes are those of weft's plans, which are FFTW's too; FFTW 3.3.10
// reports others only where one block of the caller's is all of axis 1. An array has the room that
// weft needs or FFTW, which may run the plan, whichever is more.
#include <algorithm>
#include <cstdio>

#include "behind.hpp"
#include "local_size.hpp"
#include "names.hpp"
#include "settings.hpp"

using namespace weft::fftw;

namespace {

/// The whole answer; without `block1` that of local_size_many.
ptrdiff_t report(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                 std::optional<ptrdiff_t> block1, MPI_Comm comm, ptrdiff_t* parts[4]) {
    ptrdiff_t room = 0;
    // FFTW's local_size_many calls the function that it finds under this name: this library's.
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(local_size_many_transposed))) {
        const ptrdiff_t whole = dims > 1 ? n[1] : FFTW_MPI_DEFAULT_BLOCK;
        room = own(dims, n, howmany, block0, block1.value_or(whole), comm, parts[0], parts[1],
                   parts[2], parts[3]);
        // One-dimensional transforms are FFTW's, and all are with WEFT_FFTW=off.
        if (dims < 2 || settings().mode == Mode::off) return room;
    }
    const LocalSize size = local_size(dims, n, howmany, block0, block1, comm);
    *parts[0] = size.axis0.count;
    *parts[1] = size.axis0.start;
    *parts[2] = size.axis1.count;
    *parts[3] = size.axis1.start;
    return std::max(size.elements, room);
}

}  // namespace

WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many_transposed)(
    int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0, ptrdiff_t block1,
    MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
    ptrdiff_t* local_1_start) {
    ptrdiff_t* parts[] = {local_n0, local_0_start, local_n1, local_1_start};
    return report(rnk, n, howmany, block0, block1, comm, parts);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many)(int rnk, const ptrdiff_t* n,
                                                          ptrdiff_t howmany, ptrdiff_t block0,
                                                          MPI_Comm comm, ptrdiff_t* local_n0,
                                                          ptrdiff_t* local_0_start) {
    ptrdiff_t unused[2];
    ptrdiff_t* parts[] = {local_n0, local_0_start, &unused[0], &unused[1]};
    return report(rnk, n, howmany, block0, std::nullopt, comm, parts);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_transposed)(int rnk, const ptrdiff_t* n,
                                                                MPI_Comm comm, ptrdiff_t* local_n0,
                                                                ptrdiff_t* local_0_start,
                                                                ptrdiff_t* local_n1,
                                                                ptrdiff_t* local_1_start) {
    return WEFT_FFTW_MPI(local_size_many_transposed)(rnk, n, 1, FFTW_MPI_DEFAULT_BLOCK,
                                                     FFTW_MPI_DEFAULT_BLOCK, comm, local_n0,
                                                     local_0_start, local_n1, local_1_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size)(int rnk, const ptrdiff_t* n, MPI_Comm comm,
                                                     ptrdiff_t* local_n0,
                                                     ptrdiff_t* local_0_start) {
    return WEFT_FFTW_MPI(local_size_many)(rnk, n, 1, FFTW_MPI_DEFAULT_BLOCK, comm, local_n0,
                                          local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm,
                                                        ptrdiff_t* local_n0,
                                                        ptrdiff_t* local_0_start) {
    const ptrdiff_t n[] = {n0, n1};
    return WEFT_FFTW_MPI(local_size)(2, n, comm, local_n0, local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_2d_transposed)(
    ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
    ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
    const ptrdiff_t n[] = {n0, n1};
    return WEFT_FFTW_MPI(local_size_transposed)(2, n, comm, local_n0, local_0_start, local_n1,
                                                local_1_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                        MPI_Comm comm, ptrdiff_t* local_n0,
                                                        ptrdiff_t* local_0_start) {
    const ptrdiff_t n[] = {n0, n1, n2};
    return WEFT_FFTW_MPI(local_size)(3, n, comm, local_n0, local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_3d_transposed)(
    ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm, ptrdiff_t* local_n0,
    ptrdiff_t* local_0_start, ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
    const ptrdiff_t n[] = {n0, n1, n2};
    return WEFT_FFTW_MPI(local_size_transposed)(3, n, comm, local_n0, local_0_start, local_n1,
                                                local_1_start);
}

// One-dimensional transforms are FFTW's alone, and so are their distributions.
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many_1d)(
    ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t* local_ni,
    ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start) {
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(local_size_many_1d))) {
        return own(n0, howmany, comm, sign, flags, local_ni, local_i_start, local_no,
                   local_o_start);
    }
    std::fprintf(stderr, "weft: " WEFT_FFTW_PREFIX
                         "mpi_local_size_many_1d: one-dimensional transforms need FFTW's MPI "
                         "library, which is not there\n");
    *local_ni = *local_i_start = *local_no = *local_o_start = 0;
    return 0;
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign,
                                                        unsigned flags, ptrdiff_t* local_ni,
                                                        ptrdiff_t* local_i_start,
                                                        ptrdiff_t* local_no,
                                                        ptrdiff_t* local_o_start) {
    return WEFT_FFTW_MPI(local_size_many_1d)(n0, 1, comm, sign, flags, local_ni, local_i_start,
                                             local_no, local_o_start);
}
