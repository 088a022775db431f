// What is put into a stream, kept to be done again: a CUDA graph.
#pragma once

#include <memory>

#include "device/device.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Captures what `put` puts into the stream of the GPU of that number, and does it in each run.
/// Throws what `put` throws; the stream is as it was then.
std::unique_ptr<PreparedWork> recorded(int number, cudaStream_t stream, FunctionRef<void()> put);

}  // namespace weft::core::WEFT_GPU_TARGET
