// Choices that race by costs that are made up.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "tune/choice_race.hpp"
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

/// Runs a race to its end, with so much noise; returns how often a choice ran.
int run_by(const Costs& costs, ChoiceRace& race, double noise = 0, Index seed = 1) {
    Random random(static_cast<std::uint64_t>(seed));
    int runs = 0;
    while (const Choice* choice = race.ask()) {
        ++runs;
        const double seconds = costs.at(choice->engine);
        if (seconds == infeasible) {
            race.fail("there is no such library");
        } else {
            race.tell(seconds * std::exp(noise * test::normal(random)));
        }
    }
    return runs;
}

TEST(ChoiceRace, TakesTheLeastCostWhereverItStands) {
    for (const std::string fastest : {"a", "b", "c"}) {
        Costs costs = {{"a", 2}, {"b", 2}, {"c", 2}};
        costs[fastest] = 1;
        ChoiceRace race(choices_of(costs), 9);
        EXPECT_EQ(run_by(costs, race), 6);  // Two rounds show that the others are hopeless.
        EXPECT_EQ(race.winner()->engine, fastest);
    }
}

/// What is taken instead of the fastest costs little more than that.
TEST(ChoiceRace, LosesLittleToNoise) {
    for (Index seed = 0; seed < 200; ++seed) {
        Random random(static_cast<std::uint64_t>(1000 + seed));
        const Costs costs = {{"a", 1}, {"b", test::log_uniform(random, 1, 1.3)}, {"c", 1.5}};
        ChoiceRace race(choices_of(costs), 9);
        run_by(costs, race, 0.01, seed);
        EXPECT_LE(costs.at(race.winner()->engine), 1.03) << seed;
    }
}

TEST(ChoiceRace, SaysWhatWasMeasured) {
    const Costs costs = {{"a", 3e-3}, {"b", infeasible}, {"c", 1e-3}};
    ChoiceRace race(choices_of(costs), 9);
    run_by(costs, race);
    const std::optional<Evidence> evidence = race.evidence(0.5);
    ASSERT_TRUE(evidence);
    EXPECT_EQ(evidence->tuning, "measure");
    EXPECT_EQ(evidence->spent, 0.5);
    EXPECT_EQ(evidence->evaluations, 2);
    EXPECT_EQ(evidence->winner, (Measured{1e-3, 1e-3, 1e-3, 2}));
    ASSERT_EQ(evidence->losers.size(), 2U);
    EXPECT_EQ(evidence->losers[0].choice, "engine=a");
    EXPECT_EQ(evidence->losers[0].time, (Measured{3e-3, 3e-3, 3e-3, 2}));
    EXPECT_NE(evidence->losers[0].reason.find("3.00 times"), std::string::npos);
    EXPECT_EQ(evidence->losers[1], (Loser{"engine=b", {}, "there is no such library"}));
}

TEST(ChoiceRace, TakesWhatIsLeftOver) {
    const Costs costs = {{"a", infeasible}, {"b", infeasible}, {"c", 1}};
    ChoiceRace race(choices_of(costs), 9);
    EXPECT_EQ(run_by(costs, race), 3);  // The last one has nobody to race with, but might fail.
    EXPECT_EQ(race.winner()->engine, "c");
    EXPECT_EQ(race.evidence(1)->winner.rounds, 1);

    const Costs alone = {{"a", 1}};
    ChoiceRace single(choices_of(alone), 9);
    EXPECT_EQ(run_by(alone, single), 0);
    EXPECT_EQ(single.winner()->engine, "a");
    EXPECT_FALSE(single.evidence(1));
}

TEST(ChoiceRace, HasNoWinnerIfAllFail) {
    const Costs costs = {{"a", infeasible}, {"b", infeasible}};
    ChoiceRace race(choices_of(costs), 9);
    EXPECT_EQ(run_by(costs, race), 2);
    EXPECT_EQ(race.winner(), nullptr);
    EXPECT_FALSE(race.evidence(1));
    ChoiceRace none({}, 9);
    EXPECT_EQ(none.ask(), nullptr);
    EXPECT_EQ(none.winner(), nullptr);
}

}  // namespace
}  // namespace weft::core
