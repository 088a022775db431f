// Graphs of the emulated runtime run what was captured, in the order that was captured.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "mpi/allocations.hpp"
#include "testing/emulated/cufft/cufft.hpp"
#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using test::add;
using test::add_to;
using test::event;
using test::late;
using test::on_device;
using test::order;
using test::read;
using test::stream;
using test::write;

constexpr auto own_thread = cudaStreamCaptureModeThreadLocal;

cudaGraphExec_t made_of(cudaStream_t captured) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    return exec;
}

/// In a stream: data += 1, then copied to the host. In another one meanwhile: other = data + 10.
struct ForkAndJoin {
    cudaStream_t first = stream();
    cudaStream_t second = stream();
    double* data = on_device<double>(8);
    double* other = on_device<double>(8);
    std::vector<double> host = std::vector<double>(8);
    std::vector<double> other_host = std::vector<double>(8);

    void put(bool joins_late) {
        launch(add, Dim3{1}, Dim3{8}, 0, first, data, 8, 1.0);
        order(first, second);
        launch(add_to, Dim3{1}, Dim3{8}, 0, second, data, other, 8, 10.0);
        if (!joins_late) order(second, first);
        read(host, data, first);
        read(other_host, other, first);
        if (joins_late) order(second, first);
    }
};

TEST(EmulatedGraphs, RunWhatWasCaptured) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        set_emulated_device(late(seed));
        ForkAndJoin work;
        EXPECT_EQ(cudaStreamBeginCapture(work.first, own_thread), cudaSuccess);
        work.put(false);
        cudaGraphExec_t exec = made_of(work.first);
        write(work.host, work.data, work.first);
        EXPECT_EQ(cudaStreamSynchronize(work.first), cudaSuccess);
        EXPECT_EQ(work.host, std::vector<double>(8, 0)) << "nothing has run yet";
        for (int times = 1; times <= 3; ++times) {
            EXPECT_EQ(cudaGraphLaunch(exec, work.first), cudaSuccess);
            EXPECT_EQ(cudaStreamSynchronize(work.first), cudaSuccess);
            EXPECT_EQ(work.host, std::vector<double>(8, times)) << seed;
            EXPECT_EQ(work.other_host, std::vector<double>(8, times + 10)) << seed;
        }
        EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(exec, work.first), cudaErrorInvalidValue);
    }
}

// A planted fault: the copy of what the other stream makes does not wait for it. The third stream
// is the graph's own.
TEST(EmulatedGraphs, LateShowsAWaitThatIsMissingInAGraph) {
    std::vector<unsigned> shown;
    for (unsigned seed = 0; seed < 8; ++seed) {
        set_emulated_device(late(seed));
        ForkAndJoin work;
        EXPECT_EQ(cudaStreamBeginCapture(work.first, own_thread), cudaSuccess);
        work.put(true);
        cudaGraphExec_t exec = made_of(work.first);
        write(work.host, work.data, work.first);
        EXPECT_EQ(cudaGraphLaunch(exec, work.first), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(work.first), cudaSuccess);
        if (work.other_host != std::vector<double>(8, 11)) shown.push_back(seed);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    }
    EXPECT_EQ(shown, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST(EmulatedGraphs, LaunchesInTwoStreamsRunOneAfterTheOther) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        set_emulated_device(late(seed));
        const cudaStream_t first = stream();
        const cudaStream_t second = stream();
        double value = 1;
        EXPECT_EQ(cudaStreamBeginCapture(first, own_thread), cudaSuccess);
        launch(add, Dim3{1}, Dim3{1}, 0, first, &value, 1, 1.0);
        const auto twice = [](void* number) { *static_cast<double*>(number) *= 2; };
        EXPECT_EQ(cudaLaunchHostFunc(first, twice, &value), cudaSuccess);
        cudaGraphExec_t exec = made_of(first);
        EXPECT_EQ(cudaGraphLaunch(exec, first), cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(exec, second), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
        EXPECT_EQ(value, 10) << seed;
        EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    }
}

TEST(EmulatedGraphs, HoldTransforms) {
    set_emulated_device("");
    const cudaStream_t own = stream();
    std::vector<double> host = {1, 0, 2, 0, 3, 0, 4, 0};
    auto* data = on_device<cufftDoubleComplex>(4);
    EXPECT_EQ(cudaMemcpy(data, host.data(), 64, cudaMemcpyDefault), cudaSuccess);
    cufftHandle plan = CUFFT_PLAN_NULL;
    std::size_t bytes = 0;
    long long n[] = {4};
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftMakePlanMany64(plan, 1, n, nullptr, 1, 4, nullptr, 1, 4, CUFFT_Z2Z, 1, &bytes),
              CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetStream(plan, own), CUFFT_SUCCESS);
    EXPECT_EQ(cudaStreamBeginCapture(own, own_thread), cudaSuccess);
    EXPECT_EQ(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD), CUFFT_SUCCESS);
    cudaGraphExec_t exec = made_of(own);
    // Four times forward is 16 times the values.
    for (int i = 0; i < 4; ++i) EXPECT_EQ(cudaGraphLaunch(exec, own), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(own), cudaSuccess);
    std::vector<double> after(8);
    EXPECT_EQ(cudaMemcpy(after.data(), data, 64, cudaMemcpyDefault), cudaSuccess);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(after[i], 16 * host[i], 1e-12);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST(EmulatedGraphs, LaunchesAllocateNothingOnceTheyRan) {
    set_emulated_device("delay:0");
    ForkAndJoin work;
    EXPECT_EQ(cudaStreamBeginCapture(work.first, own_thread), cudaSuccess);
    work.put(false);
    cudaGraphExec_t exec = made_of(work.first);
    const auto round = [&] {
        (void)cudaGraphLaunch(exec, work.first);
        (void)cudaStreamSynchronize(work.first);
    };
    for (int i = 0; i < 3; ++i) round();
    weft::test::count_allocations(true);
    for (int i = 0; i < 20; ++i) round();
    const long counted = weft::test::allocations();
    weft::test::count_allocations(false);
    EXPECT_EQ(counted, 0);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    return status;
}

