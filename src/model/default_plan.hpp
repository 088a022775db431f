// The plans that weft makes where nobody hands in an objective: of least predicted time on the
// default machine.
//
// They are the same wherever and whenever they are made: the machine is compiled in, and nothing is
// measured. Who has another machine hands predicted_time of it to make_plan. A complete text names
// its way through the distributions, so it gives its plan by any objective.
#pragma once

#include "plan/objective.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// The one that the choice's decomposition asks for; otherwise predicted time.
Objective default_objective(const Problem& problem, const Choice& choice);

Plan default_plan(const Problem& problem, const Choice& choice, int ranks);
Plan default_plan(const PlanRequest& request, int ranks);

}  // namespace weft::core
