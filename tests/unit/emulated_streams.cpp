// Streams and events of the emulated runtime keep the order that CUDA promises, and no other.
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "mpi/allocations.hpp"
#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using test::add;
using test::add_to;
using test::event;
using test::fill;
using test::late;
using test::on_device;
using test::order;
using test::read;
using test::stream;
using test::write;

/// Host -> device in `copies`, plus 1 in `compute`, back in `copies`.
double through_two_streams(bool first_wait, bool second_wait) {
    const cudaStream_t copies = stream();
    const cudaStream_t compute = stream();
    auto* data = on_device<double>(3);
    std::vector<double> host(3, 5);
    write(host, data, copies);
    if (first_wait) order(copies, compute);
    EXPECT_EQ(launch(add, Dim3{1}, Dim3{3}, 0, compute, data, 3, 1.0), cudaSuccess);
    if (second_wait) order(compute, copies);
    read(host, data, copies);
    EXPECT_EQ(cudaStreamSynchronize(copies), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
    return host[2];
}

TEST(EmulatedStreams, EventsOrderStreams) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        set_emulated_device(seed < 4 ? late(seed)
                                     : "delay:50,piece:8,seed:" + std::to_string(seed));
        EXPECT_EQ(through_two_streams(true, true), 6) << seed;
    }
}

// A planted fault: one of the two waits is missing.
TEST(EmulatedStreams, LateShowsAMissingWait) {
    std::vector<unsigned> first_shown;
    std::vector<unsigned> second_shown;
    for (unsigned seed = 0; seed < 4; ++seed) {
        set_emulated_device(late(seed));
        if (through_two_streams(false, true) != 6) first_shown.push_back(seed);
        set_emulated_device(late(seed));
        if (through_two_streams(true, false) != 6) second_shown.push_back(seed);
    }
    EXPECT_EQ(first_shown, (std::vector<unsigned>{2}));
    EXPECT_EQ(second_shown, (std::vector<unsigned>{0, 1}));
}

// An event after waits stands for what was waited for, though nothing else is in its stream.
TEST(EmulatedStreams, AnEventJoinsStreams) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        set_emulated_device(late(seed));
        const cudaStream_t first = stream();
        const cudaStream_t second = stream();
        const cudaStream_t join = stream();
        std::vector<double> host(2);
        double* host_first = host.data();
        double* host_second = &host[1];
        launch(fill, Dim3{1}, Dim3{1}, 0, first, host_first, 1, 1.0);
        launch(fill, Dim3{1}, Dim3{1}, 0, second, host_second, 1, 2.0);
        order(first, join);
        order(second, join);
        const cudaEvent_t joined = event();
        EXPECT_EQ(cudaEventRecord(joined, join), cudaSuccess);
        if (seed % 2 == 0) {
            EXPECT_EQ(cudaEventSynchronize(joined), cudaSuccess);
        } else {
            EXPECT_EQ(cudaStreamSynchronize(join), cudaSuccess);
        }
        EXPECT_EQ(host, (std::vector<double>{1, 2})) << seed;
    }
}

// An event stands for its last record, and a wait for the record before it.
TEST(EmulatedStreams, AWaitIsForTheRecordBeforeIt) {
    set_emulated_device("late,seed:4");  // the third stream runs at once
    const cudaStream_t first = stream();
    const cudaStream_t second = stream();
    const cudaStream_t third = stream();
    auto* data = on_device<double>(1);
    std::vector<double> host(1);
    const cudaEvent_t passed = event();
    EXPECT_EQ(cudaEventQuery(passed), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(second, passed), cudaSuccess);
    launch(fill, Dim3{1}, Dim3{1}, 0, first, data, 1, 1.0);
    EXPECT_EQ(cudaEventRecord(passed, first), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(third, passed), cudaSuccess);
    launch(add, Dim3{1}, Dim3{1}, 0, first, data, 1, 10.0);
    EXPECT_EQ(cudaEventRecord(passed, first), cudaSuccess);
    read(host, data, third);
    EXPECT_EQ(host[0], 1);
    EXPECT_EQ(cudaEventSynchronize(passed), cudaSuccess);
    read(host, data, third);
    EXPECT_EQ(host[0], 11);
}