TEST(EmulatedGraphs, CallsThatACaptureForbidsEndIt) {
    set_emulated_device("");
    const cudaStream_t own = stream();
    void* memory = nullptr;
    auto* data = on_device<double>(1);
    const auto forbidden = [&](cudaStreamCaptureMode mode, const auto& call, cudaError_t error) {
        EXPECT_EQ(cudaStreamBeginCapture(own, mode), cudaSuccess);
        EXPECT_EQ(status_of(own), cudaStreamCaptureStatusActive);
        EXPECT_EQ(call(), error);
        EXPECT_EQ(status_of(own), cudaStreamCaptureStatusInvalidated);
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(own, &graph), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(graph, nullptr);
        EXPECT_EQ(status_of(own), cudaStreamCaptureStatusNone);
    };
    const auto unsupported = cudaErrorStreamCaptureUnsupported;
    forbidden(
        own_thread, [&] { return cudaStreamSynchronize(own); }, unsupported);
    forbidden(
        own_thread, [&] { return cudaStreamQuery(own); }, unsupported);
    forbidden(
        own_thread, [&] { return cudaDeviceSynchronize(); }, unsupported);
    forbidden(
        own_thread, [&] { return cudaMalloc(&memory, 8); }, unsupported);
    forbidden(
        own_thread, [&] { return cudaFree(data); }, unsupported);
    const auto elsewhere = [&] {
        cudaError_t error = cudaSuccess;
        std::thread([&] { error = cudaMallocHost(&memory, 8); }).join();
        return error;
    };
    forbidden(cudaStreamCaptureModeGlobal, elsewhere, unsupported);
    const cudaStream_t other = stream();
    const cudaEvent_t outside = event();
    EXPECT_EQ(cudaEventRecord(outside, other), cudaSuccess);
    forbidden(
        own_thread, [&] { return cudaStreamWaitEvent(own, outside); },
        cudaErrorStreamCaptureIsolation);
    EXPECT_EQ(cudaStreamBeginCapture(own, own_thread), cudaSuccess);
    EXPECT_EQ(elsewhere(), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(own, &graph), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(own, cudaStreamCaptureModeRelaxed), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(own, &graph), cudaSuccess);
}

TEST(EmulatedGraphs, StreamsHaveToJoin) {
    set_emulated_device("");
    const cudaStream_t first = stream();
    const cudaStream_t second = stream();
    double value = 0;
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    EXPECT_EQ(cudaStreamBeginCapture(nullptr, own_thread), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamBeginCapture(first, own_thread), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(first, own_thread), cudaErrorIllegalState);
    const cudaEvent_t forked = event();
    EXPECT_EQ(cudaEventRecord(forked, first), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(forked), cudaErrorCapturedEvent);
    EXPECT_EQ(cudaStreamWaitEvent(second, forked), cudaSuccess);
    EXPECT_EQ(status_of(second), cudaStreamCaptureStatusActive);
    EXPECT_EQ(launch(add, Dim3{1}, Dim3{1}, 0, second, &value, 1, 1.0), cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status_of(second), cudaStreamCaptureStatusNone);
    EXPECT_EQ(cudaStreamWaitEvent(second, forked), cudaErrorCapturedEvent);
    EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(cudaStreamBeginCapture(first, own_thread), cudaSuccess);
    order(first, second);
    EXPECT_EQ(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST(EmulatedGraphs, TheDefaultStreamIsNotDrawnIn) {
    set_emulated_device("");
    const cudaStream_t own = stream(cudaStreamDefault);
    double value = 0;
    EXPECT_EQ(cudaStreamBeginCapture(own, own_thread), cudaSuccess);
    EXPECT_EQ(launch(add, Dim3{1}, Dim3{1}, 0, nullptr, &value, 1, 1.0),
              cudaErrorStreamCaptureImplicit);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(own, &graph), cudaErrorStreamCaptureInvalidated);
}

}  // namespace

}  // namespace weft::core::emulated
