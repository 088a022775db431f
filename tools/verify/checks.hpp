// Is a transform right? Compared with a serial transform of the whole array, and with what every
// Fourier transform obeys.
#pragma once

#include <string>
#include <vector>

#include "verify/rig.hpp"

namespace weft::core {

/// One check's outcome. The error is the largest deviation, as a fraction of the largest value
/// that was expected.
struct Finding {
    std::string check;
    double error = 0;
    double bound = 0;

    [[nodiscard]] bool right() const { return error <= bound; }
};

/// Collective. In both directions against the oracle (where the array is small enough for one),
/// whether the input is kept, the transform of an impulse, the shift theorem and linearity. Of a
/// redistribution every byte, in both directions; there an error is a number of elements.
std::vector<Finding> verify(Rig& rig, std::uint64_t seed);

/// The error that rounding may make: a few units in the last place per level of the transform.
double error_bound(const Problem& problem);

}  // namespace weft::core
