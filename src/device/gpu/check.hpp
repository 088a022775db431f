// Errors of the CUDA runtime as weft's.
#pragma once

#include <string_view>

#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Throws Error(system) that quotes the code, its meaning and what was done; Error(not_available)
/// if there is no driver or no device.
void check(cudaError_t result, std::string_view what);

}  // namespace weft::core::WEFT_GPU_TARGET
