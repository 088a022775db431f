#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "testing/net/local.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// A task of ints (4 bytes) within a group of all ranks.
ExchangeTask task_of(int ranks) {
    ExchangeTask task;
    task.transport = TransportId::alltoallv;
    task.group.key = "all";
    task.element_bytes = 4;
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    task.group.ranks = std::move(all);
    return task;
}

const std::byte* bytes(const int* data) { return reinterpret_cast<const std::byte*>(data); }
std::byte* bytes(int* data) { return reinterpret_cast<std::byte*>(data); }

struct Two {
    explicit Two(const LocalOptions& options)
        : world(2, options), first(world.net(0)), second(world.net(1)) {}
    LocalWorld world;
    std::unique_ptr<Net> first;
    std::unique_ptr<Net> second;
};

/// A message of one int, from the first to the second.
struct OneInt {
    explicit OneInt(Two& two) {
        ExchangeTask send = task_of(2);
        send.sends = {{1, {{0, {{1, 1}}}}}};
        ExchangeTask receive = task_of(2);
        receive.receives = {{0, {{0, {{1, 1}}}}}};
        sender = two.first->open(send, {});
        receiver = two.second->open(receive, {});
    }
    std::unique_ptr<Channel> sender;
    std::unique_ptr<Channel> receiver;
};

TEST(LocalNet, CarriesSlicesInOrderOfTravel) {
    Two two({0, 0, false});
    const std::array<int, 6> from = {0, 1, 2, 3, 4, 5};
    std::array<int, 6> to = {-1, -1, -1, -1, -1, -1};
    ExchangeTask send = task_of(2);
    send.sends = {{1, {{0, {{3, 1}, {2, 3}}}}}};  // the transpose of 2 x 3
    ExchangeTask receive = task_of(2);
    receive.receives = {{0, {{5, {{6, -1}}}}}};
    const auto sender = two.first->open(send, {});
    const auto receiver = two.second->open(receive, {});
    sender->start({bytes(from.data()), nullptr});
    receiver->start({nullptr, bytes(to.data())});
    EXPECT_EQ(two.world.undelivered(), 1U);
    EXPECT_TRUE(sender->test());
    EXPECT_TRUE(receiver->test());
    EXPECT_EQ(to, (std::array<int, 6>{5, 2, 4, 1, 3, 0}));
    EXPECT_EQ(two.world.undelivered(), 0U);
}

TEST(LocalNet, DelaysMessagesByTheSeed) {
    std::vector<int> looks(8, 0);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Two two({seed, 4, false});
        const int from = 7;
        int to = 0;
        const auto [sender, receiver] = OneInt(two);
        sender->start({bytes(&from), nullptr});
        receiver->start({nullptr, bytes(&to)});
        std::size_t count = 0;
        while (!receiver->test()) {
            EXPECT_EQ(to, 0);
            ASSERT_LT(++count, looks.size());
        }
        EXPECT_EQ(to, 7);
        ++looks[count];
    }
    for (std::size_t delay = 0; delay <= 4; ++delay) EXPECT_GT(looks[delay], 5) << delay;
    EXPECT_EQ(looks[5], 0);
}

TEST(LocalNet, WithRendezvousASendEndsWhenItIsTaken) {
    Two two({0, 0, true});
    int from = 1;
    int to = 0;
    const auto [sender, receiver] = OneInt(two);
    sender->start({bytes(&from), nullptr});
    EXPECT_FALSE(sender->test());
    EXPECT_THROW(sender->wait(), Error);
    from = 2;  // too early, and it shows
    receiver->start({nullptr, bytes(&to)});
    EXPECT_TRUE(receiver->test());
    EXPECT_TRUE(sender->test());
    EXPECT_EQ(to, 2);
}

