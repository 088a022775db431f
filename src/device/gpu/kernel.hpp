// What device code is written with: CUDA's names, which nvcc, hipcc and, for a GPU made of
// software, any C++ compiler understand. A kernel and its launch:
//
//     template <class Real>
//     WEFT_KERNEL void WEFT_THREADS(256, 1) twice(const Real* from, Real* to) {
//         to[threadIdx.x] = 2 * from[threadIdx.x];
//     }
//     launch({.blocks = 1, .threads = 256, .stream = stream}, &twice<double>, from, to);
//
// The arguments of a kernel take at most 4096 bytes. A class with pointers in it has a template
// reach(reach), which replaces each of them by reach(pointer): memory of a GPU made of software has
// other addresses for kernels than for the host.
#pragma once

#include <cstddef>

#include "device/gpu/check.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Whether arguments of these types fit where launches put them.
template <class... Parameters>
inline constexpr bool are_carried = (sizeof(Parameters) + ... + 0) <= 4096;

/// How a kernel is launched.
struct Launch {
    unsigned blocks = 1;
    unsigned threads = 1;
    std::size_t shared_bytes = 0;
    cudaStream_t stream{};
};

}  // namespace weft::core::WEFT_GPU_TARGET

#if defined(WEFT_GPU_RUNTIME)
#include WEFT_GPU_KERNELS
#else
#if defined(WEFT_GPU_CUDA)
#include <cuda_runtime.h>
#endif
#define WEFT_KERNEL __global__
#if defined(WEFT_GPU_CUDA)
// An argument that is only read, where the launch has put it.
#define WEFT_CONSTANT_ARGUMENT __grid_constant__
#else
#define WEFT_CONSTANT_ARGUMENT
#endif
// The most threads of a block, and how many such blocks a multiprocessor has registers for.
#define WEFT_THREADS(most, blocks) __launch_bounds__(most, blocks)
#define WEFT_DEVICE_CODE __device__ __forceinline__
#define WEFT_BOTH_CODE __host__ __device__ __forceinline__
#define WEFT_UNROLL _Pragma("unroll")
#define WEFT_NO_UNROLL _Pragma("unroll 1")

namespace weft::core::WEFT_GPU_TARGET {

/// The shared memory that the launch asked for.
template <class T>
WEFT_DEVICE_CODE T* shared_array() {
    alignas(16) extern __shared__ unsigned char weft_shared_memory[];
    return reinterpret_cast<T*>(weft_shared_memory);
}

/// A kernel's only argument, where the launch has put it: with an index that is computed, a copy of
/// it would have to be in memory of each thread's own.
template <class Argument>
WEFT_DEVICE_CODE const Argument& where_launched(const Argument& argument) {
#if defined(WEFT_GPU_HIP) && defined(__HIP_DEVICE_COMPILE__)
    return *(const Argument*)__builtin_amdgcn_kernarg_segment_ptr();
#else
    return argument;  // NOLINT(bugprone-return-const-ref-from-parameter): a kernel's own.
#endif
}

// Only the compilers of device code know how.
#if defined(__CUDACC__) || defined(__HIPCC__)
template <class... Parameters, class... Arguments>
void launch(const Launch& how, void (*kernel)(Parameters...), const Arguments&... arguments) {
    static_assert(are_carried<Parameters...>);
    // More than 48 KiB have to be asked for, of each kernel on each GPU.
    if (how.shared_bytes > std::size_t{48} << 10) {
        check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(how.shared_bytes)),
              "shared memory of a kernel");
    }
    kernel<<<dim3(how.blocks), dim3(how.threads), how.shared_bytes, how.stream>>>(arguments...);
    check(cudaGetLastError(), "launch of a kernel");
}
#endif

}  // namespace weft::core::WEFT_GPU_TARGET
#endif
