// How large the tiles and sub-tiles of a plan are, and how often a rank polls, where a tiling
// leaves that open ([song] section 4.4); and that they are not too many.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// A tiling that leaves nothing open, and the levels of the pipeline.
struct CompleteTiling {
    Tiling tiling;
    std::vector<TileLevel> levels;
};

/// Completes a tiling along that axis of the array, for the stages of the plan's pipeline.
/// Throws Error(bad_request) if a rank's program would have more than 2^20 tiles, sub-tiles or
/// polls, or sub-tiles are given where there are none.
CompleteTiling complete_tiling(const Plan& plan, const Tiling& asked, int axis);

}  // namespace weft::core
