// Batches of lines in the form that suits the kernel.
#pragma once

#include "base/fused_lines.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// A batch without loops of extent 1, loops that continue each other merged, and as lanes
/// those of the loop, the lanes included, whose steps are shortest on either side. No loops and no
/// lanes if there are no lines.
///
/// Example: loops {4, 1, 6} with strides {48, 9, 8} and 8 lanes at a step of 1 are 192 lanes.
FusedLines simplified(FusedLines lines);

}  // namespace weft::core::WEFT_GPU_TARGET
