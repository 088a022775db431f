// The plans that weft makes where nobody hands in an objective: of least predicted time on the
// default machine.
//
// They are the same wherever and whenever they are made: the machine is compiled in, and nothing is
// measured. A complete text names its way through the distributions, so it gives its plan by any
// objective. What the choice's space leaves open is chosen by predicted time as well, if the
// machine describes devices (model/space_choice.hpp).
#pragma once

#include <optional>

#include "model/machine.hpp"
#include "plan/objective.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// The one that the choice's decomposition asks for; otherwise predicted time on that machine, or
/// without one on the default machine.
Objective default_objective(const Problem& problem, const Choice& choice,
                            const std::optional<Machine>& machine = {});

Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const std::optional<Machine>& machine = {});
Plan default_plan(const PlanRequest& request, int ranks);

}  // namespace weft::core
