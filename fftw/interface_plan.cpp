// FFTW's MPI planners. The simpler ones are plan_many_* with one field and default blocks, here as
// in FFTW.
#include "interface_plan.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "behind.hpp"
#include "planner.hpp"

namespace weft::fftw {

namespace {

constexpr Precision precision = sizeof(Real) == sizeof(double) ? Precision::f64 : Precision::f32;

/// `function` is FFTW's own, or null where its library is not there.
template <class Function, class... Arguments>
FftwPlan plan(const Call& call, Function* function, Arguments... arguments) {
    std::function<void*()> pass_on;
    if (function != nullptr) pass_on = [=] { return function(arguments...); };
    return static_cast<FftwPlan>(make_plan(call, pass_on));
}

}  // namespace

FftwPlan plan_dft(const char* name, const Shape& shape, FftwComplex* in, FftwComplex* out,
                  MPI_Comm comm, int sign, unsigned flags) {
    const auto& [dims, n, howmany, in_block, out_block] = shape;
    return plan({name, Family::dft, precision, dims, n, howmany, in_block, out_block, in, out, comm,
                 sign, flags},
                WEFT_BEHIND(WEFT_FFTW_MPI(plan_many_dft)), dims, n, howmany, in_block, out_block,
                in, out, comm, sign, flags);
}

FftwPlan plan_r2c(const char* name, const Shape& shape, Real* in, FftwComplex* out, MPI_Comm comm,
                  unsigned flags) {
    const auto& [dims, n, howmany, in_block, out_block] = shape;
    return plan({name, Family::r2c, precision, dims, n, howmany, in_block, out_block, in, out, comm,
                 FFTW_FORWARD, flags},
                WEFT_BEHIND(WEFT_FFTW_MPI(plan_many_dft_r2c)), dims, n, howmany, in_block,
                out_block, in, out, comm, flags);
}

FftwPlan plan_c2r(const char* name, const Shape& shape, FftwComplex* in, Real* out, MPI_Comm comm,
                  unsigned flags) {
    const auto& [dims, n, howmany, in_block, out_block] = shape;
    return plan({name, Family::c2r, precision, dims, n, howmany, in_block, out_block, in, out, comm,
                 FFTW_BACKWARD, flags},
                WEFT_BEHIND(WEFT_FFTW_MPI(plan_many_dft_c2r)), dims, n, howmany, in_block,
                out_block, in, out, comm, flags);
}

FftwPlan plan_r2r(const char* name, const Shape& shape, Real* in, Real* out, MPI_Comm comm,
                  const FftwKind* kind, unsigned flags) {
    const auto& [dims, n, howmany, in_block, out_block] = shape;
    std::vector<int> kinds(kind, kind + std::max(dims, 0));
    return plan({name, Family::r2r, precision, dims, n, howmany, in_block, out_block, in, out, comm,
                 FFTW_FORWARD, flags, std::move(kinds)},
                WEFT_BEHIND(WEFT_FFTW_MPI(plan_many_r2r)), dims, n, howmany, in_block, out_block,
                in, out, comm, kind, flags);
}

FftwPlan plan_transpose(const char* name, const Shape& shape, Real* in, Real* out, MPI_Comm comm,
                        unsigned flags) {
    const auto& [dims, n, howmany, in_block, out_block] = shape;
    return plan({name, Family::transpose, precision, dims, n, howmany, in_block, out_block, in, out,
                 comm, FFTW_FORWARD, flags},
                WEFT_BEHIND(WEFT_FFTW_MPI(plan_many_transpose)), n[0], n[1], howmany, in_block,
                out_block, in, out, comm, flags);
}

}  // namespace weft::fftw

using namespace weft::fftw;

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_dft)(int rnk, const ptrdiff_t* n,
                                                       ptrdiff_t howmany, ptrdiff_t block,
                                                       ptrdiff_t tblock, FftwComplex* in,
                                                       FftwComplex* out, MPI_Comm comm, int sign,
                                                       unsigned flags) {
    return plan_dft("plan_many_dft", {rnk, n, howmany, block, tblock}, in, out, comm, sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft)(int rnk, const ptrdiff_t* n, FftwComplex* in,
                                                  FftwComplex* out, MPI_Comm comm, int sign,
                                                  unsigned flags) {
    return plan_dft("plan_dft", {rnk, n}, in, out, comm, sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_1d)(ptrdiff_t n0, FftwComplex* in,
                                                     FftwComplex* out, MPI_Comm comm, int sign,
                                                     unsigned flags) {
    return plan_dft("plan_dft_1d", {1, &n0}, in, out, comm, sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, FftwComplex* in,
                                                     FftwComplex* out, MPI_Comm comm, int sign,
                                                     unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    return plan_dft("plan_dft_2d", {2, n}, in, out, comm, sign, flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                     FftwComplex* in, FftwComplex* out,
                                                     MPI_Comm comm, int sign, unsigned flags) {
    const ptrdiff_t n[] = {n0, n1, n2};
    return plan_dft("plan_dft_3d", {3, n}, in, out, comm, sign, flags);
}

WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1,
                                                             ptrdiff_t howmany, ptrdiff_t block0,
                                                             ptrdiff_t block1, Real* in, Real* out,
                                                             MPI_Comm comm, unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    return plan_transpose("plan_many_transpose", {2, n, howmany, block0, block1}, in, out, comm,
                          flags);
}
WEFT_FFTW_PUBLIC FftwPlan WEFT_FFTW_MPI(plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, Real* in,
                                                        Real* out, MPI_Comm comm, unsigned flags) {
    const ptrdiff_t n[] = {n0, n1};
    return plan_transpose("plan_transpose", {2, n}, in, out, comm, flags);
}
