// FFTW's local sizes and wisdom as Fortran 2003 calls them (fftw3-mpi.f03): the communicator is
// Fortran's integer. Lengths come in C's order, the slowest first.
#include "names.hpp"

using namespace weft::fftw;

WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many_transposed_f03)(
    int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0, ptrdiff_t block1,
    MPI_Fint comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
    ptrdiff_t* local_1_start) {
    return WEFT_FFTW_MPI(local_size_many_transposed)(rnk, n, howmany, block0, block1,
                                                     MPI_Comm_f2c(comm), local_n0, local_0_start,
                                                     local_n1, local_1_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many_f03)(int rnk, const ptrdiff_t* n,
                                                              ptrdiff_t howmany, ptrdiff_t block0,
                                                              MPI_Fint comm, ptrdiff_t* local_n0,
                                                              ptrdiff_t* local_0_start) {
    return WEFT_FFTW_MPI(local_size_many)(rnk, n, howmany, block0, MPI_Comm_f2c(comm), local_n0,
                                          local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_transposed_f03)(
    int rnk, const ptrdiff_t* n, MPI_Fint comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
    ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
    return WEFT_FFTW_MPI(local_size_transposed)(rnk, n, MPI_Comm_f2c(comm), local_n0, local_0_start,
                                                local_n1, local_1_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_f03)(int rnk, const ptrdiff_t* n, MPI_Fint comm,
                                                         ptrdiff_t* local_n0,
                                                         ptrdiff_t* local_0_start) {
    return WEFT_FFTW_MPI(local_size)(rnk, n, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_many_1d_f03)(
    ptrdiff_t n0, ptrdiff_t howmany, MPI_Fint comm, int sign, unsigned flags, ptrdiff_t* local_ni,
    ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start) {
    return WEFT_FFTW_MPI(local_size_many_1d)(n0, howmany, MPI_Comm_f2c(comm), sign, flags, local_ni,
                                             local_i_start, local_no, local_o_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_1d_f03)(ptrdiff_t n0, MPI_Fint comm, int sign,
                                                            unsigned flags, ptrdiff_t* local_ni,
                                                            ptrdiff_t* local_i_start,
                                                            ptrdiff_t* local_no,
                                                            ptrdiff_t* local_o_start) {
    return WEFT_FFTW_MPI(local_size_1d)(n0, MPI_Comm_f2c(comm), sign, flags, local_ni,
                                        local_i_start, local_no, local_o_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_2d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                            MPI_Fint comm, ptrdiff_t* local_n0,
                                                            ptrdiff_t* local_0_start) {
    return WEFT_FFTW_MPI(local_size_2d)(n0, n1, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_2d_transposed_f03)(
    ptrdiff_t n0, ptrdiff_t n1, MPI_Fint comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
    ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
    return WEFT_FFTW_MPI(local_size_2d_transposed)(n0, n1, MPI_Comm_f2c(comm), local_n0,
                                                   local_0_start, local_n1, local_1_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_3d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                            ptrdiff_t n2, MPI_Fint comm,
                                                            ptrdiff_t* local_n0,
                                                            ptrdiff_t* local_0_start) {
    return WEFT_FFTW_MPI(local_size_3d)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
WEFT_FFTW_PUBLIC ptrdiff_t WEFT_FFTW_MPI(local_size_3d_transposed_f03)(
    ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Fint comm, ptrdiff_t* local_n0,
    ptrdiff_t* local_0_start, ptrdiff_t* local_n1, ptrdiff_t* local_1_start) {
    return WEFT_FFTW_MPI(local_size_3d_transposed)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0,
                                                   local_0_start, local_n1, local_1_start);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(gather_wisdom_f03)(MPI_Fint comm) {
    WEFT_FFTW_MPI(gather_wisdom)(MPI_Comm_f2c(comm));
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(broadcast_wisdom_f03)(MPI_Fint comm) {
    WEFT_FFTW_MPI(broadcast_wisdom)(MPI_Comm_f2c(comm));
}
