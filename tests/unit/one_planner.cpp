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
