// Which exchange methods a choice leaves to be found by measuring, and what there is to measure.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// Whether via=auto or a via[1]=auto leaves a method to measuring ([duy] section 3.2.3).
bool is_measured(const Choice& choice);
/// The same choice with the default in the place of what is to be measured.
Choice unmeasured(Choice choice);
/// The numbers of the moves, of so many, whose methods are to be measured.
std::vector<int> measured_moves(const Choice& choice, int moves);

/// A move of a plan by itself.
struct Candidate {
    std::string via;
    Plan move;  ///< a redistribution between the layouts of that move
};

/// That move by every named method that can carry it and suits what the choice says of packing; the
/// default first.
std::vector<Candidate> candidates(const Plan& plan, Pack pack, int number);

}  // namespace weft::core
