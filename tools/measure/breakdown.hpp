// Where the time of a transform goes, as [song] Fig. 8 shows it, and when.
#pragma once

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "measure/contender.hpp"

namespace weft::cli {

/// Seconds by what they were for, in the order in which that comes first: medians over the repeats
/// of the mean over the ranks. Nothing from contenders that cannot be looked into. Collective.
std::vector<std::pair<std::string, double>> breakdown(Contender& contender, bool backward,
                                                      int repeat, MPI_Comm comm);
/// A line for each contender, in milliseconds, both directions. Collective; empty but on rank 0.
std::string breakdown_table(Contender& contender, int repeat, MPI_Comm comm);

/// One run in each direction as a Chrome trace (JSON, for chrome://tracing or Perfetto): a process
/// for each rank, operations with their times in microseconds since the ranks started together.
/// Collective; empty but on rank 0.
std::string chrome_trace(Contender& contender, MPI_Comm comm);

}  // namespace weft::cli
