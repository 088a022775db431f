// The planners of real data: r2c, c2r, and the real-to-real kinds.
#include "interface_plan.hpp"

using namespace weft::fftw;

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft_r2c)(int rnk, const ptrdiff_t* n,
                                                           ptrdiff_t howmany, ptrdiff_t iblock,
                                                           ptrdiff_t oblock, Real* in,
                                                           FftwComplex* out, MPI_Comm comm,
                                                           unsigned flags) {
    return plan_r2c("plan_many_dft_r2c", {rnk, n, howmany, iblock, oblock}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c)(int rnk, const ptrdiff_t* n, Real* in,
                                                      FftwComplex* out, MPI_Comm comm,
                                                      unsigned flags) {
    return plan_r2c("plan_dft_r2c", {rnk, n}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                         FftwComplex* out, MPI_Comm comm,
                                                         unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    return plan_r2c("plan_dft_r2c_2d", {2, n}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                         Real* in, FftwComplex* out, MPI_Comm comm,
                                                         unsigned flags) {
    const ptrdiff_t n[] = {n0, n1, n2};
    return plan_r2c("plan_dft_r2c_3d", {3, n}, in, out, comm, flags);
}

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft_c2r)(int rnk, const ptrdiff_t* n,
                                                           ptrdiff_t howmany, ptrdiff_t iblock,
                                                           ptrdiff_t oblock, FftwComplex* in,
                                                           Real* out, MPI_Comm comm,
                                                           unsigned flags) {
    return plan_c2r("plan_many_dft_c2r", {rnk, n, howmany, iblock, oblock}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r)(int rnk, const ptrdiff_t* n, FftwComplex* in,
                                                      Real* out, MPI_Comm comm, unsigned flags) {
    return plan_c2r("plan_dft_c2r", {rnk, n}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1,
                                                         FftwComplex* in, Real* out, MPI_Comm comm,
                                                         unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    return plan_c2r("plan_dft_c2r_2d", {2, n}, in, out, comm, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                         FftwComplex* in, Real* out, MPI_Comm comm,
                                                         unsigned flags) {
    const ptrdiff_t n[] = {n0, n1, n2};
    return plan_c2r("plan_dft_c2r_3d", {3, n}, in, out, comm, flags);
}

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_r2r)(int rnk, const ptrdiff_t* n,
                                                       ptrdiff_t howmany, ptrdiff_t iblock,
                                                       ptrdiff_t oblock, Real* in, Real* out,
                                                       MPI_Comm comm, const FftwKind* kind,
                                                       unsigned flags) {
    return plan_r2r("plan_many_r2r", {rnk, n, howmany, iblock, oblock}, in, out, comm, kind, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r)(int rnk, const ptrdiff_t* n, Real* in, Real* out,
                                                  MPI_Comm comm, const FftwKind* kind,
                                                  unsigned flags) {
    return plan_r2r("plan_r2r", {rnk, n}, in, out, comm, kind, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                     Real* out, MPI_Comm comm, FftwKind kind0,
                                                     FftwKind kind1, unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    const FftwKind kinds[] = {kind0, kind1};
    return plan_r2r("plan_r2r_2d", {2, n}, in, out, comm, kinds, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                     Real* in, Real* out, MPI_Comm comm,
                                                     FftwKind kind0, FftwKind kind1, FftwKind kind2,
                                                     unsigned flags) {
    const ptrdiff_t n[] = {n0, n1, n2};
    const FftwKind kinds[] = {kind0, kind1, kind2};
    return plan_r2r("plan_r2r_3d", {3, n}, in, out, comm, kinds, flags);
}
