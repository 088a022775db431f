// What messages take that are started together, and the links that they share, against loads that
// are counted step by step for every pair of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "model/network_load.hpp"
#include "model/price.hpp"

namespace weft::core {

namespace {

Machine machine_of(const Network& network) {
    Machine machine;
    machine.name = "network";
    machine.between = {2e-6, 1e9};
    machine.inside = machine.between;
    machine.injection = 1e9;
    machine.network = network;
    machine.memory = {1e12, 1, 1};
    machine.engines["native"] = {1e16};
    machine.other_engines = "native";
    return machine;
}

Network torus(const std::vector<int>& extents) {
    Network network;
    network.shape = Network::Shape::torus;
    network.dimensions = static_cast<int>(extents.size());
    network.link = 1e6;
    network.extents = extents;
    return network;
}

std::vector<int> ranks_from(int first, int step, int count) {
    std::vector<int> result;
    result.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) result.push_back(first + i * step);
    return result;
}

std::vector<SizedMessage> to_all_others(const std::vector<int>& group, int rank, double bytes) {
    std::vector<SizedMessage> result;
    for (const int peer : group) {
        if (peer != rank) result.push_back({peer, bytes});
    }
    return result;
}

/// Bytes of each link, by its node, dimension and direction.
class Links {
  public:
    explicit Links(std::vector<int> extents) : extents_(std::move(extents)) {}

    /// Step by step.
    void send(int from, int to, double bytes) {
        int below = 1;
        for (std::size_t d = 0; d < extents_.size(); ++d) {
            const int extent = extents_[d];
            const int target = to / below % extent;
            const int ahead = (target - from / below % extent + extent) % extent;
            const bool up = 2 * ahead <= extent;
            while (from / below % extent != target) {
                bytes_[{from, 2 * static_cast<int>(d) + (up ? 1 : 0)}] += bytes;
                const int at = from / below % extent;
                from += ((at + (up ? 1 : extent - 1)) % extent - at) * below;
            }
            below *= extent;
        }
    }
    [[nodiscard]] double busiest() const {
        double most = 0;
        for (const auto& [link, bytes] : bytes_) most = std::max(most, bytes);
        return most;
    }

