// The transforms that axes take where they are whole on a rank.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// The forward transforms of these axes, the r2c axis last: the cosine and sine transforms, while
/// the numbers may still be real, then the Fourier transforms. A Fourier transform of one element
/// is that element: only where there is no other axis does the stage name it.
std::vector<TransformStage> stages_along(const Problem& problem, const std::vector<int>& axes,
                                         bool reproducible);

}  // namespace weft::core
