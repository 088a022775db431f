// For which kind of GPU sources are compiled, and what a stream is there.
#pragma once

#if defined(WEFT_GPU_CUDA)
#include <cuda_runtime_api.h>
#define WEFT_GPU_TARGET cuda
#elif defined(WEFT_GPU_HIP)
#include "device/hip/translation.hpp"
#define WEFT_GPU_TARGET hip
#elif defined(WEFT_GPU_EMULATED)
#define WEFT_GPU_TARGET emulated
namespace weft::core::emulated {
/// Kernels run when they are launched.
using cudaStream_t = struct NoStream*;
}  // namespace weft::core::emulated
#else
#error "compile sources of GPUs for one of WEFT_GPU_CUDA, WEFT_GPU_HIP, WEFT_GPU_EMULATED"
#endif
