// Whether weft or FFTW runs a transform: the decision of every planner call.
#pragma once

#include <functional>

#include "call.hpp"

namespace weft::fftw {

/// Collective over the call's communicator. A handle of weft's plan; or, where weft does not do it,
/// what `pass_on` returns, FFTW's plan. `pass_on` is empty if FFTW's MPI library is not there:
/// then the result is null and stderr says why. So it is on all ranks if they make different calls;
/// neither weft nor FFTW plans these. With WEFT_FFTW_LOG rank 0 prints who runs it.
void* make_plan(const Call& call, const std::function<void*()>& pass_on);

/// fftw_set_timelimit: seconds for planning; negative: no limit.
void set_time_limit(double seconds);

}  // namespace weft::fftw
