// The values of one number that is looked for.
//
// Example: tiles along an axis of 24 elements have 1, 2, 4, 8, 16 or 24 elements ([song] section
// 4.4): powers of two, and both ends whether they are one or not.
#pragma once

#include <vector>

#include "weft/box.hpp"

namespace weft::core {

/// Ascending, low <= high, low >= 0; of 0, which has no logarithm, the next value is 1.
std::vector<Index> log_scale(Index low, Index high);

/// Every integer.
std::vector<Index> linear_scale(Index low, Index high);

/// The step of the value that is nearest in ratio; of two the lower one.
int nearest_step(const std::vector<Index>& scale, Index value);

}  // namespace weft::core
