// FFTW's MPI planners as Fortran 2003 calls them (fftw3-mpi.f03): the communicator is Fortran's
// integer. Lengths come in C's order, the slowest first.
#include "names.hpp"

using namespace weft::fftw;

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_transpose_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                                 ptrdiff_t howmany,
                                                                 ptrdiff_t block0, ptrdiff_t block1,
                                                                 Real* in, Real* out, MPI_Fint comm,
                                                                 unsigned flags) {
    return WEFT_FFTW_MPI(plan_many_transpose)(n0, n1, howmany, block0, block1, in, out,
                                              MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_transpose_f03)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                            Real* out, MPI_Fint comm,
                                                            unsigned flags) {
    return WEFT_FFTW_MPI(plan_transpose)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft_f03)(int rnk, const ptrdiff_t* n,
                                                           ptrdiff_t howmany, ptrdiff_t block,
                                                           ptrdiff_t tblock, FftwComplex* in,
                                                           FftwComplex* out, MPI_Fint comm,
                                                           int sign, unsigned flags) {
    return WEFT_FFTW_MPI(plan_many_dft)(rnk, n, howmany, block, tblock, in, out, MPI_Comm_f2c(comm),
                                        sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_f03)(int rnk, const ptrdiff_t* n, FftwComplex* in,
                                                      FftwComplex* out, MPI_Fint comm, int sign,
                                                      unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft)(rnk, n, in, out, MPI_Comm_f2c(comm), sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_1d_f03)(ptrdiff_t n0, FftwComplex* in,
                                                         FftwComplex* out, MPI_Fint comm, int sign,
                                                         unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_1d)(n0, in, out, MPI_Comm_f2c(comm), sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_2d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                         FftwComplex* in, FftwComplex* out,
                                                         MPI_Fint comm, int sign, unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_3d_f03)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                         FftwComplex* in, FftwComplex* out,
                                                         MPI_Fint comm, int sign, unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_r2r_f03)(int rnk, const ptrdiff_t* n,
                                                           ptrdiff_t howmany, ptrdiff_t iblock,
                                                           ptrdiff_t oblock, Real* in, Real* out,
                                                           MPI_Fint comm, const FftwKind* kind,
                                                           unsigned flags) {
    return WEFT_FFTW_MPI(plan_many_r2r)(rnk, n, howmany, iblock, oblock, in, out,
                                        MPI_Comm_f2c(comm), kind, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r_f03)(int rnk, const ptrdiff_t* n, Real* in,
                                                      Real* out, MPI_Fint comm,
                                                      const FftwKind* kind, unsigned flags) {
    return WEFT_FFTW_MPI(plan_r2r)(rnk, n, in, out, MPI_Comm_f2c(comm), kind, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r_2d_f03)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                         Real* out, MPI_Fint comm, FftwKind kind0,
                                                         FftwKind kind1, unsigned flags) {
    return WEFT_FFTW_MPI(plan_r2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), kind0, kind1, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r_3d_f03)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                         Real* in, Real* out, MPI_Fint comm,
                                                         FftwKind kind0, FftwKind kind1,
                                                         FftwKind kind2, unsigned flags) {
    return WEFT_FFTW_MPI(plan_r2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), kind0, kind1, kind2,
                                      flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft_r2c_f03)(int rnk, const ptrdiff_t* n,
                                                               ptrdiff_t howmany, ptrdiff_t iblock,
                                                               ptrdiff_t oblock, Real* in,
                                                               FftwComplex* out, MPI_Fint comm,
                                                               unsigned flags) {
    return WEFT_FFTW_MPI(plan_many_dft_r2c)(rnk, n, howmany, iblock, oblock, in, out,
                                            MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c_f03)(int rnk, const ptrdiff_t* n, Real* in,
                                                          FftwComplex* out, MPI_Fint comm,
                                                          unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_r2c)(rnk, n, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c_2d_f03)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                             FftwComplex* out, MPI_Fint comm,
                                                             unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_r2c_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c_3d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                             ptrdiff_t n2, Real* in,
                                                             FftwComplex* out, MPI_Fint comm,
                                                             unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_r2c_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft_c2r_f03)(int rnk, const ptrdiff_t* n,
                                                               ptrdiff_t howmany, ptrdiff_t iblock,
                                                               ptrdiff_t oblock, FftwComplex* in,
                                                               Real* out, MPI_Fint comm,
                                                               unsigned flags) {
    return WEFT_FFTW_MPI(plan_many_dft_c2r)(rnk, n, howmany, iblock, oblock, in, out,
                                            MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r_f03)(int rnk, const ptrdiff_t* n,
                                                          FftwComplex* in, Real* out, MPI_Fint comm,
                                                          unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_c2r)(rnk, n, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r_2d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                             FftwComplex* in, Real* out,
                                                             MPI_Fint comm, unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_c2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r_3d_f03)(ptrdiff_t n0, ptrdiff_t n1,
                                                             ptrdiff_t n2, FftwComplex* in,
                                                             Real* out, MPI_Fint comm,
                                                             unsigned flags) {
    return WEFT_FFTW_MPI(plan_dft_c2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}
