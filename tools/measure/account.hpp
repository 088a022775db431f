// Where the time of weft's transform goes, operation by operation: memory and arithmetic.
#pragma once

#include <mpi.h>

#include <string>

#include "measure/contender.hpp"

namespace weft::cli {

/// A table of rank 0's operations, both directions: medians of `repeat` runs, bytes, their rate
/// over that of a plain copy made by all ranks at once, and arithmetic over the rate of the
/// engine's lines of the same lengths in the cache. Collective.
std::string account_table(Contender& contender, int repeat, MPI_Comm comm);

}  // namespace weft::cli
