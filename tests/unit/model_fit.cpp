// Figures of a machine from what was measured on it.
#include <gtest/gtest.h>

#include "model/fit.hpp"

namespace weft::core {

namespace {

TEST(Fit, ReplacesWhatDescendsByItsMean) {
    EXPECT_EQ(ascending({{1, 5}, {2, 3}, {3, 4}, {4, 9}}), (Table{{1, 4}, {2, 4}, {3, 4}, {4, 9}}));
    EXPECT_EQ(ascending({{1, 3}, {2, 2}, {3, 1}}), (Table{{1, 2}, {2, 2}, {3, 2}}));
    const Table right = {{1, 1}, {2, 1}, {3, 7}};
    EXPECT_EQ(ascending(right), right);
    EXPECT_EQ(ascending({}), Table{});
}

TEST(Fit, TakesTheLatencyFromTheSmallestMessageAndTheBandwidthFromTheLargest) {
    const Link link = fitted_link({{8, 1.2e-6}, {64, 1.0e-6}, {512, 1.6e-6}, {4096, 5.1e-6}});
    EXPECT_DOUBLE_EQ(link.latency, 1.1e-6);
    EXPECT_DOUBLE_EQ(link.bandwidth, 4096 / 4e-6);
    ASSERT_EQ(link.by_size.size(), 4U);
    EXPECT_DOUBLE_EQ(link.by_size[1].y, 1.1e-6);
    // A clock that saw no difference gives a bandwidth that a machine may have.
    const Link flat = fitted_link({{8, 1e-6}, {64, 1e-6}});
    EXPECT_DOUBLE_EQ(flat.bandwidth, 64 / 1e-9);
}

TEST(Fit, ComparesCollectiveCallsWithMessagesOneByOne) {
    EXPECT_EQ(fitted_collective({{8, 3e-6}, {64, 2e-6}}, {{8, 2e-6}, {64, 2e-6}}),
              (Table{{8, 1.5}, {64, 1}}));
    // Where another program took the processor from some, what remains is a factor of a machine's.
    EXPECT_EQ(fitted_collective({{8, 1e-6}, {64, 9}}, {{8, 9}, {64, 1e-6}}),
              (Table{{8, least_factor}, {64, most_factor}}));
}

TEST(Fit, CongestionIsAPowerOfTheMessagesUnderWay) {
    Machine machine;
    machine.between = {1e-5, 1e8};
    const Table seconds = {{2, 1e-5 + 1e-3}, {8, 1e-5 + 2e-3}, {32, 1e-5 + 4e-3}};
    const auto congestion = fitted_congestion(seconds, machine, 1e5, 1);
    ASSERT_TRUE(congestion.has_value());
    EXPECT_EQ(congestion->messages, 2);
    EXPECT_NEAR(congestion->exponent, 0.5, 1e-12);
    // What the ranks of a node share is no congestion, and nothing is faster than alone.
    machine.injection = 1e8;
    EXPECT_FALSE(fitted_congestion({{2, 1e-5 + 2e-3}, {8, 1e-5 + 1e-3}}, machine, 1e5, 2));
    // A message takes what was measured again.
    machine.injection.reset();
    machine.congestion = congestion;
    EXPECT_NEAR(message_seconds(machine, false, 1e5, 8, 1), 1e-5 + 2e-3, 1e-12);
}

TEST(Fit, TheCacheHoldsWhatIsCopiedNearerToTheBestRate) {
    const Table copies = {
        {1e5, 1e5 / 4e10}, {1e6, 1e6 / 3e10}, {1e7, 1e7 / 1.2e10}, {1e8, 1e8 / 1e10}};
    const MemoryRates memory = fitted_memory(copies, 0.04);
    EXPECT_DOUBLE_EQ(memory.cache, 1e6);
    EXPECT_DOUBLE_EQ(memory.copy_rate, 1e10);
    EXPECT_DOUBLE_EQ(memory.pack_rate, 2.5e9);
    // Where all copies are alike there is none.
    EXPECT_DOUBLE_EQ(fitted_memory({{1e5, 1e-5}, {1e8, 1e-2}}, 0.01).cache, 0);
}

}  // namespace

}  // namespace weft::core