TEST(EmulatedStreams, QueriesSayWhenItHasRun) {
    for (unsigned seed = 0; seed < 2; ++seed) {
        set_emulated_device(late(seed));
        const cudaStream_t compute = stream();
        std::vector<double> host(1);
        const cudaEvent_t passed = event();
        EXPECT_EQ(cudaStreamQuery(compute), cudaSuccess);
        launch(fill, Dim3{1}, Dim3{1}, 0, compute, host.data(), 1, 3.0);
        EXPECT_EQ(cudaEventRecord(passed, compute), cudaSuccess);
        EXPECT_EQ(host[0], seed == 0 ? 0 : 3);
        cudaError_t answer = cudaErrorNotReady;
        while (answer == cudaErrorNotReady) answer = cudaEventQuery(passed);
        EXPECT_EQ(answer, cudaSuccess);
        EXPECT_EQ(host[0], 3);
        EXPECT_EQ(cudaStreamQuery(compute), cudaSuccess);
    }
}

TEST(EmulatedStreams, TheDefaultStreamWaitsForBlockingStreams) {
    for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
        std::vector<unsigned> wrong;
        for (unsigned seed = 0; seed < 4; ++seed) {
            set_emulated_device(late(seed));
            const cudaStream_t other = stream(flags);
            auto* data = on_device<double>(1);
            std::vector<double> host(1);
            launch(fill, Dim3{1}, Dim3{1}, 0, other, data, 1, 1.0);
            launch(add, Dim3{1}, Dim3{1}, 0, nullptr, data, 1, 1.0);
            launch(add, Dim3{1}, Dim3{1}, 0, other, data, 1, 1.0);
            EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
            EXPECT_EQ(cudaMemcpy(host.data(), data, 8, cudaMemcpyDeviceToHost), cudaSuccess);
            EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            if (host[0] != 3) wrong.push_back(seed);
        }
        EXPECT_EQ(wrong.empty(), flags == cudaStreamDefault);
    }
}

TEST(EmulatedStreams, ArgumentsAreThoseOfTheLaunch) {
    set_emulated_device("late");
    const cudaStream_t compute = stream();
    auto* data = on_device<double>(100);
    double value = 1.5;
    int count = 100;
    EXPECT_EQ(launch(fill, Dim3{4}, Dim3{32}, 0, compute, data, count, value), cudaSuccess);
    value = 7;
    count = 0;
    std::vector<double> host(100);
    read(host, data, compute);
    EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
    EXPECT_EQ(host, std::vector<double>(100, 1.5));
}

struct Lines {
    const double* from;
    double* to;
    int count;
    template <class Reach>
    void reach(const Reach& reach) {
        from = reach(from);
        to = reach(to);
    }
};
void copy_lines(Lines lines, double factor) {
    for (int i = 0; i < lines.count; ++i) lines.to[i] = factor * lines.from[i];
}

TEST(EmulatedStreams, ArgumentsMayHoldAddresses) {
    set_emulated_device("");
    const cudaStream_t compute = stream();
    auto* from = on_device<double>(4);
    auto* to = on_device<double>(4);
    std::vector<double> host = {1, 2, 3, 4};
    write(host, from, compute);
    EXPECT_EQ(launch(copy_lines, Dim3{1}, Dim3{1}, 0, compute, Lines{from, to, 4}, 3), cudaSuccess);
    read(host, to, compute);
    EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
    EXPECT_EQ(host, (std::vector<double>{3, 6, 9, 12}));
}

void note_place(int* places) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    ++places[block * blockDim.x * blockDim.y * blockDim.z + thread];
}