  private:
    std::vector<int> extents_;
    std::map<std::pair<int, int>, double> bytes_;
};

// The example of model/network_load.hpp.
TEST(NetworkLoad, IsThatOfTheBusiestLinkOfARing) {
    const Machine machine = machine_of(torus({8}));
    const Site site{machine, 8};
    const std::vector<int> group = {0, 1, 2, 3};
    for (const int rank : group) {
        EXPECT_DOUBLE_EQ(
            busiest_link_seconds(site, rank, to_all_others(group, rank, 1e6), group, true),
            2e-6 + 4);
    }
    EXPECT_EQ(busiest_link_seconds(site, 5, {}, {5}, true), 0);
}

TEST(NetworkLoad, IsWhatAllPairsOfGroupsSendOverATorus) {
    for (const std::vector<int>& extents :
         {std::vector{8}, {4, 4}, {6, 4}, {4, 4, 2}, {3, 5}, {8, 8, 4}}) {
        const int nodes = std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
        const Machine machine = machine_of(torus(extents));
        const Site site{machine, nodes};
        int size = 1;
        for (const int extent : extents) {
            size *= extent;
            for (const int step : {1, nodes / size}) {
                Links links(extents);
                for (int first = 0; first < nodes / size; ++first) {
                    const auto group = ranks_from(step == 1 ? first * size : first, step, size);
                    for (const int from : group) {
                        for (const int to : group) links.send(from, to, 1);
                    }
                }
                const auto group = ranks_from(0, step, size);
                const int rank = group[group.size() / 2];
                EXPECT_NEAR(
                    busiest_link_seconds(site, rank, to_all_others(group, rank, 1), group, true),
                    2e-6 + links.busiest() / 1e6, 1e-12)
                    << nodes << " nodes, " << size << " ranks " << step << " apart";
            }
        }
    }
}

// Nodes 0 to 3 are on one switch, whose links carry half of what four nodes can send.
TEST(NetworkLoad, CountsWhatLeavesASwitch) {
    Network tree;
    tree.shape = Network::Shape::tree;
    tree.taper = 0.5;
    tree.leaf = 4;
    const Machine machine = machine_of(tree);
    const Site site{machine, 16};
    const auto all = ranks_from(0, 1, 16);
    const auto seconds = [&](int rank, int peer, bool paired) {
        return busiest_link_seconds(site, rank, {{peer, 1e9}}, all, paired);
    };
    // To the next rank one of four sends to another switch, whichever rank one looks at.
    EXPECT_DOUBLE_EQ(seconds(0, 1, false), 2e-6 + 1 / (4 * 0.5));
    EXPECT_DOUBLE_EQ(seconds(3, 4, false), 2e-6 + 1 / (4 * 0.5));
    EXPECT_DOUBLE_EQ(seconds(2, 7, false), 2e-6 + 4 / (4 * 0.5));
    // Pairs: 0 with 1, 2 with 3; 0 with 4, 1 with 5.
    EXPECT_DOUBLE_EQ(seconds(0, 1, true), 0);
    EXPECT_DOUBLE_EQ(seconds(0, 4, true), 2e-6 + 4 / (4 * 0.5));
    // Of 16 groups of two ranks one in each half, each sends 1 GB; of groups on one switch nothing.
    EXPECT_DOUBLE_EQ(busiest_link_seconds(site, 1, {{9, 1e9}}, {1, 9}, true), 2e-6 + 2);
    EXPECT_DOUBLE_EQ(
        busiest_link_seconds(site, 1, to_all_others({0, 1, 2, 3}, 1, 1e9), {0, 1, 2, 3}, true), 0);
}

// Pairs of nodes on a router, which has 1 GB/s to the other one of its group; 2 GB/s to each other
// group.
TEST(NetworkLoad, CountsWhatBlocksOfADragonflySendToEachOther) {
    Network dragonfly;
    dragonfly.shape = Network::Shape::dragonfly;
    dragonfly.blocks = {{2, 1e9}, {4, 2e9}};
    const Machine machine = machine_of(dragonfly);
    const Site site{machine, 16};
    const auto all = ranks_from(0, 1, 16);
    const auto seconds = [&](int rank, int peer) {
        return busiest_link_seconds(site, rank, {{peer, 1e9}}, all, false);
    };
    EXPECT_DOUBLE_EQ(seconds(4, 6), 2e-6 + 2);  // rank 4 to 6, 5 to 7; 6 and 7 to another group
    EXPECT_DOUBLE_EQ(seconds(4, 8), 2e-6 + 4 / 2.0);
    // Spread over all: each rank has 1 GB for each other one, 16 GB from group to group.
    EXPECT_DOUBLE_EQ(busiest_link_seconds(site, 5, to_all_others(all, 5, 1e9), all, true),
                     2e-6 + 16 / 2.0);
    EXPECT_DOUBLE_EQ(*bisection(machine, 16), 4 * 2e9);
}

TEST(NetworkLoad, CountsAllRanksOfANode) {
    Machine machine = machine_of(torus({4}));
    machine.ranks_per_node = 3;
    const Site site{machine, 12};
    // Ranks 0, 3, 6 and 9 in a ring; two more such groups beside them.
    EXPECT_DOUBLE_EQ(busiest_link_seconds(site, 3, {{6, 1e6}}, {0, 3, 6, 9}, false), 2e-6 + 3);
    EXPECT_EQ(busiest_link_seconds(site, 3, {{4, 1e6}}, ranks_from(0, 1, 12), true), 0);
}

// The example of model/exchange_seconds.hpp.
TEST(ExchangeSeconds, WaitForTheLatencyOnceWhereTheOverheadIsKnown) {
    Machine machine = machine_of({});
    machine.injection.reset();
    const Site site{machine, 4};
    const auto seconds = [&](double bytes, int count) {
        return exchange_seconds(site, 0, {{1, bytes, static_cast<double>(count)}}, false);
    };
    EXPECT_DOUBLE_EQ(seconds(100, 3), 3 * (2e-6 + 1e-7));
    machine.between.overhead = 5e-7;
    EXPECT_DOUBLE_EQ(seconds(100, 3), 2e-6 + 2 * 5e-7 + 1e-7);
    EXPECT_DOUBLE_EQ(seconds(1000, 3), 2e-6 + 3e-6);
    EXPECT_DOUBLE_EQ(seconds(1000, 1), 2e-6 + 1e-6);
    EXPECT_EQ(exchange_seconds(site, 0, {}, false), 0);
}

// 16 ranks, four messages at a time, of which the first are one less: 3, 4, 4 and 4.
TEST(ExchangeSeconds, CollectiveCallsStartSoManyMessagesAtATime) {
    Machine machine = machine_of({});
    machine.between.overhead = 5e-7;
    const auto exchange = [&](const std::string& via) {
        const PlanRequest request =
            parse_plan_request("c2c:f64:16x16x16; decomposition=slab; via=" + via);
        return price(make_plan(request, 16), machine).exchange();
    };
    const double bytes = 16.0 * 16 / 1e9;
    EXPECT_NEAR(exchange("alltoallv"), 2e-6 + 14 * 5e-7 + bytes, 1e-12);
    machine.collective_batch = 4;
    EXPECT_NEAR(exchange("alltoallv"), 4 * (2e-6 + bytes) + (2 + 3 + 3 + 3) * 5e-7, 1e-12);
    EXPECT_NEAR(exchange("isend-waitall"), 2e-6 + 14 * 5e-7 + bytes, 1e-12);
}

}  // namespace

}  // namespace weft::core
