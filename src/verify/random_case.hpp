// Random problems and choices: what a fuzzer of plans draws from.
#pragma once

#include "base/random.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

struct RandomCase {
    Problem problem;
    Choice choice;
};

/// A well-formed problem with a choice that fits it on that many ranks: kinds, precisions, 1 to 6
/// axes of odd, prime, even and unit length, batches, subsets of axes, layouts and orders at both
/// ends, both rules of cutting, scales, in place, all methods and engines of this build.
RandomCase random_case(Random& random, int ranks);

}  // namespace weft::core