TEST(EmulatedStreams, EveryThreadOfAGridRunsOnce) {
    set_emulated_device("");
    std::vector<int> host(2 * 3 * 4 * 5 * 2 * 3);
    EXPECT_EQ(launch(note_place, Dim3{2, 3, 4}, Dim3{5, 2, 3}, 0, nullptr, host.data()),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(host, std::vector<int>(host.size(), 1));
}

TEST(EmulatedStreams, HostFunctionsRunInTheirStream) {
    for (unsigned seed = 0; seed < 2; ++seed) {
        set_emulated_device(late(seed));
        const cudaStream_t compute = stream();
        std::vector<double> host(1);
        launch(fill, Dim3{1}, Dim3{1}, 0, compute, host.data(), 1, 4.0);
        const auto twice = [](void* value) { *static_cast<double*>(value) *= 2; };
        EXPECT_EQ(cudaLaunchHostFunc(compute, twice, host.data()), cudaSuccess);
        launch(add, Dim3{1}, Dim3{1}, 0, compute, host.data(), 1, 1.0);
        EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
        EXPECT_EQ(host[0], 9);
    }
}

TEST(EmulatedStreams, WhatIsInADestroyedStreamRuns) {
    set_emulated_device("late");
    const cudaStream_t gone = stream();
    const cudaStream_t other = stream();
    std::vector<double> host(1);
    const cudaEvent_t passed = event();
    launch(fill, Dim3{1}, Dim3{1}, 0, gone, host.data(), 1, 4.0);
    EXPECT_EQ(cudaEventRecord(passed, gone), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(gone), cudaSuccess);
    EXPECT_EQ(host[0], 4);
    EXPECT_EQ(cudaEventQuery(passed), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(other, passed), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(passed), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
}

TEST(EmulatedStreams, TimedEventsKnowWhenTheyPassed) {
    set_emulated_device("late");
    const cudaStream_t compute = stream();
    const cudaEvent_t from = event(cudaEventDefault);
    const cudaEvent_t to = event(cudaEventDefault);
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, from, to), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(from, compute), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(to, compute), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, from, to), cudaErrorNotReady);
    EXPECT_EQ(cudaEventSynchronize(to), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, from, to), cudaSuccess);
    EXPECT_GE(milliseconds, 0);
    EXPECT_EQ(cudaEventRecord(to, compute), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, from, to), cudaErrorNotReady);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, from, event()), cudaErrorInvalidResourceHandle);
}

TEST(EmulatedStreams, LaunchesAllocateNothingOnceTheyRan) {
    set_emulated_device("delay:0");
    const cudaStream_t first = stream();
    const cudaStream_t second = stream();
    const cudaEvent_t passed = event();
    auto* data = on_device<double>(64);
    std::vector<double> host(64);
    const auto round = [&] {
        write(host, data, first);
        launch(add_to, Dim3{1}, Dim3{64}, 0, first, data, data, 64, 1.0);
        (void)cudaEventRecord(passed, first);
        (void)cudaStreamWaitEvent(second, passed);
        read(host, data, second);
        (void)cudaStreamSynchronize(second);
    };
    round();
    weft::test::count_allocations(true);
    for (int i = 0; i < 100; ++i) round();
    const long counted = weft::test::allocations();
    weft::test::count_allocations(false);
    EXPECT_EQ(counted, 0);
    EXPECT_EQ(host, std::vector<double>(64, 101));
}

TEST(EmulatedStreams, ThreadsUseStreamsOfTheirOwn) {
    set_emulated_device("delay:10");
    std::array<double, 4> sums{};
    std::vector<std::thread> threads;
    threads.reserve(sums.size());
    for (std::size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&sums, t] {
            const cudaStream_t own = stream();
            auto* data = on_device<double>(16);
            std::vector<double> host(16, static_cast<double>(t));
            write(host, data, own);
            for (int i = 0; i < 20; ++i) launch(add, Dim3{1}, Dim3{16}, 0, own, data, 16, 1.0);
            read(host, data, own);
            EXPECT_EQ(cudaStreamSynchronize(own), cudaSuccess);
            EXPECT_EQ(cudaStreamDestroy(own), cudaSuccess);
            EXPECT_EQ(cudaFree(data), cudaSuccess);
            for (const double value : host) sums[t] += value;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sums, (std::array<double, 4>{320, 336, 352, 368}));
}

}  // namespace

}  // namespace weft::core::emulated
