// The part of CUDA's runtime that weft uses, made of software, so that what is written for CUDA
// runs and is tested where no GPU is.
//
// It has CUDA's names, in this namespace, so that no symbol of CUDA's is defined. A source that is
// written once includes it or <cuda_runtime.h>, and lives in a namespace that sees these names:
//
//     cudaStream_t stream = nullptr;
//     cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
//     double* data = nullptr;
//     cudaMalloc(&data, 800);
//     cudaMemcpyAsync(data, host, 800, cudaMemcpyHostToDevice, stream);
//     launch(scale, Dim3{1}, Dim3{100}, 0, stream, data, 100, 2.0);
//     cudaMemcpyAsync(host, data, 800, cudaMemcpyDeviceToHost, stream);
//     cudaStreamSynchronize(stream);
//
// Beneath it is a fake device (testing/fake), whose memory traps where the host touches it and
// whose queues delay or hold back work, so that a wait that was forgotten shows. How it behaves is
// in options.hpp. Where CUDA promises more order than it says clearly (freeing memory, copies of
// memory that is not pinned), this promises less.
#pragma once

#include "testing/emulated/cuda/errors.hpp"      // IWYU pragma: export
#include "testing/emulated/cuda/graphs.hpp"      // IWYU pragma: export
#include "testing/emulated/cuda/launch.hpp"      // IWYU pragma: export
#include "testing/emulated/cuda/memory.hpp"      // IWYU pragma: export
#include "testing/emulated/cuda/options.hpp"     // IWYU pragma: export
#include "testing/emulated/cuda/properties.hpp"  // IWYU pragma: export
#include "testing/emulated/cuda/streams.hpp"     // IWYU pragma: export
