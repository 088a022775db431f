// Random problems and choices for the property tests; a seed names a case.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"

namespace weft::core::test {

/// How many cases one test draws; sanitized, each takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::uint64_t seeds_per_test = 4;
#else
inline constexpr std::uint64_t seeds_per_test = 25;
#endif

/// A problem, a constraint and a number of ranks that need not fit each other.
struct Case {
    Problem problem;
    Choice choice;
    int ranks = 1;
};

/// The case as the text of a plan request, to be quoted by a failing test.
std::string to_string(const Case& drawn);

/// A problem of at most `most_elements` as verify draws them, on 1 to 64 ranks, with any
/// decomposition, methods and packs, an engine that fuses or one that does not.
Case random_case(Random& random, Index most_elements);

/// Any nodes of adjacent ranks (mostly one), with room for regions or none, either end
/// exposed or not.
Environment random_environment(Random& random, int ranks);

/// The first case drawn with this seed that can be planned, and where it runs.
struct PlannedCase {
    Case drawn;
    Plan plan;
    Environment environment;
    int refused = 0;  ///< how many were drawn before it and refused
};
std::string to_string(const PlannedCase& planned);
PlannedCase planned_case(std::uint64_t seed, Index most_elements);

/// The same plan on a device, in one of the ways in which it may use it.
PlannedCase on_device(PlannedCase planned, Random& random);

/// A plan of which some ranks compute on a device and others on the host, mostly with weights,
/// of which some are left to the model of a machine with devices.
PlannedCase shared_case(std::uint64_t seed, Index most_elements);

/// A plan whose transforms have a part of a device's memory, from hardly enough to plenty.
PlannedCase bounded_case(std::uint64_t seed, Index most_elements);

}  // namespace weft::core::test
