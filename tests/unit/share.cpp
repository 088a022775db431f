// Plans of which some ranks compute on a device and others on the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/transfers.hpp"
#include "model/machine_file.hpp"
#include "model/operation_seconds.hpp"
#include "model/predicted_time.hpp"
#include "model/price.hpp"
#include "model/space_choice.hpp"
#include "plan/explain.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "program/lower.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::expect_refused;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Plan plan_of(const std::string& text, int ranks) {
    return make_plan(parse_plan_request(text), ranks);
}

/// Elements along an axis, by rank.
std::vector<Index> extents(const Distribution& where, int axis) {
    std::vector<Index> result;
    result.reserve(static_cast<std::size_t>(where.ranks()));
    for (int rank = 0; rank < where.ranks(); ++rank) result.push_back(where.extent(axis, rank));
    return result;
}

TEST(Share, GivesTheRanksOfTheDeviceMore) {
    const Plan plan =
        plan_of("c2c:f64:24x48x8; decomposition=slab; space=fake(share:1of4,weight:3)", 8);
    EXPECT_THAT(extents(plan.at.front().where, 0), ElementsAre(6, 2, 2, 2, 6, 2, 2, 2));
    EXPECT_THAT(extents(plan.at.back().where, 1), ElementsAre(12, 4, 4, 4, 12, 4, 4, 4));
    EXPECT_TRUE(parse_plan(to_string(plan)) == plan) << to_string(plan);
    EXPECT_TRUE(reverse(reverse(plan)) == plan);
}

TEST(Share, LeavesGivenLayoutsAsTheyAre) {
    const Plan plan = plan_of("c2c:f64:24x48x8 in=slab(0); space=fake(share:1of4,weight:3)", 4);
    EXPECT_THAT(extents(plan.at.front().where, 0), ElementsAre(6, 6, 6, 6));
    EXPECT_THAT(extents(plan.at.back().where, 1), ElementsAre(24, 8, 8, 8));
}

TEST(Share, IsOfTheAxisThatIsHalvedToo) {
    const Plan plan =
        plan_of("r2c:f64:6x12x10; decomposition=slab(6,0>2); space=fake(share:1of3,weight:4)", 6);
    // 6 values of n/2+1 on weights 4 1 1 4 1 1.
    EXPECT_THAT(extents(plan.at.back().where, 2), ElementsAre(2, 0, 1, 2, 0, 1));
}

/// Elements that each rank owns.
std::vector<Index> counts(const Layout& layout) {
    std::vector<Index> result;
    result.reserve(static_cast<std::size_t>(layout.where.ranks()));
    for (int rank = 0; rank < layout.where.ranks(); ++rank) result.push_back(layout.count(rank));
    return result;
}

// 12 rows of 5 on weights 3 1 3 1 3: begin floor(12 * weight before / 11).
TEST(Share, IsDealtOutInRowsToo) {
    const Plan plan = plan_of(
        "c2c:f64:3x4x5; decomposition=row-wise(012>210); space=fake(share:1of2,weight:3)", 5);
    EXPECT_THAT(counts(plan.at.front()), ElementsAre(3 * 5, 1 * 5, 3 * 5, 1 * 5, 4 * 5));
    EXPECT_EQ(plan.at.front().where.boxes(2).size(), 1U);
    EXPECT_EQ(plan.at.front().where.boxes(4).size(), 1U);
    EXPECT_TRUE(parse_plan(to_string(plan)) == plan) << to_string(plan);
    EXPECT_THAT(explain(plan, {}), HasSubstr("weighted rows(012)"));
    // Where each row of the first axis has whole periods of ranks it is a process grid.
    const Plan grid = plan_of(
        "c2c:f64:2x4x6; decomposition=row-wise(012>201); space=fake(share:1of2,weight:3)", 4);
    EXPECT_EQ(grid.at.front().where.list(), nullptr);
    EXPECT_THAT(counts(grid.at.front()), ElementsAre(18, 6, 18, 6));
}

