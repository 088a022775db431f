// Blocks of threads of a GPU, run by the calling thread: what device code sees of CUDA.
//
// Each thread of a block is a fiber. In 2 blocks of 4 threads that share 32 bytes,
//
//     run_grid({2}, {4}, 32, [&] {
//         auto* shared = reinterpret_cast<double*>(shared_memory());
//         shared[threadIdx.x] = from[4 * blockIdx.x + threadIdx.x];
//         __syncthreads();
//         to[4 * blockIdx.x + threadIdx.x] = shared[3 - threadIdx.x];
//     });
//
// reverses every four numbers. Threads run in an order drawn anew between barriers, one until it
// meets a barrier or ends; so without __syncthreads() some thread reads bytes 0xff, a NaN. Blocks
// run one after the other, from one on that is drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "base/function_ref.hpp"

namespace weft::core::emulated {

struct Dim3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;
};

/// As CUDA names them; they mean something while run_grid() runs a thread.
extern thread_local constinit Dim3 threadIdx;  // NOLINT(readability-identifier-naming)
extern thread_local constinit Dim3 blockIdx;   // NOLINT(readability-identifier-naming)
extern thread_local constinit Dim3 blockDim;   // NOLINT(readability-identifier-naming)
extern thread_local constinit Dim3 gridDim;    // NOLINT(readability-identifier-naming)

/// Runs body() as every thread of every block. Shared memory holds bytes 0xff when a block starts.
/// Throws what body throws, and Error(wrong_result) if some threads of a block end, or wait at
/// another barrier, while others wait at one, or if a block has written past its shared memory.
void run_grid(Dim3 grid, Dim3 block, std::size_t shared_bytes, FunctionRef<void()> body);

/// Draws the order in which this host thread's run_grid() runs threads and blocks from now on.
void set_thread_order(std::uint64_t seed);

/// Waits for the other threads of the block, all of which have to come to the same line.
void __syncthreads(  // NOLINT
    const std::source_location& here = std::source_location::current());

/// The dynamic shared memory of the block, aligned to 64 bytes.
std::byte* shared_memory();

}  // namespace weft::core::emulated
