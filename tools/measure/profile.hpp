// Where the time of a transform goes.
#pragma once

#include <array>
#include <vector>

#include "run/executor.hpp"

namespace weft::cli {

/// Where an operation's time counts. Elements that a rank keeps are copied while its messages
/// travel, which belongs to the exchange; other: scaling, and reordering that serves no exchange.
enum class Phase { fft, pack, exchange, unpack, other };

Phase phase_of(core::Purpose purpose);
/// The phase of each operation of a program.
std::vector<Phase> phases(const core::Program& program);

/// The seconds of one run on one rank.
struct Profile {
    double total = 0;
    std::array<double, 5> seconds{};  ///< by Phase

    [[nodiscard]] double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
};

/// Runs a program as Transform does, with a look at the clock between operations: the seconds of
/// each. On a device those are what the host takes to put the operation into a queue, and the last
/// one's until all are done. Collective.
std::vector<double> seconds_of_operations(core::Executor& executor);

/// Runs a program as Transform does, with a look at the clock between operations; `phases` are
/// those of the executor's program. Collective.
Profile profile(core::Executor& executor, const std::vector<Phase>& phases);

}  // namespace weft::cli
