// A stage's serial transforms between two stored boxes, as a task for an engine.
#pragma once

#include <vector>

#include "base/transforms.hpp"
#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// All axes of the stage, from one box of a rank to the same one after it; loops over the other
/// axes in that order, slowest first.
FftTask fft_task(const TransformStage& transform, Precision precision, const StoredBox& from,
                 const StoredBox& to, const std::vector<int>& order);
/// One for each box of the rank, from one layout to another.
std::vector<FftTask> fft_tasks(const TransformStage& transform, const Layout& from,
                               const Layout& to, int rank);

}  // namespace weft::core
