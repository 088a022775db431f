// Whether a choice keeps to what a caller has fixed.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Whether putting what the constraint says over a complete choice changes nothing in the plan of
/// the problem on so many ranks. Example: `pencil(2x4,01>02>12)` keeps to `pencil`, as
/// `tile=(axis:2,T:8,W:2,..)` does to `tile=(axis:2)`; `via=send` does not keep to `via=alltoallv`.
/// False also where there is no such plan.
bool keeps_to(const Problem& problem, const Choice& choice, const Choice& constraint, int ranks);

}  // namespace weft::core
