// Choices that run in turns, by costs that are made up.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "tune/contest.hpp"
#include "unit/synthetic_machine.hpp"

namespace weft::core {

namespace {

/// By engine; an infeasible one fails.
using Costs = std::map<std::string, double>;

std::vector<Choice> choices_of(const Costs& costs) {
    std::vector<Choice> result;
    for (const auto& [engine, seconds] : costs) {
        result.emplace_back();
        result.back().engine = engine;
    }
    return result;
}

/// Runs a contest to its end, with so much noise; returns how often a choice ran.
int run_by(const Costs& costs, Contest& contest, double noise = 0, Index seed = 1) {
    Random random(static_cast<std::uint64_t>(seed));
    int runs = 0;
    while (const auto run = contest.ask({infeasible})) {
        ++runs;
        const double seconds = costs.at(contest.trial(run->trial).plan.choice.engine);
        if (seconds == infeasible) {
            contest.fail("there is no such library", {});
        } else {
            const double half = seconds / 2 * std::exp(noise * test::normal(random));
            contest.tell({half, half});
        }
    }
    return runs;
}

/// The engine that has won.
std::string winner_of(const Contest& contest) {
    const Outcome outcome = contest.outcome();
    EXPECT_FALSE(outcome.all_failed);
    return outcome.trials[outcome.winner].plan.choice.engine;
}

TEST(Contest, TakesTheLeastCostWhereverItStands) {
    for (const std::string fastest : {"a", "b", "c"}) {
        Costs costs = {{"a", 2}, {"b", 2}, {"c", 2}};
        costs[fastest] = 1;
        Contest contest(choices_of(costs), 9);
        EXPECT_EQ(run_by(costs, contest), 6);  // Two rounds show that the others are hopeless.
        EXPECT_EQ(winner_of(contest), fastest);
    }
}

/// What is taken instead of the fastest costs little more than that.
TEST(Contest, LosesLittleToNoise) {
    for (Index seed = 0; seed < 200; ++seed) {
        Random random(static_cast<std::uint64_t>(1000 + seed));
        const Costs costs = {{"a", 1}, {"b", test::log_uniform(random, 1, 1.3)}, {"c", 1.5}};
        Contest contest(choices_of(costs), 9);
        run_by(costs, contest, 0.01, seed);
        EXPECT_LE(costs.at(winner_of(contest)), 1.03) << seed;
    }
}

TEST(Contest, SaysWhatWasMeasured) {
    const Costs costs = {{"a", 3e-3}, {"b", infeasible}, {"c", 1e-3}};
    Contest contest(choices_of(costs), 9);
    run_by(costs, contest);
    const Evidence evidence = evidence_of(contest.outcome(), TuningEffort::measure, 0.5);
    EXPECT_EQ(evidence.tuning, "measure");
    EXPECT_EQ(evidence.spent, 0.5);
    EXPECT_EQ(evidence.evaluations, 2);
    EXPECT_EQ(evidence.winner, (Measured{1e-3, 1e-3, 1e-3, 2}));
    ASSERT_EQ(evidence.losers.size(), 2U);
    EXPECT_EQ(evidence.losers[0].choice, "engine=a");
    EXPECT_EQ(evidence.losers[0].time, (Measured{3e-3, 3e-3, 3e-3, 2}));
    EXPECT_NE(evidence.losers[0].reason.find("3.00 times"), std::string::npos);
    EXPECT_EQ(evidence.losers[1], (Loser{"engine=b", {}, "there is no such library"}));
}

TEST(Contest, TakesWhatIsLeftOver) {
    const Costs costs = {{"a", infeasible}, {"b", infeasible}, {"c", 1}};
    Contest contest(choices_of(costs), 9);
    EXPECT_EQ(run_by(costs, contest), 3);  // The last one has nobody to race with, but might fail.
    EXPECT_EQ(winner_of(contest), "c");
    const Outcome outcome = contest.outcome();
    EXPECT_EQ(evidence_of(outcome, TuningEffort::measure, 1).winner.rounds, 1);

    const Costs alone = {{"a", 1}};
    Contest single(choices_of(alone), 9);
    EXPECT_EQ(run_by(alone, single), 0);
    EXPECT_EQ(winner_of(single), "a");
}

TEST(Contest, HasNoWinnerIfAllFail) {
    const Costs costs = {{"a", infeasible}, {"b", infeasible}};
    Contest contest(choices_of(costs), 9);
    EXPECT_EQ(run_by(costs, contest), 2);
    EXPECT_TRUE(contest.outcome().all_failed);
    Contest none({}, 9);
    EXPECT_FALSE(none.ask({infeasible}));
    EXPECT_TRUE(none.outcome().all_failed);
}

/// Each twice, and the shorter time counts.
TEST(Contest, CountsTheShorterTime) {
    Contest contest(choices_of({{"a", 2}, {"b", 2}}), 2, Figure::least);
    std::vector<double> left = {1, 9, 8, 3};  // a b a b
    while (contest.ask({infeasible})) {
        contest.tell({0, left.front()});
        left.erase(left.begin());
    }
    EXPECT_TRUE(left.empty());
    EXPECT_EQ(winner_of(contest), "a");
}

}  // namespace
}  // namespace weft::core
