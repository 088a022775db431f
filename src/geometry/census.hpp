// How the elements of a distribution are spread: how many ranks own some, and which has most.
#pragma once

#include "geometry/distribution.hpp"

namespace weft::core {

/// The ranks that own elements. Costs the axes of an assignment, the ranks of a list.
Index owners(const Distribution& distribution);

/// A rank that owns most. Of an assignment's balanced parts the last one is a largest, of blocks
/// the first one.
int fullest_rank(const Distribution& distribution);

}  // namespace weft::core
