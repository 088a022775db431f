// What a choice says of carriers, in a plan. Rewrites: plan -> plan.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Gives the plan's redistributions the carriers of a choice. Throws Error(bad_request) if the plan
/// has no redistribution of that number.
[[nodiscard]] Plan set_carriers(Plan plan, const Choice& choice);
/// Records the carriers of the plan's redistributions in its choice, counted as in the forward
/// plan.
[[nodiscard]] Plan record_carriers(Plan plan);

}  // namespace weft::core
