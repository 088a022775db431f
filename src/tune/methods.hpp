// What a choice leaves to be found by measuring: its engine, exchange methods; and which methods
// there are to measure.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// Whether via=auto or a via[1]=auto leaves a method to measuring ([duy] section 3.2.3).
bool is_measured(const Choice& choice);
/// Whether engine=auto leaves the engine to measuring.
bool measures_engine(const Choice& choice);
/// The same choice with the default in the place of what is to be measured.
Choice unmeasured(Choice choice);
/// The numbers of the redistributions, of so many, whose methods are to be measured.
std::vector<int> measured_redistributions(const Choice& choice, int redistributions);

/// A plan in which one redistribution goes by that method.
struct Candidate {
    std::string via;
    Choice choice;  ///< complete
};

/// The choice, which says all but the packing, with that redistribution by every named method that can carry
/// it and suits what is said of packing; the default first.
std::vector<Candidate> candidates(const Problem& problem, Choice choice, int ranks, int number);

}  // namespace weft::core
