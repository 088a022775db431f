// One function makes weft's plan for a machine, and every verb has it from there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "model/predict.hpp"
#include "plan/volume_table.hpp"
#include "tune/estimate.hpp"

namespace weft::core {

namespace {

struct Drawn {
    Problem problem;
    int ranks = 1;
    Machine machine{};
    std::string text{};
};

Drawn drawn(Random& random) {
    const std::vector<int> lengths = {16, 24, 32, 48, 64, 96, 100, 128, 250, 256, 512};
    const std::vector<int> counts = {2, 8, 24, 60, 64, 128, 256, 300, 512, 1024, 2048};
    const std::vector<int> nodes = {1, 2, 4, 6, 16, 28, 32, 48, 64, 96, 112, 128};
    Drawn result;
    const int n = random.pick(lengths);
    const int m = random.between(0, 3) == 0 ? random.pick(lengths) : n;
    const std::string kind = random.between(0, 1) == 0 ? "c2c" : "r2c";
    result.problem = parse_problem(fmt::format("{}:f64:{}x{}x{}", kind, n, m, n));
    do {
        result.ranks = random.pick(counts);
    } while (result.ranks > n * std::min(n, m) / 2);
    result.machine = named_machine(random.pick(machine_names()));
    result.machine.ranks_per_node = random.pick(nodes);
    result.text = fmt::format("{}; ranks={} on {} with {} a node", weft::to_string(result.problem),
                              result.ranks, result.machine.name, result.machine.ranks_per_node);
    return result;
}

TEST(OnePlanner, PredictionsAndVolumesAreOfTheDefaultPlan) {
    Random random(12);
    int behind = 0;
    constexpr int draws = 40;
    for (int i = 0; i < draws; ++i) {
        const Drawn one = drawn(random);
        const Plan plan = default_plan(one.problem, {}, one.ranks, one.machine);
        const double seconds = price(plan, one.machine).seconds();
        const auto rows = predict(one.problem, {}, {one.ranks}, one.machine);
        const auto own =
            std::find_if(rows.begin(), rows.end(), [](const Prediction& row) { return row.own; });
        const std::string way = weft::to_string(plan.choice.decomposition);
        double least = seconds;
        for (const Prediction& row : rows) least = std::min(least, row.seconds());
        if (seconds > 1.02 * least) {
            ++behind;
        } else {
            ASSERT_NE(own, rows.end()) << one.text;
            EXPECT_EQ(own->decomposition, way) << one.text;
            EXPECT_DOUBLE_EQ(own->seconds(), seconds) << one.text;
            EXPECT_EQ(fastest(rows, one.ranks), &*own) << one.text;
            EXPECT_TRUE(own->fastest) << one.text;
        }
        EXPECT_EQ(compared_traffic(plan, {}).front().decomposition, way) << one.text;
    }
    EXPECT_LE(behind, draws / 40);
}

TEST(OnePlanner, EstimatesAreNoSlowerThanWhatIsPredicted) {
    Random random(35);
    for (int i = 0; i < 2; ++i) {
        const Drawn one = drawn(random);
        Means means;
        means.nodes = Topology(one.ranks, one.machine.ranks_per_node);
        means.vias = {"shared", "alltoallv", "isend-waitall"};
        means.engines = {"native"};
        means.described = one.machine;
        const Choice best = estimated_choice(one.problem, {}, one.ranks, means, one.machine);
        const double seconds =
            price(make_plan(one.problem, best, one.ranks), one.machine).seconds();
        for (const char* asked : {"engine=native", "engine=native; tile=default"}) {
            const auto rows = predict(one.problem, parse_choice(asked), {one.ranks}, one.machine);
            EXPECT_LE(seconds, 1.02 * fastest(rows)->seconds())
                << one.text << "; " << asked << ": " << weft::to_string(best);
        }
    }
}

/// A node for each rank, between which latency is all that counts for small arrays.
Machine far_apart() {
    Machine machine = named_machine(default_machine);
    machine.ranks_per_node = 1;
    return machine;
}

// [ayala] Alg. 1, between ends that are given: all verbs have the same plan, which is faster by a
// twentieth or more than that on all ranks.
TEST(OnePlanner, ShrinksBetweenGivenEndsWhereThatIsFaster) {
    const Machine machine = far_apart();
    for (const char* text :
         {"c2c:f64:32x32x32 in=pencil(0,1) out=pencil(0,1)",
          "r2c:f64:16x16x16*3 in=slab(0) out=pencil(1,2)", "c2r:f32:24x20x32 in=brick out=brick"}) {
        const Problem problem = parse_problem(text);
        constexpr int ranks = 256;
        const Plan plan = default_plan(problem, {}, ranks, machine);
        ASSERT_GT(plan.choice.shrink, 0) << text;
        const double seconds = price(plan, machine).seconds();
        Choice all;
        all.shrink = ranks;
        const Plan of_all = default_plan(problem, all, ranks, machine);
        EXPECT_EQ(of_all.choice.shrink, 0) << text;
        EXPECT_LE(seconds, 0.95 * price(of_all, machine).seconds()) << text;
        // A complete text is the same plan again.
        EXPECT_EQ(default_plan(parse_plan_request(to_string(plan)), ranks, machine), plan) << text;
        EXPECT_EQ(default_plan(parse_plan_request(to_string(of_all)), ranks, machine), of_all);
        const auto rows = predict(problem, {}, {ranks}, machine);
        const Prediction* own = fastest(rows, ranks);
        EXPECT_TRUE(own->own) << text;
        EXPECT_EQ(own->shrink, plan.choice.shrink) << text;
        EXPECT_EQ(own->decomposition, weft::to_string(plan.choice.decomposition)) << text;
        EXPECT_DOUBLE_EQ(own->seconds(), seconds) << text;
        EXPECT_NE(verdict(rows).fastest.find(fmt::format("shrink={} ", plan.choice.shrink)),
                  std::string::npos)
            << verdict(rows).fastest;
    }
}

// Ends that are free have elements on all ranks; large messages, named ways and ranks of one node
// are left alone.
TEST(OnePlanner, ShrinksNowhereElse) {
    const auto shrink = [](const char* problem, const char* choice, int ranks,
                           const Machine& machine) {
        return default_plan(parse_problem(problem), parse_choice(choice), ranks, machine)
            .choice.shrink;
    };
    const char* given = "c2c:f64:32x32x32 in=pencil(0,1) out=pencil(0,1)";
    EXPECT_EQ(shrink("c2c:f64:32x32x32", "", 256, far_apart()), 0);
    EXPECT_EQ(shrink("c2c:f64:32x32x32 in=pencil(0,1)", "", 256, far_apart()), 0);
    EXPECT_EQ(shrink("c2c:f64:512x512x512 in=slab(0) out=slab(0)", "", 8, far_apart()), 0);
    EXPECT_EQ(shrink(given, "decomposition=pencil", 256, far_apart()), 0);
    EXPECT_EQ(shrink(given, "", 64, named_machine(default_machine)), 0);
    EXPECT_EQ(shrink("redistribute:16:32x32x32 in=slab(0) out=slab(1)", "", 64, far_apart()), 0);
    EXPECT_GT(shrink(given, "", 256, far_apart()), 0);
}

/// On free ends all ranks keep data, whatever one rank alone would take: the caller's own work on them
/// is shared, too.
TEST(OnePlanner, EstimatesShrinkOnlyBetweenGivenEnds) {
    const Machine machine = far_apart();
    constexpr int ranks = 256;
    Means means;
    means.nodes = Topology(ranks, 1);
    means.vias = {"shared", "alltoallv", "isend-waitall"};
    means.engines = {"native"};
    means.described = machine;
    const Problem free = parse_problem("c2c:f64:16x16x16");
    EXPECT_EQ(estimated_choice(free, {}, ranks, means, machine).shrink, 0);
    const Problem given = parse_problem("c2c:f64:16x16x16 in=pencil(0,1) out=pencil(0,1)");
    const Choice best = estimated_choice(given, {}, ranks, means, machine);
    EXPECT_LE(price(make_plan(given, best, ranks), machine).seconds(),
              1.02 * price(default_plan(given, {}, ranks, machine), machine).seconds());
    const Choice all = parse_choice("shrink=256");
    EXPECT_EQ(estimated_choice(given, all, ranks, means, machine).shrink, 0);
}

TEST(OnePlanner, SeesTheNodes) {
    EXPECT_EQ(machine_of_nodes({}, Topology(12, 4), 12).ranks_per_node, 4);
    EXPECT_EQ(machine_of_nodes({}, Topology({0, 1, 0, 1}), 4).ranks_per_node, 1);
    EXPECT_EQ(machine_of_nodes({}, Topology(), 4).ranks_per_node, 4);
    const Problem problem = parse_problem("c2c:f64:512x512x512");
    for (const int node : {16, 32, 64, 128}) {
        const Machine machine = machine_of_nodes({}, Topology(1024, node), 1024);
        const Plan seen = default_plan(problem, {}, 1024, machine);
        const Plan unseen = default_plan(problem, {}, 1024);
        EXPECT_LE(price(seen, machine).seconds(), price(unseen, machine).seconds()) << node;
        if (node < 64) {
            EXPECT_NE(to_string(seen), to_string(unseen)) << node;
        }
    }
}

}  // namespace

}  // namespace weft::core
