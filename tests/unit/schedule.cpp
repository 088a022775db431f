#include "exchange/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace weft::core {

namespace {

struct Asked {
    Order order;
    int radix;
};

const std::vector<Asked> all = {{Order::direct, 0}, {Order::pairwise, 0}, {Order::kway, 2},
                                {Order::kway, 3},   {Order::kway, 4},     {Order::kway, 10},
                                {Order::kway, 1000}};

std::vector<int> numbers(int count) {
    std::vector<int> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), 0);
    return result;
}

/// That of a rank which has something for everyone, and gets something from everyone.
std::vector<ScheduleStage> full_schedule(const Asked& asked, int ranks, int rank) {
    return schedule(asked.order, asked.radix, ranks, rank, numbers(ranks), numbers(ranks));
}

using Schedules = std::vector<std::vector<ScheduleStage>>;

Schedules of_all_ranks(const Asked& asked, int ranks) {
    Schedules result;
    for (int rank = 0; rank < ranks; ++rank) result.push_back(full_schedule(asked, ranks, rank));
    return result;
}

bool less(const Block& a, const Block& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
}
using Held = std::set<Block, decltype(&less)>;

/// The blocks that go to that peer (come from it) in a round.
std::vector<Block> message(const std::vector<Passage>& passages, int peer, int round) {
    std::vector<Block> result;
    for (const Passage& one : passages) {
        if (one.peer == peer && one.round == round) result.push_back(one.block);
    }
    return result;
}

/// In each round a rank has one peer at most, and the passages of a round follow each other.
void expect_rounds(const ScheduleStage& stage, const std::vector<Passage>& passages, int rank) {
    for (std::size_t i = 0; i < passages.size(); ++i) {
        ASSERT_NE(passages[i].peer, rank);
        ASSERT_GE(passages[i].round, i > 0 ? passages[i - 1].round : 0);
        ASSERT_LT(passages[i].round, stage.rounds);
        if (i == 0 || passages[i].round != passages[i - 1].round) continue;
        ASSERT_EQ(passages[i].peer, passages[i - 1].peer);
    }
}

// Blocks are handed on as the rounds say; every one comes to its target, in so many hops.
void expect_delivery(const Asked& asked, int ranks) {
    const Schedules schedules = of_all_ranks(asked, ranks);
    std::vector<Held> held;
    long long sent = 0;
    long long expected = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        held.emplace_back(&less);
        for (int target = 0; target < ranks; ++target) {
            held.back().insert({rank, target});
            expected += hops(asked.order, asked.radix, ranks, {rank, target});
        }
    }
    for (std::size_t stage = 0; stage < schedules.front().size(); ++stage) {
        std::vector<Held> next;
        for (int rank = 0; rank < ranks; ++rank) {
            const ScheduleStage& own = schedules[static_cast<std::size_t>(rank)][stage];
            expect_rounds(own, own.sends, rank);
            expect_rounds(own, own.receives, rank);
            Held& mine = held[static_cast<std::size_t>(rank)];
            next.emplace_back(own.kept.begin(), own.kept.end(), &less);
            for (const Block& block : own.kept) ASSERT_EQ(mine.erase(block), 1U);
            for (const Passage& one : own.receives) next.back().insert(one.block);
            for (const Passage& one : own.sends) {
                ASSERT_EQ(mine.erase(one.block), 1U);
                ++sent;
                const ScheduleStage& theirs = schedules[static_cast<std::size_t>(one.peer)][stage];
                ASSERT_EQ(theirs.rounds, own.rounds);
                ASSERT_EQ(message(theirs.receives, rank, one.round),
                          message(own.sends, one.peer, one.round));
            }
            ASSERT_TRUE(mine.empty()) << "a block is neither kept nor sent";
        }
        held = std::move(next);
    }
    for (int rank = 0; rank < ranks; ++rank) {
        const Held& mine = held[static_cast<std::size_t>(rank)];
        ASSERT_EQ(mine.size(), static_cast<std::size_t>(ranks));
        for (const Block& block : mine) ASSERT_EQ(block.target, rank);
    }
    EXPECT_EQ(sent, expected);
}

