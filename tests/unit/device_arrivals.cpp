// Messages hop to the device and are unpacked there as they arrive, whatever arrives first.
#include <gtest/gtest.h>

#include "unit/on_fake.hpp"

namespace weft::core {

namespace {

using test::OnFake;
using test::Pair;

using Ranks = std::vector<std::unique_ptr<OnFake>>;

constexpr const char* problem = "c2c:f64:3x6x8; via=isend-waitsome; pack=receiver; ";

Ranks ranks_of(const Plan& plan, LocalWorld& world, std::uint64_t seed, const Pair& pair) {
    Ranks ranks;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        ranks.push_back(std::make_unique<OnFake>(plan, world, rank, seed, [](Program&) {}));
        test::scatter(pair.in, plan.at.front(), rank, ranks.back()->in());
    }
    for (const auto& rank : ranks) rank->executor().connect();
    for (const auto& rank : ranks) rank->executor().start();
    return ranks;
}

/// The ranks but rank 1 go on until they can no longer, and their devices.
void run_without_rank_1(const Ranks& ranks) {
    constexpr int turns = 100;  // A message is seen after some looks.
    for (int turn = 0; turn < turns; ++turn) {
        for (std::size_t rank : {0, 2}) {
            Executor& executor = ranks[rank]->executor();
            EXPECT_TRUE(ranks[rank]->work().idle(true));
            while (!executor.done() && executor.advance()) {
            }
        }
    }
}

/// What rank 0 has done with messages that arrived.
std::vector<Purpose> gone_onward(const OnFake& rank, std::size_t end) {
    std::vector<Purpose> result;
    for (std::size_t i = 0; i < end; ++i) {
        const Operation& operation = rank.program().operations[i];
        if (std::holds_alternative<OnwardOp>(operation.what)) result.push_back(operation.purpose);
    }
    return result;
}

// Rank 0 awaits rank 1's message and rank 2's. Rank 1 has not begun when rank 2's has been through
// the device's queues, whichever of them are late; the result tells that it was rank 2's.
TEST(DeviceArrivals, AMessageGoesOnwardBeforeAnotherOneIsSent) {
    struct Case {
        const char* space;
        std::vector<Purpose> done;
    };
    // Of pieces the second one is unpacked.
    for (const auto& [space, done] : {Case{"space=fake(staged)", {Purpose::hop, Purpose::unpack}},
                                      Case{"space=fake(staged:128)", {Purpose::hop}},
                                      Case{"space=fake(direct)", {Purpose::unpack}}}) {
        const Plan plan = make_plan(parse_plan_request(std::string(problem) + space), 3);
        const Pair pair = test::random_pair(plan.problem, 7);
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            LocalWorld world(plan.ranks, {});
            const Ranks ranks = ranks_of(plan, world, seed, pair);
            const OnFake& first = *ranks.front();
            SCOPED_TRACE(to_string(first.program()));
            run_without_rank_1(ranks);
            const std::size_t next = ranks.front()->executor().next();
            const auto* waits = std::get_if<ArrivalOp>(&first.program().operations[next].what);
            ASSERT_NE(waits, nullptr) << "operation " << next;
            EXPECT_EQ(waits->turn, 1U);
            EXPECT_EQ(gone_onward(first, next), done);
            EXPECT_TRUE(first.work().idle(true));
            EXPECT_EQ(ranks[1]->executor().next(), 0U);
            test::run_to_end(ranks);
            EXPECT_LT(test::error_of(plan, ranks, pair), 1e-14L);
        }
    }
}

// By the seeds of the net messages arrive in other orders, by those of the devices queues are late.
TEST(DeviceArrivals, MayComeInAnyOrder) {
    for (const char* rest :
         {"space=fake(staged)", "space=fake(staged:128)", "space=fake(direct)"}) {
        const Plan plan = make_plan(parse_plan_request(std::string(problem) + rest), 3);
        const Pair pair = test::random_pair(plan.problem, 8);
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            LocalOptions options;
            options.seed = seed;
            options.longest_delay = 20;
            LocalWorld world(plan.ranks, options);
            const Ranks ranks = ranks_of(plan, world, seed % 4, pair);
            test::run_to_end(ranks);
            EXPECT_LT(test::error_of(plan, ranks, pair), 1e-14L) << rest << ", seed " << seed;
        }
    }
}

}  // namespace

}  // namespace weft::core
