// Whether all ranks make one call of the planner. FFTW's planner waits for ever where they do not,
// so every call is compared before weft or FFTW plans it.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

#include "call.hpp"

namespace weft::fftw {

/// `the ranks disagree on the call: rank 0 has '..', rank 1 has '..'`: thrown on all ranks or on
/// none, and never followed by FFTW's planner.
struct Disagreement : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Collective. Throws Disagreement unless every rank has this text.
void require_same(MPI_Comm comm, const char* what, const std::string& text);

/// Collective. Whether the ranks gave one array for both ends; throws Disagreement if some did and
/// others did not. A rank that owns nothing at either end may have given anything.
bool is_in_place(const Call& call);

/// Collective. Whether it is so on some rank.
bool on_any_rank(MPI_Comm comm, bool here);

}  // namespace weft::fftw
