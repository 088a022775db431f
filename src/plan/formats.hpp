// How the array lies in memory in each layout of a plan. A rewrite: plan -> plan.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Chooses the formats of a plan of kind c2c, r2c or redistribute from its distributions and stages
/// alone. The ends lie as the problem says; padding and strides are of the ends only, between them
/// boxes are dense. A redistribution puts the axes that it gathers just above the fastest axis;
/// with pack=fft redistributions keep the order of axes, and the last transform changes it.
///
/// Example: a slab of 8 x 6 x 4 on 2 ranks, cut along axis 0, then along axis 1: the formats 012,
/// 012, 102, 102.
[[nodiscard]] Plan choose_formats(Plan plan, Pack pack);

}  // namespace weft::core
