// The counters of windows, by themselves.
#include <gtest/gtest.h>

#include "threads/run_ranks.hpp"
#include "threads/thread_net.hpp"

namespace weft::core::test {

namespace {

/// Reads and is read by all others.
ExchangeTask all_to_all(int rank, int ranks) {
    ExchangeTask task;
    task.window = 0;
    for (int peer = 0; peer < ranks; ++peer) {
        if (peer == rank) continue;
        task.sends.push_back({peer, {}});
        task.receives.push_back({peer, {}});
    }
    return task;
}

TEST(Windows, AreReadOncePostedAndWrittenOnceReleased) {
    constexpr int ranks = 3;
    constexpr int times = 500;
    ThreadWorld world(ranks);
    std::vector<long> sums(ranks, 0);
    run_ranks(ranks, [&](int rank) {
        const auto net = world.net(rank);
        net->share({sizeof(long)});
        SharedWindow& window = net->window(0);
        const auto value = [&](int of) { return reinterpret_cast<long*>(window.of(of)); };
        const auto channel = net->open(all_to_all(rank, ranks), {});
        for (int time = 0; time < times; ++time) {
            window.claim(true);
            *value(rank) = (rank + 1) * time;
            channel->start({});
            channel->wait();
            for (int peer = 0; peer < ranks; ++peer) {
                sums[static_cast<std::size_t>(rank)] += *value(peer);
            }
            channel->release();
        }
    });
    // 1 + 2 + 3 for each of 0 + 1 + .. + 499
    EXPECT_EQ(sums, std::vector<long>(ranks, 6L * times * (times - 1) / 2));
}

}  // namespace

}  // namespace weft::core::test
