// Whether contenders compute the same, before their times are compared.
#pragma once

#include <mpi.h>

#include "measure/race.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::cli {

/// Transforms one random signal with every contender, there and back. The spectra and what comes
/// back are compared by their scalar products with random numbers, to which every element adds by
/// its global index, however it is distributed and stored. Throws Error(wrong_result). Collective.
/// `wire`: what numbers weft sends.
void check_same_results(const Problem& problem, Wire wire, const Contenders& contenders,
                        MPI_Comm comm);

}  // namespace weft::cli
