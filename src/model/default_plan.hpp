// The plans that weft makes where nobody hands in an objective: of least predicted time on a
// machine.
//
// They are the same wherever and whenever they are made: the default machine is compiled in, and
// nothing is measured. A complete text names its way through the distributions, so it gives its
// plan by any objective.
#pragma once

#include <optional>

#include "model/machine.hpp"
#include "plan/objective.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// The one that the choice's decomposition asks for; otherwise predicted time. Without a machine on
/// the default one.
Objective default_objective(const Problem& problem, const Choice& choice,
                            const std::optional<Machine>& machine = {});

Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const std::optional<Machine>& machine = {});
Plan default_plan(const PlanRequest& request, int ranks,
                  const std::optional<Machine>& machine = {});

}  // namespace weft::core
