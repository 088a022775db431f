// Where the time of a transform goes.
#pragma once

#include <array>
#include <vector>

#include "run/executor.hpp"

namespace weft::core {

/// What an operation is done for. A block that a rank copies for itself while its messages travel
/// belongs to the exchange; other: scaling, and permutations that serve no exchange.
enum class Part { fft, pack, exchange, unpack, other };

/// The part of each operation of a program.
std::vector<Part> parts(const Program& program);

/// The seconds of one run on one rank.
struct Profile {
    double total = 0;
    std::array<double, 5> seconds{};  ///< by Part

    [[nodiscard]] double of(Part part) const { return seconds[static_cast<std::size_t>(part)]; }
};

/// Runs a program as Transform does, with a look at the clock between operations: the seconds of
/// each. Collective.
std::vector<double> seconds_of_operations(Executor& executor);

/// Runs a program as Transform does, with a look at the clock between operations; `parts` are those
/// of the executor's program. Collective.
Profile profile(Executor& executor, const std::vector<Part>& parts);

}  // namespace weft::core
