#include "exchange/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

using Schedules = std::vector<std::vector<ScheduleStage>>;

Schedules of_all_places(const Asked& asked, int places) {
    Schedules result;
    for (int place = 0; place < places; ++place) {
        result.push_back(schedule(asked.order, asked.radix, places, place));
    }
    return result;
}

bool less(const Block& a, const Block& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
}
using Held = std::set<Block, decltype(&less)>;

// Blocks are handed on as the rounds say; every one comes to its target, in so many hops.
void expect_delivery(const Asked& asked, int places) {
    const Schedules schedules = of_all_places(asked, places);
    std::vector<Held> held;
    long long sent = 0;
    long long expected = 0;
    for (int place = 0; place < places; ++place) {
        held.emplace_back(&less);
        for (int target = 0; target < places; ++target) {
            held.back().insert({place, target});
            expected += hops(asked.order, asked.radix, places, {place, target});
        }
    }
    for (std::size_t stage = 0; stage < schedules.front().size(); ++stage) {
        std::vector<Held> next;
        for (int place = 0; place < places; ++place) {
            const ScheduleStage& own = schedules[static_cast<std::size_t>(place)][stage];
            Held& mine = held[static_cast<std::size_t>(place)];
            next.emplace_back(own.kept.begin(), own.kept.end(), &less);
            for (const Block& block : own.kept) ASSERT_EQ(mine.erase(block), 1U);
            for (std::size_t r = 0; r < own.rounds.size(); ++r) {
                const Round& round = own.rounds[r];
                for (const Block& block : round.sends) ASSERT_EQ(mine.erase(block), 1U);
                sent += static_cast<long long>(round.sends.size());
                next.back().insert(round.receives.begin(), round.receives.end());
                if (round.to == -1) continue;
                ASSERT_NE(round.to, place);
                const ScheduleStage& theirs = schedules[static_cast<std::size_t>(round.to)][stage];
                ASSERT_EQ(theirs.rounds.size(), own.rounds.size());
                ASSERT_EQ(theirs.rounds[r].from, place);
                ASSERT_EQ(theirs.rounds[r].receives, round.sends);
            }
            ASSERT_TRUE(mine.empty()) << "a block is neither kept nor sent";
        }
        held = std::move(next);
    }
    for (int place = 0; place < places; ++place) {
        const Held& mine = held[static_cast<std::size_t>(place)];
        ASSERT_EQ(mine.size(), static_cast<std::size_t>(places));
        for (const Block& block : mine) ASSERT_EQ(block.target, place);
    }
    EXPECT_EQ(sent, expected);
}

TEST(Schedule, BringsEveryBlockToItsTarget) {
    for (const Asked& asked : all) {
        for (int places = 1; places <= 27; ++places) {
            SCOPED_TRACE(places);
            expect_delivery(asked, places);
            if (HasFatalFailure()) return;
        }
        expect_delivery(asked, 97);
    }
}

TEST(Schedule, OfKWayHasLogarithmicallyManyStages) {
    const auto stages = schedule(Order::kway, 4, 4096, 17);
    EXPECT_EQ(stages.size(), 6U);
    for (const ScheduleStage& stage : stages) EXPECT_EQ(stage.rounds.size(), 3U);
    EXPECT_EQ(schedule(Order::kway, 2, 4093, 5).size(), 12U);  // a prime
    EXPECT_EQ(schedule(Order::kway, 64, 4096, 5).size(), 2U);
    EXPECT_EQ(schedule(Order::kway, 5000, 4096, 5).size(), 1U);
}

// Any two meet once, nobody meets two at a time, at 4096 and other numbers of ranks.
TEST(Schedule, PairwiseIsATournament) {
    for (const int places : {4096, 1000, 1001}) {
        const auto first = schedule(Order::pairwise, 0, places, 0).front().rounds;
        const auto last = schedule(Order::pairwise, 0, places, places - 1).front().rounds;
        EXPECT_EQ(first.size(), static_cast<std::size_t>(places % 2 == 0 ? places - 1 : places));
        for (const auto* rounds : {&first, &last}) {
            std::set<int> met;
            for (const Round& round : *rounds) {
                EXPECT_EQ(round.to, round.from);
                if (round.to == -1) continue;
                EXPECT_TRUE(met.insert(round.to).second);
            }
            EXPECT_EQ(met.size(), static_cast<std::size_t>(places) - 1);
        }
    }
}

}  // namespace

}  // namespace weft::core
