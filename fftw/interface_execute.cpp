// The functions that take a plan: weft's own or FFTW's.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "behind.hpp"
#include "handles.hpp"
#include "names.hpp"
#include "planner.hpp"

using namespace weft::fftw;

namespace {

/// Runs weft's plan on these arrays; false: it is not weft's.
bool run(const void* handle, void* in, void* out) {
    WeftPlan* plan = find_plan(handle);
    if (plan == nullptr) return false;
    plan->execute(in, out);
    return true;
}

}  // namespace

WEFT_FFTW_PUBLIC void WEFT_FFTW(execute)(const FftwPlan plan) {
    if (WeftPlan* own = find_plan(plan)) return own->execute();
    WEFT_BEHIND(WEFT_FFTW(execute))(plan);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW(execute_dft)(const FftwPlan plan, FftwComplex* in,
                                             FftwComplex* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW(execute_dft))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW(execute_dft_r2c)(const FftwPlan plan, Real* in, FftwComplex* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW(execute_dft_r2c))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW(execute_dft_c2r)(const FftwPlan plan, FftwComplex* in, Real* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW(execute_dft_c2r))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW(execute_r2r)(const FftwPlan plan, Real* in, Real* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW(execute_r2r))(plan, in, out);
}

// FFTW's MPI plans are plans of execute_r2r inside, whatever they transform.
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(execute_dft)(FftwPlan plan, FftwComplex* in, FftwComplex* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW_MPI(execute_dft))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(execute_dft_r2c)(FftwPlan plan, Real* in, FftwComplex* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW_MPI(execute_dft_r2c))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(execute_dft_c2r)(FftwPlan plan, FftwComplex* in, Real* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW_MPI(execute_dft_c2r))(plan, in, out);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(execute_r2r)(FftwPlan plan, Real* in, Real* out) {
    if (!run(plan, in, out)) WEFT_BEHIND(WEFT_FFTW_MPI(execute_r2r))(plan, in, out);
}

WEFT_FFTW_PUBLIC void WEFT_FFTW(destroy_plan)(FftwPlan plan) {
    if (find_plan(plan) != nullptr) return remove_handle(plan);
    WEFT_BEHIND(WEFT_FFTW(destroy_plan))(plan);
}

WEFT_FFTW_PUBLIC void WEFT_FFTW(flops)(const FftwPlan plan, double* add, double* mul, double* fma) {
    const WeftPlan* own = find_plan(plan);
    if (own == nullptr) return WEFT_BEHIND(WEFT_FFTW(flops))(plan, add, mul, fma);
    *add = own->flops().additions;
    *mul = own->flops().multiplications;
    *fma = 0;
}
WEFT_FFTW_PUBLIC double WEFT_FFTW(estimate_cost)(const FftwPlan plan) {
    const WeftPlan* own = find_plan(plan);
    if (own == nullptr) return WEFT_BEHIND(WEFT_FFTW(estimate_cost))(plan);
    return own->flops().additions + own->flops().multiplications;
}
WEFT_FFTW_PUBLIC double WEFT_FFTW(cost)(const FftwPlan plan) {
    const WeftPlan* own = find_plan(plan);
    if (own == nullptr) return WEFT_BEHIND(WEFT_FFTW(cost))(plan);
    return own->flops().additions + own->flops().multiplications;
}

WEFT_FFTW_PUBLIC void WEFT_FFTW(fprint_plan)(const FftwPlan plan, FILE* file) {
    const WeftPlan* own = find_plan(plan);
    if (own == nullptr) return WEFT_BEHIND(WEFT_FFTW(fprint_plan))(plan, file);
    std::fprintf(file, "(weft %s)", own->text().c_str());
}
WEFT_FFTW_PUBLIC void WEFT_FFTW(print_plan)(const FftwPlan plan) {
    if (find_plan(plan) == nullptr) return WEFT_BEHIND(WEFT_FFTW(print_plan))(plan);
    WEFT_FFTW(fprint_plan)(plan, stdout);
}
/// The program frees the text with free().
WEFT_FFTW_PUBLIC char* WEFT_FFTW(sprint_plan)(const FftwPlan plan) {
    const WeftPlan* own = find_plan(plan);
    if (own == nullptr) return WEFT_BEHIND(WEFT_FFTW(sprint_plan))(plan);
    return strdup(("(weft " + own->text() + ")").c_str());
}

WEFT_FFTW_PUBLIC void WEFT_FFTW(set_timelimit)(double seconds) {
    set_time_limit(seconds);
    WEFT_BEHIND(WEFT_FFTW(set_timelimit))(seconds);
}