TEST(Share, TakesGridsThatCarryIt) {
    const auto grid = [](const std::string& decomposition, const std::string& share, int ranks) {
        const Plan plan = plan_of("c2c:f64:64x64x64; decomposition=" + decomposition +
                                      "; space=fake(share:" + share + ",weight:2)",
                                  ranks);
        return plan.choice.decomposition.grid;
    };
    EXPECT_THAT(grid("pencil", "1of4", 8), ElementsAre(2, 4));
    EXPECT_THAT(grid("pencil", "1of8", 16), ElementsAre(2, 8));
    EXPECT_THAT(grid("pencil(4x4)", "2of4", 16), ElementsAre(4, 4));
    EXPECT_THAT(grid("pencil(4x4)", "4of8", 16), ElementsAre(4, 4));
    // As many cuts as axes: bricks.
    PlanRequest bricks = parse_plan_request("c2c:f64:64x64x64; space=fake(share:1of4,weight:2)");
    bricks.choice.decomposition.cuts = 3;
    EXPECT_THAT(make_plan(bricks, 16).choice.decomposition.grid, ElementsAre(2, 2, 4));
    EXPECT_THAT(grid("slab", "2of5", 7), ElementsAre(7));
    EXPECT_THAT(grid("least-volume", "1of4", 8), Not(ElementsAre(4, 2)));
    // Layouts without weights ask for nothing.
    EXPECT_THAT(plan_of("c2c:f64:8x8x8; decomposition=pencil(4x2); space=fake(share:1of4)", 8)
                    .choice.decomposition.grid,
                ElementsAre(4, 2));
}

TEST(Share, IsRefusedWhereItCannotBe) {
    const auto refused = [](const std::string& text, int ranks, const std::string& quoted) {
        expect_refused(text, quoted, [&] { plan_of("c2c:f64:8x8x8" + text, ranks); });
    };
    refused("; space=fake(share:1of4)", 1, "the only rank would compute on the device");
    refused("; space=fake(share:3of4)", 3, "all 3 ranks would compute on the device");
    refused("; decomposition=pencil(4x2); space=fake(share:1of4,weight:3)", 8, "grid 4x2");
    refused("; decomposition=grid(2x2x2); space=fake(share:1of4,weight:3)", 8, "grid 2x2x2");
    refused(" cut=block; space=fake(share:1of4,weight:3)", 8, "cut=block");
    refused("; via=nccl; space=cuda(share:1of4)", 8, "a device of each rank");
    EXPECT_NO_THROW(plan_of("c2c:f64:8x8x8 cut=block; space=fake(share:1of4)", 8));
    EXPECT_NO_THROW(plan_of("c2c:f64:8x8x8; decomposition=row-wise; space=fake(share:1of4)", 8));
}

TEST(Share, IsSaidInWords) {
    const Plan plan =
        plan_of("c2c:f64:24x48x8; decomposition=slab; space=fake(share:1of4,weight:3)", 8);
    EXPECT_THAT(explain(plan, {}),
                HasSubstr("share      the first of each 4 ranks on fake, 2 of 8, with 50% of the "
                          "input and 50% of the output; the others on the host\n"));
    EXPECT_THAT(explain(plan, {}), HasSubstr("weighted slab(0)"));
    EXPECT_THAT(explain(plan_of("c2c:f64:8x8; space=fake", 4), {}), Not(HasSubstr("share  ")));
    const std::vector<int> looked_at = representative_ranks(
        plan_of("c2c:f64:64x64x64; decomposition=slab; space=fake(share:3of4)", 64));
    EXPECT_EQ(std::count(looked_at.begin(), looked_at.end(), 3), 1);
}

Placements placements_of(const std::string& choice) { return Placements(parse_choice(choice)); }

