// How the least of a function is looked for whose values have to be measured: ask and tell.
//
// A strategy knows positions, never what they stand for. Whoever runs it asks for a position,
// measures there and tells what came out, until the strategy asks for nothing more:
//
//     while (const std::optional<Position> next = strategy.ask()) strategy.tell(seconds_at(*next));
//
// Example: two numbers, each on a scale of three values, have the positions {0, 0} to {2, 2}. Of
// contestants that have nothing but a number the position is {number}.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "base/no_copy.hpp"

namespace weft::core {

/// A step on each of some scales, counted from 0.
using Position = std::vector<int>;

/// What is told of a position that cannot be run.
inline constexpr double infeasible = std::numeric_limits<double>::infinity();

class Strategy : NoCopy {
  public:
    virtual ~Strategy() = default;

    /// Where to measure next; nothing once the search has ended. Asking again without a tell gives
    /// the same answer.
    virtual std::optional<Position> ask() = 0;
    /// What was measured at the position that was asked for last.
    virtual void tell(double value) = 0;
};

}  // namespace weft::core
