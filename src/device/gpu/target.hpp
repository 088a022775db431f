// For which kind of GPU the sources in a folder gpu are compiled: the build compiles them once for
// each, with one of these macros set.
//
//     WEFT_GPU_CUDA      NVIDIA's, by the CUDA runtime; namespace cuda
//     WEFT_GPU_HIP       AMD's: CUDA's names stand for HIP's; namespace hip
//     WEFT_GPU_RUNTIME   the header of another one with CUDA's names; the build says the namespace
//                        (WEFT_GPU_TARGET), and the headers of its kernels, its cuFFT and its NCCL
//                        (WEFT_GPU_KERNELS, WEFT_GPU_CUFFT, WEFT_GPU_NCCL)
//
// Sources use CUDA's names within namespace weft::core::WEFT_GPU_TARGET, where they mean one of
// them.
#pragma once

#include <cstddef>

#if defined(WEFT_GPU_CUDA)
#include <cuda_runtime_api.h>
#define WEFT_GPU_TARGET cuda
#elif defined(WEFT_GPU_HIP)
#include "device/hip/translation.hpp"
#define WEFT_GPU_TARGET hip
#elif defined(WEFT_GPU_RUNTIME)
#include WEFT_GPU_RUNTIME
#else
#error "compile sources of GPUs for one of WEFT_GPU_CUDA, WEFT_GPU_HIP, WEFT_GPU_RUNTIME"
#endif

#if !defined(WEFT_GPU_RUNTIME)
namespace weft::core::WEFT_GPU_TARGET {
/// Whether there may be an MPI that reaches memory of the device, and the address that it is given.
inline bool mpi_may_reach() { return true; }
inline std::byte* as_mpi_reaches(std::byte* address) { return address; }
/// Whether mpi_may_reach() is the answer, so that MPI is not asked.
inline bool answers_for_mpi() { return false; }
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
/// "cuda", "hip": the device's name in base/devices.def, or by which it is registered.
#define WEFT_GPU_NAME WEFT_GPU_TEXT(WEFT_GPU_TARGET)
#define WEFT_GPU_JOINED(a, b) a##b
#define WEFT_GPU_JOIN(a, b) WEFT_GPU_JOINED(a, b)
