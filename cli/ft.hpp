// The NAS Parallel Benchmark FT: a diffusion equation solved by three-dimensional transforms.
#pragma once

#include <mpi.h>

#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

struct FtOptions {
    char problem_class = 'S';  ///< S, W, A, B or C
    std::string choice;        ///< as parse_choice reads it; empty: the planner chooses
    LayoutRequest in;          ///< of the field
    LayoutRequest out;         ///< of the spectrum
    bool json = false;         ///< one JSON document instead of lines
};

/// Collective. Runs one class, prints its checksums, verdict, time and rate on rank 0, and returns
/// on every rank whether all checksums agree with the published ones to 1e-12.
/// Throws Error(bad_request) if there is no such class, and what Plan and bind throw.
bool run_ft(const FtOptions& options, MPI_Comm comm);

}  // namespace weft::cli
