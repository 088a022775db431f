// For which kind of GPU the sources in a folder gpu are compiled: the build compiles them once for
// each, with one of these macros set.
//
//     WEFT_GPU_CUDA      NVIDIA's, by the CUDA runtime; namespace cuda
//     WEFT_GPU_HIP       AMD's: CUDA's names stand for HIP's; namespace hip
//     WEFT_GPU_EMULATED  none: a CUDA made of software, for tests; namespace emulated
//
// Sources use CUDA's names within namespace weft::core::WEFT_GPU_TARGET, where they mean one of the
// three.
#pragma once

#include <cstddef>

#if defined(WEFT_GPU_CUDA)
#include <cuda_runtime_api.h>
#define WEFT_GPU_TARGET cuda
#elif defined(WEFT_GPU_HIP)
#include "device/hip/translation.hpp"
#define WEFT_GPU_TARGET hip
#elif defined(WEFT_GPU_EMULATED)
#include "device/emulated/runtime.hpp"
#define WEFT_GPU_TARGET emulated
#else
#error "compile sources of GPUs for one of WEFT_GPU_CUDA, WEFT_GPU_HIP, WEFT_GPU_EMULATED"
#endif

#if !defined(WEFT_GPU_EMULATED)
namespace weft::core::WEFT_GPU_TARGET {
/// Whether there may be an MPI that reaches memory of the device, and the address that it is given.
inline bool mpi_may_reach() { return true; }
inline std::byte* as_mpi_reaches(std::byte* address) { return address; }
}  // namespace weft::core::WEFT_GPU_TARGET
#endif

#if !defined(WEFT_GPU_HIP)
namespace weft::core::WEFT_GPU_TARGET {
/// Whether it is memory of a device, or managed memory.
inline bool is_on_device(const cudaPointerAttributes& found) {
    return found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged;
}
}  // namespace weft::core::WEFT_GPU_TARGET
#endif

#define WEFT_GPU_TEXT_OF(target) #target
#define WEFT_GPU_TEXT(target) WEFT_GPU_TEXT_OF(target)
/// "cuda", "hip", "emulated": the device's name in base/devices.def.
#define WEFT_GPU_NAME WEFT_GPU_TEXT(WEFT_GPU_TARGET)
#define WEFT_GPU_JOINED(a, b) a##b
#define WEFT_GPU_JOIN(a, b) WEFT_GPU_JOINED(a, b)
