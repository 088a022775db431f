// How much of a transposition's time passes unnoticed beside computation.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "cluster/computation.hpp"
#include "cluster/transfers.hpp"
#include "measure/quartiles.hpp"

namespace weft::bench {

/// Of the slowest rank.
struct OverlapTimes {
    std::string way;
    cli::Quartiles seconds;
    cli::Quartiles wait;  ///< for the transposition, with nothing to compute
};

/// The computation alone; after MPI_Alltoall (`blocking`); and between MPI_Ialltoall and MPI_Wait,
/// with each of these numbers of calls of MPI_Test spread over it. All take turns. Collective.
std::vector<OverlapTimes> overlap_times(MPI_Comm comm, Transposition& transposition,
                                        const Computation& computation,
                                        const std::vector<int>& polls, int repeat);

}  // namespace weft::bench
