// Blocks of emulated threads: they do what a GPU's do, and tell what a GPU would not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <set>
#include <vector>

#include "testing/emulated/cuda/block.hpp"
#include "weft/error.hpp"

namespace weft::core::emulated {

namespace {

template <class Body>
std::string refusal_of(const Body& body) {
    try {
        body();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::wrong_result);
        return error.what();
    }
    return "";
}

TEST(EmulatedBlock, EveryThreadOfEveryBlockRunsOnce) {
    std::vector<int> runs(2 * 3 * 2 * 4 * 2 * 3, 0);
    run_grid({2, 3, 2}, {4, 2, 3}, 0, [&] {
        const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        ++runs[block * 24 + thread];
    });
    EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
}

/// Each block sums 64 numbers as a tree in shared memory.
std::vector<double> sums_of_blocks(bool with_barriers) {
    std::vector<double> sums(5, -1);
    run_grid({5}, {64}, 64 * sizeof(double), [&] {
        auto* shared = reinterpret_cast<double*>(shared_memory());
        shared[threadIdx.x] = threadIdx.x + 100.0 * blockIdx.x;
        for (unsigned half = 32; half > 0; half /= 2) {
            if (with_barriers) __syncthreads();
            if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
        }
        if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
    });
    return sums;
}

TEST(EmulatedBlock, BarriersOrderSharedMemory) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        set_thread_order(seed);
        EXPECT_EQ(sums_of_blocks(true), (std::vector<double>{2016, 8416, 14816, 21216, 27616}));
    }
}

TEST(EmulatedBlock, MissingBarrierGivesWrongResults) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        set_thread_order(seed);
        EXPECT_NE(sums_of_blocks(false), sums_of_blocks(true)) << seed;
    }
}

TEST(EmulatedBlock, ThreadsKeepTheirVariablesAndIndicesOverBarriers) {
    std::vector<unsigned> found(32, 0);
    run_grid({1}, {8, 4}, 0, [&] {
        const unsigned before = threadIdx.y * 8 + threadIdx.x;
        for (int i = 0; i < 3; ++i) __syncthreads();
        if (before == threadIdx.y * 8 + threadIdx.x) found[before] = before;
    });
    std::vector<unsigned> expected(32);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(found, expected);
}

TEST(EmulatedBlock, OrderIsDrawnFromTheSeed) {
    const auto order = [](std::uint64_t seed) {
        std::vector<unsigned> result;
        set_thread_order(seed);
        run_grid({5}, {16}, 0, [&] { result.push_back(16 * blockIdx.x + threadIdx.x); });
        return result;
    };
    EXPECT_EQ(order(7), order(7));
    std::set<std::vector<unsigned>> orders;
    std::set<unsigned> first_blocks;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        orders.insert(order(seed));
        first_blocks.insert(order(seed).front() / 16);
    }
    EXPECT_EQ(orders.size(), 30U);
    EXPECT_EQ(first_blocks.size(), 5U);
}

TEST(EmulatedBlock, SharedMemoryStartsAsNaN) {
    int wrong = 0;
    run_grid({3}, {4}, 4 * sizeof(double), [&] {
        auto* shared = reinterpret_cast<double*>(shared_memory());
        if (shared[threadIdx.x] == shared[threadIdx.x]) ++wrong;
        shared[threadIdx.x] = 1;
    });
    EXPECT_EQ(wrong, 0);
}

TEST(EmulatedBlock, ThreadThatEndsBeforeABarrierIsFound) {
    const std::string what = refusal_of([] {
        run_grid({2}, {8}, 0, [] {
            if (threadIdx.x != 5) __syncthreads();
        });
    });
    EXPECT_THAT(what, testing::HasSubstr("7 of 8 threads of block ("));
    // What follows is not disturbed.
    EXPECT_EQ(sums_of_blocks(true)[0], 2016);
}

TEST(EmulatedBlock, ThreadsAtTwoBarriersAreFound) {
    const std::string what = refusal_of([] {
        run_grid({1}, {8}, 0, [] {
            // Two places are what this is about.
            if (threadIdx.x < 4) {  // NOLINT(bugprone-branch-clone)
                __syncthreads();
            } else {
                __syncthreads();
            }
        });
    });
    EXPECT_THAT(what, testing::HasSubstr("let all threads of a block come to the same"));
}

TEST(EmulatedBlock, WritePastSharedMemoryIsFound) {
    const auto write = [](std::size_t at) {
        return refusal_of([&] {
            run_grid({1}, {4}, 100, [&] {
                // Volatile, and through a number, so that no compiler or sanitizer knows better.
                auto* byte = reinterpret_cast<volatile unsigned char*>(shared_memory());
                if (threadIdx.x == 2) byte[at] = 0;
            });
        });
    };
    EXPECT_EQ(write(99), "");
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_THAT(write(100), testing::HasSubstr("byte 100 of its 100 bytes"));
    EXPECT_THAT(write(3000), testing::HasSubstr("byte 3000 of its 100 bytes"));
#else
    EXPECT_DEATH(write(100), "use-after-poison");
#endif
}

TEST(EmulatedBlock, WhatAThreadThrowsIsThrownAndLeavesNothing) {
    struct Counted {
        explicit Counted(int& all) : count(all) { ++count; }
        ~Counted() { --count; }
        Counted(const Counted&) = delete;
        Counted& operator=(const Counted&) = delete;
        int& count;
    };
    int alive = 0;
    const auto run = [&] {
        run_grid({3}, {16}, 0, [&] {
            const Counted counted(alive);
            __syncthreads();
            if (threadIdx.x == 3) throw std::runtime_error("thread 3");
            __syncthreads();
        });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(sums_of_blocks(true)[0], 2016);
}

}  // namespace

}  // namespace weft::core::emulated
