// What weft's own kernels do on a GPU, prepared. The kernels are in the other files of this folder.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Each for that GPU, as Device says of the member of that kind. Throws Error(system)
/// if there is no memory for the tables of a kernel.
std::unique_ptr<PreparedWork> copy_kernel(Device& device, const std::vector<CopyTask>& tasks);
std::unique_ptr<PreparedWork> scale_kernel(Device& device, Precision precision, const Slice& slice,
                                           double factor);
std::unique_ptr<PreparedWork> clear_kernel(Index bytes);

}  // namespace weft::core::WEFT_GPU_TARGET
