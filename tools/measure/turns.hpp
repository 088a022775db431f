// Short collective calls, timed in turns.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

namespace weft::cli {

/// How long calls are repeated: the same on all ranks.
struct Budget {
    double seconds = 1;  ///< for all of them together
    int repeats = 0;     ///< exactly so many instead, unless 0
    /// Called by each rank after each round, in which no call is timed; empty: nothing is called.
    std::function<void()> after_round{};
};

/// Seconds of the slowest rank, repeat by repeat.
struct CallTimes {
    std::vector<double> with_barrier;     ///< all ranks start together: what the call itself takes
    std::vector<double> without_barrier;  ///< straight after another call, whose imbalance adds
};

/// Runs each call once in every round, first all of them after barriers, then all without, after
/// some rounds that are not counted. The order is drawn for each round, the same on all ranks, so
/// that none always follows the same other one. Collective.
std::vector<CallTimes> take_turns(const std::vector<std::function<void()>>& calls,
                                  const Budget& budget, MPI_Comm comm);

}  // namespace weft::cli