TEST(Share, HasEnginesForBothKindsOfRanks) {
    const Placements of_device(parse_choice("engine=cufft; space=cuda(share:1of2)"));
    EXPECT_EQ(of_device.of(0).engine, "cufft");
    EXPECT_EQ(of_device.of(1).engine, "native");
    EXPECT_TRUE(of_device.of(0).own_engines);
    EXPECT_FALSE(of_device.of(1).own_engines);
    EXPECT_EQ(of_device.of(0).device, "cuda");
    EXPECT_EQ(of_device.of(1).device, "");
    const Placements of_both(parse_choice("engine=fftw; space=fake(share:1of2)"));
    EXPECT_EQ(of_both.of(1).engine, "fftw");
    EXPECT_EQ(placements_of("engine=mkl").of(1).engine, "mkl");
    EXPECT_EQ(of_both.device_ranks(5), 3);
    EXPECT_EQ(placements_of("space=cuda(share:3of4)").device_ranks(7), 6);
    EXPECT_EQ(placements_of("space=cuda").device_ranks(7), 7);
    EXPECT_EQ(placements_of("").device_ranks(7), 0);
}

TEST(Share, NumbersTheDevicesRanksOfEachNode) {
    const Placements placements = placements_of("space=cuda(share:2of4)");
    std::vector<int> places;
    for (const int rank : {0, 1, 4, 5, 8, 9, 12, 13}) {
        places.push_back(placements.place_among_devices(Topology(16, 8), rank));
    }
    EXPECT_THAT(places, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

int starts_of(const Program& program) {
    return static_cast<int>(std::count_if(
        program.operations.begin(), program.operations.end(), [](const Operation& operation) {
            return std::holds_alternative<StartOp>(operation.what);
        }));
}

// Where messages of the device's ranks go in pieces, those of the others do as well.
TEST(Share, CutsMessagesAlikeOnAllRanks) {
    const Plan plan = plan_of(
        "c2c:f64:16x16x4; via=alltoallv; pack=sender; space=fake(staged:256,share:1of2)", 4);
    const Program device = lower(plan, 0);
    const Program host = lower(plan, 1);
    EXPECT_TRUE(device.on_device);
    EXPECT_FALSE(host.on_device);
    EXPECT_GT(starts_of(host), 1);
    EXPECT_EQ(starts_of(host), starts_of(device));
    EXPECT_EQ(host.staging_bytes(), 0);
    EXPECT_GT(device.staging_bytes(), 0);
}

/// Nothing takes time but the host's passes.
Machine machine_with_device() {
    Machine machine;
    machine.name = "fast device";
    machine.ranks_per_node = 2;
    machine.inside = machine.between = {0, 1e16};
    machine.memory = {0, 1e9, 1e16};
    machine.engines["native"] = {1e16};
    machine.other_engines = "native";
    Devices devices;
    devices.kind = "fake";
    devices.host_link = {0, 1e16, 1e16};
    devices.copy_rate = devices.pack_rate = 1e16;
    devices.engines["native"] = {1e16, 1e16, 1e16, 1e16};
    devices.other_engines = "native";
    machine.devices = devices;
    return machine;
}

Plan priced_plan(const std::string& space) {
    return plan_of(
        "c2c:f64:24x24x24; engine=native; via=alltoallv; pack=sender; decomposition=slab; space=" +
            space,
        2);
}

// The host's rank has a half, a third, a quarter of the elements.
TEST(Share, TakesAsLongAsTheHostsPart) {
    const Machine machine = machine_with_device();
    const auto transforms = [&](const std::string& space) {
        const PlanPrice whole = price(priced_plan(space), machine);
        return whole.stages.front().work + whole.stages.back().work;
    };
    const double even = transforms("host");
    const auto expect_part = [&](const std::string& space, double part) {
        EXPECT_NEAR(transforms(space), part * even, 1e-6 * even) << space;
    };
    expect_part("fake(staged,share:1of2)", 1);
    expect_part("fake(staged,share:1of2,weight:2)", 2.0 / 3);
    expect_part("fake(staged,share:1of2,weight:3)", 0.5);
}

// Also where the device is the slower one.
TEST(Share, TakesAsLongAsItsSlowestRankInEachStage) {
    Machine machine = machine_with_device();
    machine.devices->engines["native"] = {2e9, 2e9, 2e9, 1e16};
    const Plan plan = priced_plan("fake(staged,share:1of2,weight:9)");
    const PlanPrice whole = price(plan, machine);
    const Environment environment = environment_on(plan, machine);
    const Plan fused = fuse(plan, environment);
    const Site site{machine, 2};
    const auto stages_of = [&](int rank) {
        const Program program = lower(fused, rank, environment);
        return price(program, fused, site, stage_bytes(program, fused)).stages;
    };
    const std::vector<StagePrice> device = stages_of(0);
    const std::vector<StagePrice> host = stages_of(1);
    for (std::size_t i = 0; i < whole.stages.size(); ++i) {
        EXPECT_DOUBLE_EQ(whole.stages[i].seconds(),
                         std::max(device[i].seconds(), host[i].seconds()));
    }
    EXPECT_GT(device.front().work, host.front().work);
}

/// What the planner's objective takes the redistribution of a plan for.
double redistribution_seconds(const Plan& plan, const Machine& machine) {
    const Objective objective = predicted_time(machine, plan.problem, plan.choice);
    return objective.price({plan.at[1].where, plan.at[2].where, false}).weight;
}

// The planner compares ways by what each rank takes where it computes.
TEST(Share, IsInThePredictedTimeOfARedistribution) {
    const auto expect_part = [](const Machine& machine, const std::string& space, double part) {
        const double even = redistribution_seconds(priced_plan("fake(staged,share:1of2)"), machine);
        EXPECT_NEAR(redistribution_seconds(priced_plan(space), machine), part * even, even / 32)
            << space;
    };
    const Machine slow_host = machine_with_device();
    expect_part(slow_host, "fake(staged,share:1of2,weight:2)", 2.0 / 3);
    expect_part(slow_host, "fake(staged,share:1of2,weight:3)", 0.5);
    expect_part(slow_host, "fake(staged,share:1of2,weight:5)", 1.0 / 3);
    // Only ranks of the device hop.
    Machine slow_hops = machine_with_device();
    slow_hops.memory.copy_rate = 1e16;
    slow_hops.devices->host_link = {0, 1e9, 1e9};
    expect_part(slow_hops, "fake(staged,share:1of2,weight:2)", 4.0 / 3);
    expect_part(slow_hops, "fake(staged,share:1of2,weight:3)", 1.5);
}

// One of 4 ranks of a node has the link to its device to itself.
TEST(Share, HasTheLinkOfItsRanksOnlyInThePredictedTime) {
    Machine machine = machine_with_device();
    machine.ranks_per_node = 4;
    machine.memory.copy_rate = 1e16;
    machine.devices->host_link = {0, 1e9, 1e9};
    const auto seconds = [&](const std::string& space) {
        return redistribution_seconds(
            plan_of("c2c:f64:24x24x24; engine=native; via=alltoallv; pack=sender; "
                    "decomposition=slab; space=" +
                        space,
                    4),
            machine);
    };
    const double alone = seconds("fake(staged,share:1of4)");
    EXPECT_NEAR(seconds("fake(staged)"), 4 * alone, alone / 8);
    EXPECT_NEAR(seconds("fake(staged,share:2of4)"), 2 * alone, alone / 8);
}

TEST(Share, StaysWhereTheModelChoosesHowMessagesTravel) {
    const Machine machine = machine_with_device();
    const Placements open = placements_of("space=fake(share:1of2,weight:3)");
    EXPECT_GT(open_placements(open, machine).size(), 1U);
    for (const Placements& one : open_placements(open, machine)) {
        Choice choice;
        one.say_in(choice);
        EXPECT_EQ(choice.space.share, (weft::Share{1, 2, 3}));
    }
    EXPECT_EQ(open_placements(placements_of("space=fake(staged,share:1of2)"), machine).size(), 1U);
}

}  // namespace

}  // namespace weft::core
