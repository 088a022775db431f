// cuFFT, or what takes its place, for the kind of GPU that the file is compiled for; see
// device/gpu/target.hpp.
#pragma once

#include <string_view>

#include "device/gpu/target.hpp"

#if defined(WEFT_GPU_CUDA)
#include <cufft.h>
#elif defined(WEFT_GPU_HIP)
#include "fft/hip/translation.hpp"
#else
#include WEFT_GPU_CUFFT
#endif

namespace weft::core::WEFT_GPU_TARGET {

/// Throws Error that quotes the code and what was done.
void check(cufftResult result, std::string_view what);

}  // namespace weft::core::WEFT_GPU_TARGET
