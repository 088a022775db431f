// Errors of the emulated runtime: where there is no device, where a call is wrong, and those that
// stick.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "testing/emulated/cufft/cufft.hpp"
#include "testing/fake/fake.hpp"
#include "unit/device_work.hpp"
#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using core::test::error_of;
using test::event;
using test::fill;
using test::on_device;
using test::read;
using test::stream;

TEST(EmulatedErrors, ThereMayBeNoDevice) {
    struct Case {
        const char* text;
        cudaError_t error;
        int driver;
    };
    for (const Case& one :
         {Case{"none", cudaErrorNoDevice, 13000}, Case{"nodriver", cudaErrorInsufficientDriver, 0},
          Case{"seed:2,olddriver", cudaErrorInsufficientDriver, 11000}}) {
        set_emulated_device(one.text);
        int count = 5;
        EXPECT_EQ(cudaGetDeviceCount(&count), one.error);
        EXPECT_EQ(count, 0);
        EXPECT_EQ(cudaGetLastError(), one.error);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        void* data = nullptr;
        EXPECT_EQ(cudaMalloc(&data, 8), one.error);
        int version = -1;
        EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
        EXPECT_EQ(version, one.driver);
        EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
        EXPECT_EQ(version, 13000);
        cufftHandle plan = CUFFT_PLAN_NULL;
        EXPECT_EQ(cufftCreate(&plan), CUFFT_SETUP_FAILED);
        (void)cudaGetLastError();
    }
}

TEST(EmulatedErrors, AreNamed) {
    EXPECT_STREQ(cudaGetErrorName(cudaErrorNotReady), "cudaErrorNotReady");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST(EmulatedErrors, TheLastOneIsForgottenWhenItIsAskedFor) {
    set_emulated_device("");
    (void)cudaGetLastError();
    EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(EmulatedErrors, HandlesAreChecked) {
    set_emulated_device("");
    const cudaStream_t gone = stream();
    const cudaEvent_t gone_event = event();
    EXPECT_EQ(cudaStreamDestroy(gone), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(gone_event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(gone), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(gone_event), cudaErrorInvalidResourceHandle);
    const cudaStream_t other = stream();
    const cudaEvent_t other_event = event();
    EXPECT_NE(other, gone);
    EXPECT_EQ(cudaStreamSynchronize(gone), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(other_event, gone), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(gone_event, other), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(other, gone_event), cudaErrorInvalidResourceHandle);
    std::vector<double> host(1);
    EXPECT_EQ(launch(fill, Dim3{1}, Dim3{1}, 0, gone, host.data(), 1, 1.0),
              cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(EmulatedErrors, LaunchesAreLimitedAsOnADevice) {
    set_emulated_device("");
    const cudaStream_t compute = stream();
    std::vector<double> host(1);
    const auto put = [&](Dim3 grid, Dim3 block, std::size_t shared_bytes) {
        return launch(fill, grid, block, shared_bytes, compute, host.data(), 1, 1.0);
    };
    EXPECT_EQ(put({0}, {1}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1}, {0}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1}, {1025}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1}, {64, 32}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1}, {1, 1, 65}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1, 65536}, {1}, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(put({1}, {1}, 49153), cudaErrorInvalidValue);
    EXPECT_EQ(put({1}, {1024}, 49152), cudaSuccess);
    const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
    EXPECT_EQ(cudaFuncSetAttribute(fill, limit, (227 << 10) + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(fill, limit, 227 << 10), cudaSuccess);
    EXPECT_EQ(put({1}, {1}, 227 << 10), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
}

TEST(EmulatedErrors, TheNthAllocationFails) {
    set_emulated_device("fail:2");
    void* data = nullptr;
    void* pinned = nullptr;
    EXPECT_EQ(cudaMalloc(&data, 64), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&pinned, 64), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

/// What every later call says, of this thread and of another.
void expect_all_say(cudaError_t error) {
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(cudaGetLastError(), error);
    void* data = nullptr;
    EXPECT_EQ(cudaMalloc(&data, 8), error);
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, 0), error);
    EXPECT_EQ(cudaDeviceSynchronize(), error);
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), error);
}

TEST(EmulatedErrors, ALostDeviceStaysLost) {
    for (const char* text : {"lost:2", "lost:2,late", "lost:2,late,seed:3"}) {
        set_emulated_device(text);
        const cudaStream_t compute = stream();
        const cudaStream_t copies = stream();
        auto* data = on_device<double>(4);
        std::vector<double> host(4);
        EXPECT_EQ(launch(fill, Dim3{1}, Dim3{4}, 0, compute, data, 4, 2.0), cudaSuccess);
        read(host, data, compute);
        EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
        EXPECT_EQ(host, std::vector<double>(4, 2.0));
        EXPECT_EQ(launch(fill, Dim3{1}, Dim3{4}, 0, compute, data, 4, 3.0), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(compute), cudaErrorDevicesUnavailable);
        expect_all_say(cudaErrorDevicesUnavailable);
        EXPECT_EQ(cudaStreamSynchronize(copies), cudaErrorDevicesUnavailable);
        EXPECT_EQ(cudaStreamDestroy(compute), cudaErrorDevicesUnavailable);
        EXPECT_EQ(cudaFree(data), cudaErrorDevicesUnavailable);
    }
    set_emulated_device("");
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

void fail() { throw std::runtime_error("a kernel that fails"); }

TEST(EmulatedErrors, AFailedKernelStopsWhatComesAfter) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        set_emulated_device(test::late(seed));
        const cudaStream_t first = stream();
        const cudaStream_t second = stream();
        std::vector<double> host(2);
        double* data = host.data();
        const cudaEvent_t passed = event();
        (void)launch(fail, Dim3{1}, Dim3{1}, 0, first);
        (void)cudaEventRecord(passed, first);
        (void)cudaStreamWaitEvent(second, passed);
        (void)launch(fill, Dim3{1}, Dim3{1}, 0, first, data, 1, 1.0);
        (void)launch(fill, Dim3{1}, Dim3{1}, 0, second, data + 1, 1, 1.0);
        EXPECT_EQ(cudaStreamSynchronize(second), cudaErrorLaunchFailure) << seed;
        EXPECT_EQ(cudaEventQuery(passed), cudaErrorLaunchFailure);
        expect_all_say(cudaErrorLaunchFailure);
        EXPECT_EQ(host, std::vector<double>(2)) << seed;
    }
}

