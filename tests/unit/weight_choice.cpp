// The weight of a share of the ranks where a choice leaves it open: what the model proposes, and
// what tuning tries.
#include "model/weight_choice.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/default_plan.hpp"
#include "model/price.hpp"
#include "plan/choice.hpp"
#include "program/lower.hpp"
#include "tune/constraint.hpp"
#include "tune/trials.hpp"
#include "unit/easy_machine.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::easy_machine;
using test::expect_refused;
using ::testing::Contains;
using ::testing::ElementsAre;

/// Whose devices compute so many times as fast as a core does, and hop in no time.
Machine machine_with(double times) {
    Machine machine = easy_machine();
    machine.ranks_per_node = 2;
    machine.inside = machine.between = {0, 1e15};
    Devices& devices = *machine.devices;
    devices.launch = 0;
    devices.host_link = {0, 1e15, 1e15};
    devices.copy_rate = devices.pack_rate = times * 1e9;
    devices.engines["cufft"] = {times * 1e9, times * 1e9, times * 1e9, 1e16};
    machine.engines["native"].rate = 1e15;
    return machine;
}

const std::string shape = "c2c:f64:64x64x16";

Plan planned(const Machine& machine, const std::string& choice, int ranks = 2) {
    return default_plan(parse_problem(shape),
                        parse_choice("decomposition=slab; engine=native; " + choice), ranks,
                        machine);
}

Index weight_on(double times) {
    return planned(machine_with(times), "space=fake(staged,share:1of2,weight:auto)")
        .choice.space.share.weight;
}

TEST(WeightChoice, OffersSmallNumbersBesideARatio) {
    EXPECT_THAT(weights_beside(0.2), ElementsAre(1, 2));
    EXPECT_THAT(weights_beside(1), ElementsAre(1, 2));
    EXPECT_THAT(weights_beside(5.2), ElementsAre(1, 3, 4, 5, 6, 10));
    EXPECT_THAT(weights_beside(33), ElementsAre(1, 16, 28, 32, 40, 64));
    EXPECT_THAT(weights_beside(1e9), ElementsAre(1, 512, 1000));
}

TEST(WeightChoice, IsAboutTheRatioOfTheRates) {
    EXPECT_EQ(weight_on(0.25), 1);
    EXPECT_EQ(weight_on(1), 1);
    Index before = 1;
    for (const double times : {3, 6, 12}) {
        const Index weight = weight_on(times);
        EXPECT_GT(weight, before) << times;
        EXPECT_LE(static_cast<double>(weight), 2 * 1.5 * times) << times;
        before = weight;
    }
}

// No weight that was looked at is predicted to be faster by more than a 64th.
TEST(WeightChoice, IsTheFastestOfThoseBesideIt) {
    for (const double times : {1.0, 3.0, 10.0}) {
        const Machine machine = machine_with(times);
        const Plan taken = planned(machine, "space=fake(staged,share:1of2,weight:auto)");
        const double seconds = price(taken, machine).seconds();
        const Plan even = planned(machine, "space=fake(staged,share:1of2)");
        for (const Index weight : weights_beside(weight_ratio(even, machine))) {
            const Plan other =
                planned(machine, fmt::format("space=fake(staged,share:1of2,weight:{})", weight));
            EXPECT_GE(price(other, machine).seconds(), seconds * (1 - 1.0 / 32)) << weight;
        }
    }
}

TEST(WeightChoice, IsSaidInTheTextOfThePlan) {
    const Plan plan = planned(machine_with(4), "space=fake(staged,share:1of2,weight:auto)");
    const std::string text = to_string(plan);
    EXPECT_EQ(text.find("weight:auto"), std::string::npos) << text;
    EXPECT_NE(text.find("weight:"), std::string::npos) << text;
    EXPECT_TRUE(parse_plan(text) == plan) << text;
    // A weight that is said stays, and so do equal parts.
    EXPECT_EQ(planned(machine_with(4), "space=fake(staged,share:1of2,weight:2)")
                  .choice.space.share.weight,
              2);
    EXPECT_EQ(planned(machine_with(4), "space=fake(staged,share:1of2)").choice.space.share.weight,
              1);
}

TEST(WeightChoice, IsOneWhereNoneIsOfUse) {
    Machine undescribed = machine_with(8);
    undescribed.devices.reset();
    const std::string open = "space=fake(share:1of2,weight:auto)";
    EXPECT_EQ(planned(undescribed, open).choice.space.share.weight, 1);
    // Parts of blocks are equal.
    const Choice choice = parse_choice("decomposition=slab; engine=native; " + open);
    EXPECT_EQ(default_plan(parse_problem(shape + " cut=block"), choice, 2, machine_with(8))
                  .choice.space.share.weight,
              1);
    // Without a model nothing is chosen.
    expect_refused("weight:auto", "no model has chosen the weight",
                   [&] { lower(make_plan(parse_problem(shape), choice, 2), 0); });
}

TEST(WeightChoice, IsTriedWithItsNeighboursByTuning) {
    Means means;
    means.nodes = Topology(2, 2);
    means.vias = {"alltoallv"};
    means.engines = {"native"};
    means.mpi_reaches_device = false;
    const Problem problem = parse_problem(shape);
    const Choice open = parse_choice("decomposition=slab; space=fake(share:1of2,weight:auto)");
    const auto tried = [&] {
        Trials trials(problem, open, 2, means, machine_with(4));
        while (trials.think(1)) continue;
        std::set<Index> weights;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            const Choice& one = trials[i].plan.choice;
            weights.insert(one.space.share.weight);
            EXPECT_TRUE(trials.keeps_to_constraint(one)) << weft::to_string(one);
        }
        return weights;
    };
    const std::set<Index> unknown = tried();
    EXPECT_THAT(unknown, Contains(1));
    EXPECT_THAT(unknown, Contains(8));
    means.described = machine_with(4);
    const Index proposed =
        default_plan(problem, open, 2, *means.described).choice.space.share.weight;
    const std::set<Index> known = tried();
    ASSERT_GT(proposed, 2);
    EXPECT_THAT(known, Contains(proposed));
    EXPECT_GE(known.size(), 5U);
    EXPECT_EQ(known.count(Share::open_weight), 0U);
}

TEST(WeightChoice, KeepsToSharesThatAreSaid) {
    const Problem problem = parse_problem(shape);
    const auto keeps = [&](const std::string& choice, const std::string& constraint) {
        const Choice complete =
            make_plan(problem, parse_choice("engine=native; decomposition=slab; " + choice), 4)
                .choice;
        return keeps_to(problem, complete, parse_choice(constraint), 4);
    };
    const std::string open = "space=fake(share:1of4,weight:auto)";
    EXPECT_TRUE(keeps("space=fake(staged,share:1of4,weight:6)", open));
    EXPECT_TRUE(keeps("space=fake(share:1of4)", open));
    EXPECT_FALSE(keeps("space=fake(share:1of2,weight:6)", open));
    EXPECT_FALSE(keeps("space=fake(share:1of4,weight:6)", "space=fake(share:1of4,weight:5)"));
}

}  // namespace

}  // namespace weft::core