TEST(Schedule, BringsEveryBlockToItsTarget) {
    for (const Asked& asked : all) {
        for (int ranks = 1; ranks <= 27; ++ranks) {
            SCOPED_TRACE(ranks);
            expect_delivery(asked, ranks);
            if (HasFatalFailure()) return;
        }
        expect_delivery(asked, 97);
    }
}

TEST(Schedule, OfKWayHasLogarithmicallyManyStages) {
    const auto stages = full_schedule({Order::kway, 4}, 4096, 17);
    EXPECT_EQ(stages.size(), 6U);
    for (const ScheduleStage& stage : stages) EXPECT_EQ(stage.rounds, 3);
    EXPECT_EQ(full_schedule({Order::kway, 2}, 4093, 5).size(), 12U);  // a prime
    EXPECT_EQ(full_schedule({Order::kway, 64}, 4096, 5).size(), 2U);
    EXPECT_EQ(full_schedule({Order::kway, 5000}, 4096, 5).size(), 1U);
}

// Of each number of stages that there is the least radix is among those that are compared.
TEST(Schedule, ComparesARadixOfEachNumberOfStages) {
    EXPECT_EQ(radices(24), (std::vector<int>{2, 3, 4, 5, 8, 16, 24}));
    EXPECT_EQ(radices(2), std::vector<int>{2});
    EXPECT_TRUE(radices(1).empty());
    for (const int ranks : {3, 7, 64, 97, 1000}) {
        const std::vector<int> compared = radices(ranks);
        int before = 0;
        for (int radix = 2; radix <= ranks; ++radix) {
            const auto stages =
                static_cast<int>(full_schedule({Order::kway, radix}, ranks, 1).size());
            EXPECT_EQ(stages_of(Order::kway, radix, ranks), stages) << radix << " of " << ranks;
            if (stages == before) continue;
            before = stages;
            EXPECT_EQ(std::count(compared.begin(), compared.end(), radix), 1)
                << radix << " of " << ranks;
        }
    }
    EXPECT_LE(radices(131072).size(), 35U);
}

// Any two meet once, nobody meets two at a time, at 4096 and other numbers of ranks.
TEST(Schedule, PairwiseIsATournament) {
    for (const int ranks : {4096, 1000, 1001}) {
        for (const int rank : {0, ranks - 1}) {
            const ScheduleStage stage = full_schedule({Order::pairwise, 0}, ranks, rank).front();
            EXPECT_EQ(stage.rounds, ranks % 2 == 0 ? ranks - 1 : ranks);
            ASSERT_EQ(stage.sends.size(), static_cast<std::size_t>(ranks) - 1);
            ASSERT_EQ(stage.receives.size(), stage.sends.size());
            std::set<int> met;
            std::set<int> rounds;
            for (std::size_t i = 0; i < stage.sends.size(); ++i) {
                EXPECT_EQ(stage.sends[i].peer, stage.receives[i].peer);
                EXPECT_EQ(stage.sends[i].round, stage.receives[i].round);
                EXPECT_TRUE(met.insert(stage.sends[i].peer).second);
                EXPECT_TRUE(rounds.insert(stage.sends[i].round).second);
            }
        }
    }
}

// A rank with few peers has their rounds only, however many ranks there are.
TEST(Schedule, OfFewPeersIsShort) {
    const auto stages = schedule(Order::direct, 0, 131072, 7, {7, 9}, {5, 7});
    ASSERT_EQ(stages.size(), 1U);
    EXPECT_EQ(stages.front().rounds, 131071);
    EXPECT_EQ(stages.front().sends, (std::vector<Passage>{{{7, 9}, 9, 1}}));
    EXPECT_EQ(stages.front().receives, (std::vector<Passage>{{{5, 7}, 5, 1}}));
    EXPECT_EQ(stages.front().kept, (std::vector<Block>{{7, 7}}));
}

}  // namespace

}  // namespace weft::core