TEST(LocalNet, CanBeUsedAgain) {
    Two two({5, 3, false});
    std::array<int, 2> from = {0, 0};
    std::array<int, 2> to = {0, 0};
    ExchangeTask left = task_of(2);
    left.sends = {{1, {{0, {{1, 1}}}}}};
    left.receives = {{1, {{0, {{1, 1}}}}}};
    ExchangeTask right = left;
    right.sends.front().peer = right.receives.front().peer = 0;
    const auto a = two.first->open(left, {});
    const auto b = two.second->open(right, {});
    for (int i = 1; i < 20; ++i) {
        from = {i, -i};
        a->start({bytes(from.data()), bytes(to.data())});
        b->start({bytes(from.data() + 1), bytes(to.data() + 1)});
        bool done_a = false;
        bool done_b = false;
        while (!done_a || !done_b) {
            done_a = done_a || a->test();
            done_b = done_b || b->test();
        }
        EXPECT_EQ(to, (std::array<int, 2>{-i, i}));
    }
}

TEST(LocalNet, FindsThatSizesDoNotMatch) {
    for (const bool rendezvous : {false, true}) {
        Two two({0, 0, rendezvous});
        const std::array<int, 2> from = {1, 2};
        std::array<int, 2> to = {0, 0};
        ExchangeTask send = task_of(2);
        send.sends = {{1, {{0, {{2, 1}}}}}};
        ExchangeTask receive = task_of(2);
        receive.receives = {{0, {{0, {{1, 1}}}}}};
        const auto sender = two.first->open(send, {});
        const auto receiver = two.second->open(receive, {});
        sender->start({bytes(from.data()), nullptr});
        receiver->start({nullptr, bytes(to.data())});
        EXPECT_THROW(receiver->test(), Error);
    }
}

TEST(LocalNet, RefusesAMessageOutsideTheGroup) {
    LocalWorld world(3, {});
    const auto net = world.net(0);
    ExchangeTask task = task_of(2);
    task.sends = {{2, {{0, {{1, 1}}}}}};
    EXPECT_THROW(net->open(task, {}), Error);
    task.sends.clear();
    task.receives = {{2, {{0, {{1, 1}}}}}};
    EXPECT_THROW(net->open(task, {}), Error);
    task.receives.front().peer = 1;
    EXPECT_NO_THROW(net->open(task, {}));
    EXPECT_EQ(net->rank(), 0);
    EXPECT_EQ(net->ranks(), 3);
}

// What was published is read in its owner's memory, and written again only once it has been.
TEST(LocalNet, LetsPeersReadRegionsUntilTheyRelease) {
    Two two({0, 2, false});
    two.first->share({8});
    two.second->share({8});
    RegionTask offers;
    offers.offered = {{1, {{0, {{2, 1}}}}}};
    RegionTask reads;
    reads.used = {{0, {{0, {{2, 1}}}}}};
    SharedRegion& region = two.first->region(0);
    const auto owner = region.open(offers);
    const auto reader = two.second->region(0).open(reads);
    for (int time = 0; time < 3; ++time) {
        EXPECT_TRUE(region.reclaim(false));
        reader->publish();
        EXPECT_FALSE(reader->await(false));
        *reinterpret_cast<int*>(region.of(0)) = time;
        owner->publish();
        EXPECT_FALSE(region.reclaim(false));
        int looks = 0;
        while (!reader->await(false) && looks < 10) ++looks;
        EXPECT_LE(looks, 2);
        EXPECT_EQ(*reinterpret_cast<int*>(two.second->region(0).of(0)), time);
        reader->release();
    }
    EXPECT_TRUE(region.reclaim(false));
}

TEST(LocalNet, RefusesRegionsOfOtherNodes) {
    LocalOptions options;
    options.ranks_per_node = 2;
    LocalWorld world(3, options);
    const auto net = world.net(0);
    net->share({8});
    RegionTask task;
    task.used = {{2, {{0, {{2, 1}}}}}};
    EXPECT_THROW(net->region(0).open(task), Error);
    EXPECT_EQ(net->region(0).of(2), nullptr);
    task.used.front().peer = 1;
    EXPECT_NO_THROW(net->region(0).open(task));
}

}  // namespace

}  // namespace weft::core
