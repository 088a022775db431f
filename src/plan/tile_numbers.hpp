// How large the tiles and sub-tiles of a plan are, and how often a rank polls, where a tiling
// leaves that open ([song] section 4.4); and that they are not too many.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Completes the tiling, whose axis is known, for the stages of the plan's pipeline, and gives the
/// pipeline its levels. `asked`: the tiling to quote in errors.
/// Throws Error(bad_request) if a rank's program would have more than 2^20 tiles, sub-tiles or
/// polls, or sub-tiles are given where there are none.
void complete_tiling(Plan& plan, const Tiling& asked, Tiling& tiling);

}  // namespace weft::core
