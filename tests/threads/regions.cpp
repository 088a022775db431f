// The counters of regions, by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "threads/run_ranks.hpp"
#include "threads/thread_net.hpp"

namespace weft::core::test {

namespace {

/// Uses the region of all others, and is used by them.
RegionTask all_to_all(int rank, int ranks, RegionAccess access) {
    RegionTask task;
    task.access = access;
    for (int peer = 0; peer < ranks; ++peer) {
        if (peer == rank) continue;
        task.offered.push_back({peer, {}});
        task.used.push_back({peer, {}});
    }
    return task;
}

TEST(Regions, AreReadOncePublishedAndWrittenOnceReleased) {
    constexpr int ranks = 3;
    constexpr int times = 500;
    ThreadWorld world(ranks);
    std::vector<long> sums(ranks, 0);
    run_ranks(ranks, [&](int rank) {
        const auto net = world.net(rank);
        net->share({sizeof(long)});
        SharedRegion& region = net->region(0);
        const auto value = [&](int of) { return reinterpret_cast<long*>(region.of(of)); };
        const auto use = region.open(all_to_all(rank, ranks, RegionAccess::read));
        for (int time = 0; time < times; ++time) {
            region.reclaim(true);
            *value(rank) = (rank + 1) * time;
            use->publish();
            use->await(true);
            for (int peer = 0; peer < ranks; ++peer) {
                sums[static_cast<std::size_t>(rank)] += *value(peer);
            }
            use->release();
        }
    });
    // 1 + 2 + 3 for each of 0 + 1 + .. + 499
    EXPECT_EQ(sums, std::vector<long>(ranks, 6L * times * (times - 1) / 2));
}

TEST(Regions, AreWrittenByOthersBetweenPublishingAndReclaiming) {
    constexpr int ranks = 3;
    constexpr int times = 500;
    ThreadWorld world(ranks);
    std::vector<long> sums(ranks, 0);
    run_ranks(ranks, [&](int rank) {
        const auto net = world.net(rank);
        std::vector<long> array(ranks, 0);
        SharedRegion* region =
            net->expose(reinterpret_cast<std::byte*>(array.data()), ranks * sizeof(long));
        const auto use = region->open(all_to_all(rank, ranks, RegionAccess::write));
        for (int time = 0; time < times; ++time) {
            std::fill(array.begin(), array.end(), -1);
            use->publish();
            use->await(true);
            for (int peer = 0; peer < ranks; ++peer) {
                reinterpret_cast<long*>(region->of(peer))[rank] = (rank + 1) * time;
            }
            use->release();
            region->reclaim(true);
            for (const long one : array) sums[static_cast<std::size_t>(rank)] += one;
        }
    });
    EXPECT_EQ(sums, std::vector<long>(ranks, 6L * times * (times - 1) / 2));
}

}  // namespace

}  // namespace weft::core::test