TEST(EmulatedErrors, AStreamThatDoesNotWaitFailsWhenItIsAsked) {
    set_emulated_device("");
    const cudaStream_t first = stream();
    const cudaStream_t second = stream();
    (void)launch(fail, Dim3{1}, Dim3{1}, 0, first);
    cudaError_t answer = cudaErrorNotReady;
    while (answer == cudaErrorNotReady) answer = cudaStreamQuery(first);
    EXPECT_EQ(answer, cudaErrorLaunchFailure);
    EXPECT_EQ(cudaStreamQuery(second), cudaErrorLaunchFailure);
}

TEST(EmulatedErrors, OptionsAreChecked) {
    const auto error = [](const std::string& text) {
        return error_of([&] { emulated_options(text); });
    };
    EXPECT_NE(error("late,slow").find("WEFT_EMULATED_DEVICE: 'slow' is not understood"),
              std::string::npos);
    EXPECT_NE(error("memory:0").find("'memory:0' is not from 1 to"), std::string::npos);
    EXPECT_NE(error("compute:x").find("WEFT_EMULATED_DEVICE"), std::string::npos);
    EXPECT_NE(error("seed:").find("WEFT_EMULATED_DEVICE"), std::string::npos);
    const EmulatedOptions options = emulated_options("late, seed:6,memory:123,units:3,lost:9");
    EXPECT_TRUE(options.fake.late);
    EXPECT_EQ(options.fake.seed, 6U);
    EXPECT_EQ(options.fake.lost_after, 9);
    EXPECT_EQ(options.memory, 123);
    EXPECT_EQ(options.units, 3);
    EXPECT_EQ(options.presence, EmulatedOptions::Presence::here);
}

}  // namespace

}  // namespace weft::core::emulated
