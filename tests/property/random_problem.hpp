// Random problems and choices for the property tests; a seed names a case.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.hpp"
#include "plan/plan.hpp"

namespace weft::core::test {

/// A problem, a constraint and a number of ranks that need not fit each other.
struct Case {
    Problem problem;
    Choice choice;
    int ranks = 1;
};

/// The case as the text of a plan request, to be quoted by a failing test.
std::string to_string(const Case& drawn);

/// 1 to 6 dimensions of small, prime, odd and unit length and at most `most_elements` in all,
/// batches, subsets of axes, halved axes, layouts and orders of every kind at both ends, both
/// rules, in place, 1 to 64 ranks, all decompositions, methods and packs.
Case random_case(Random& random, Index most_elements);

/// The first case drawn with this seed that can be planned.
struct PlannedCase {
    Case drawn;
    Plan plan;
    int refused = 0;  ///< how many were drawn before it and refused
};
PlannedCase planned_case(std::uint64_t seed, Index most_elements);

}  // namespace weft::core::test
