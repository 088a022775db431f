// What a tuner knows of choices: none twice, and each engine beside the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "tune/estimate.hpp"
#include "tune/trials.hpp"

namespace weft::core {

namespace {

constexpr int ranks = 4;

Machine described() {
    Machine machine = named_machine("default");
    machine.ranks_per_node = ranks;
    return machine;
}

Trials small_trials(const char* constraint) {
    Means means;
    means.nodes = Topology(ranks, ranks);
    means.vias = {"shared", "alltoallv", "alltoallw", "isend-waitall"};
    means.engines = {"native", "fftw"};
    return {parse_problem("c2c:f64:8x8x8"), parse_choice(constraint), ranks, means, described()};
}

Forecast forecast_of(const Plan& plan) { return {plan, Topology(ranks, ranks), described()}; }

Forecast forecast_of(const char* choice) {
    return forecast_of(default_plan(parse_problem("c2c:f64:8x8x8"), parse_choice(choice), ranks));
}

/// Texts may differ where nothing else does: rows that are planes are slabs.
TEST(TuneForecast, TellsWhetherPlansRunAsTheSamePrograms) {
    const Forecast slab = forecast_of("decomposition=slab");
    EXPECT_TRUE(slab.same(forecast_of("decomposition=row-wise")));
    EXPECT_FALSE(slab.same(forecast_of("decomposition=slab; via=alltoallv")));
    EXPECT_FALSE(slab.same(forecast_of("decomposition=slab; engine=fftw; effort=estimate")));
    EXPECT_FALSE(slab.same(forecast_of("decomposition=pencil(2x2)")));
    EXPECT_FALSE(slab.same(forecast_of("decomposition=slab; carrier=messages")));
}

TEST(TuneTrials, HoldNoProgramsTwice) {
    Trials trials = small_trials("");
    while (trials.think(2)) {
    }
    ASSERT_GT(trials.size(), 20U);
    std::vector<Forecast> forecasts;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        forecasts.push_back(forecast_of(trials[i].plan));
        for (std::size_t j = 0; j < i; ++j) {
            if (trials[i].predicted != trials[j].predicted) continue;
            EXPECT_FALSE(forecasts[i].same(forecasts[j]))
                << weft::to_string(trials[i].plan.choice) << "\n"
                << weft::to_string(trials[j].plan.choice);
        }
    }
}

/// Engines have different defaults of packing: what one of them takes is told apart from all else
/// only where the rest of the choice is the same.
TEST(TuneTrials, KnowAChoiceWithOtherEngines) {
    Trials trials = small_trials("via=alltoallv");
    const std::vector<std::size_t> others = trials.with_other_engines(0);
    ASSERT_EQ(others.size(), 1U);
    const Choice& first = trials[0].plan.choice;
    Choice other = trials[others.front()].plan.choice;
    EXPECT_EQ(first.engine, "native");
    EXPECT_EQ(other.engine, "fftw");
    other.engine = first.engine;
    other.effort = first.effort;
    EXPECT_EQ(other, first);
    EXPECT_TRUE(small_trials("engine=native").with_other_engines(0).empty());
}

/// Runs of a slow machine correct the forecasts of what has not run.
TEST(TuneTrials, LearnFromRunsWhatTheMachineIsLike) {
    Trials trials = small_trials("");
    while (trials.think(0)) {
    }
    Machine slow = described();
    for (auto& [name, rates] : slow.engines) rates.rate /= 8;
    for (std::size_t i = 0; i < trials.size(); i += 3) {
        trials.run(i, forecast_of(trials[i].plan).seconds(slow));
        trials.correct();
    }
    double worst = 1;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const double ratio = trials[i].corrected / forecast_of(trials[i].plan).seconds(slow);
        worst = std::max({worst, ratio, 1 / ratio});
    }
    EXPECT_LT(worst, 1.25);
}

/// Two nodes of two ranks, linked so slowly that there is much to hide.
Machine slow_link() {
    Machine machine = named_machine("default");
    machine.ranks_per_node = 2;
    machine.injection.reset();
    machine.between = {2e-5, 1e8};
    return machine;
}

Choice estimated(const char* constraint, const Machine& machine) {
    Means means;
    means.nodes = Topology(ranks, machine.ranks_per_node);
    means.vias = {"shared", "alltoallv", "isend-waitall"};
    means.engines = {"native"};
    return estimated_choice(parse_problem("c2c:f64:64x64x64"), parse_choice(constraint), ranks,
                            means, machine);
}

/// Seconds of a complete choice by the model.
double predicted(const Choice& choice, const Machine& machine) {
    const Plan plan = default_plan(parse_problem("c2c:f64:64x64x64"), choice, ranks);
    return Forecast(plan, Topology(ranks, machine.ranks_per_node), machine).seconds(machine);
}

TEST(TuneEstimate, IsFasterThanTheDefaultWhereTheModelSaysSo) {
    const Machine machine = slow_link();
    Choice usual;
    usual.engine = "native";
    EXPECT_LT(predicted(estimated("", machine), machine), 0.95 * predicted(usual, machine));
    // One node reads its own memory: nothing is faster, and the simplest choice stays.
    const Choice inside = estimated("", described());
    EXPECT_EQ(inside.via, "shared");
    EXPECT_FALSE(inside.tile);
}

// [ayala] Table III: pencils of 512x512x512 on Summit from 384 ranks.
TEST(TuneEstimate, IsPencilsOnSummitAtScale) {
    const Machine summit = named_machine("summit");
    Means means;
    means.nodes = Topology(384, summit.ranks_per_node);
    means.vias = {"alltoallv"};
    means.engines = {"native"};
    means.described = summit;
    const Choice choice = estimated_choice(parse_problem("c2c:f64:512x512x512"),
                                           parse_choice("via=alltoallv"), 384, means, summit);
    ASSERT_TRUE(choice.decomposition.path || choice.decomposition.cuts);
    EXPECT_EQ(weft::to_string(choice).find("slab"), std::string::npos) << weft::to_string(choice);
}

TEST(TuneEstimate, KeepsToTheConstraint) {
    const Choice choice = estimated("decomposition=pencil; via=alltoallv", slow_link());
    EXPECT_EQ(choice.decomposition.cuts, 2);
    EXPECT_EQ(choice.via, "alltoallv");
}

}  // namespace

}  // namespace weft::core
