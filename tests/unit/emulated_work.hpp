// Kernels and arrays for tests of the emulated runtime.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "testing/emulated/cuda/runtime.hpp"

namespace weft::core::emulated::test {

/// With seed s of n streams: each held back or run at once.
inline std::string late(unsigned seed) { return "late,seed:" + std::to_string(seed); }

inline void fill(double* data, int count, double value) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(count)) data[i] = value;
}
inline void add(double* data, int count, double value) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(count)) data[i] += value;
}
/// to = from + value.
inline void add_to(const double* from, double* to, int count, double value) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < static_cast<unsigned>(count)) to[i] = from[i] + value;
}

template <class T>
T* on_device(std::size_t count) {
    T* data = nullptr;
    EXPECT_EQ(cudaMalloc(&data, count * sizeof(T)), cudaSuccess);
    return data;
}
inline cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, flags), cudaSuccess);
    return made;
}
inline cudaEvent_t event(unsigned flags = cudaEventDisableTiming) {
    cudaEvent_t made = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&made, flags), cudaSuccess);
    return made;
}

inline void read(std::vector<double>& host, const double* data, cudaStream_t stream) {
    EXPECT_EQ(cudaMemcpyAsync(host.data(), data, host.size() * sizeof(double),
                              cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
}
inline void write(const std::vector<double>& host, double* data, cudaStream_t stream) {
    EXPECT_EQ(cudaMemcpyAsync(data, host.data(), host.size() * sizeof(double),
                              cudaMemcpyHostToDevice, stream),
              cudaSuccess);
}
/// `after` waits for what is in `before`.
inline void order(cudaStream_t before, cudaStream_t after) {
    const cudaEvent_t passed = event();
    EXPECT_EQ(cudaEventRecord(passed, before), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(after, passed), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(passed), cudaSuccess);
}

}  // namespace weft::core::emulated::test
