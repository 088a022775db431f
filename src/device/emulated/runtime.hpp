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
// Beneath it is a fake device (device/fake), whose memory traps where the host touches it and whose
// queues delay or hold back work, so that a wait that was forgotten shows. How it behaves is in
// options.hpp. Where CUDA promises more order than it says clearly (freeing memory, copies of
// memory that is not pinned), this promises less.
#pragma once

#include "device/emulated/errors.hpp"      // IWYU pragma: export
#include "device/emulated/graphs.hpp"      // IWYU pragma: export
#include "device/emulated/launch.hpp"      // IWYU pragma: export
#include "device/emulated/memory.hpp"      // IWYU pragma: export
#include "device/emulated/options.hpp"     // IWYU pragma: export
#include "device/emulated/properties.hpp"  // IWYU pragma: export
#include "device/emulated/streams.hpp"     // IWYU pragma: export
