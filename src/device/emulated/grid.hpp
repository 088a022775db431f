// A grid of thread blocks on the host, one thread after the other: kernels without __syncthreads.
#pragma once

#include <cstddef>

#include "base/function_ref.hpp"

namespace weft::core::emulated {

struct Dim3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
};

extern thread_local Dim3 threadIdx;
extern thread_local Dim3 blockIdx;
extern thread_local Dim3 blockDim;
extern thread_local Dim3 gridDim;

/// body() for each thread of each block.
void run_grid(Dim3 grid, Dim3 block, std::size_t shared_bytes, FunctionRef<void()> body);

}  // namespace weft::core::emulated
