// Predictions by ranks and decomposition, and the objective of least predicted time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "geometry/box_list.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "model/predict.hpp"
#include "model/predicted_time.hpp"
#include "plan/search.hpp"
#include "unit/all_ways.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::expect_refused;

std::vector<Prediction> predicted(const std::string& text, const std::vector<int>& ranks,
                                  const std::string& machine) {
    const PlanRequest request = parse_plan_request(text);
    return predict(request.problem, request.choice, ranks, named_machine(machine));
}

TEST(Predict, DrawsTheLineBetweenSlabsAndPencilsOnSummit) {
    const std::vector<int> ranks = {6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072};
    const auto rows = predicted("c2c:f64:512x512x512; via=alltoallv", ranks, "summit");
    for (const int count : ranks) {
        ASSERT_NE(fastest(rows, count), nullptr);
        EXPECT_EQ(fastest(rows, count)->name, count <= 192 ? "slab" : "pencil") << count;
    }
    EXPECT_EQ(verdict(rows).fastest, "fastest: slab on 6-192 ranks, pencil on 384-3072");
    EXPECT_EQ(verdict(rows).fewer, "no fewer ranks are faster: 3072 take " +
                                       milliseconds_text(fastest(rows)->seconds()) + " ms");
}

TEST(Predict, HasPencilsAtScaleOnTheDefaultMachine) {
    EXPECT_EQ(fastest(predicted("c2c:f64:256x256x256", {256}, "default"))->name, "pencil");
    EXPECT_EQ(fastest(predicted("c2c:f64:4096x4096x4096", {4096}, "default"))->name, "pencil");
}

// [ayala] Alg. 1: beyond the fastest count that many ranks of all compute.
TEST(Predict, ShrinksWhereFewerRanksAreFaster) {
    std::vector<int> ranks;
    for (int count = 16; count <= 16384; count *= 2) ranks.push_back(count);
    // A rank on each node: on larger nodes 4096 ranks are the fastest, by three exchanges.
    Machine machine = named_machine("default");
    machine.ranks_per_node = 1;
    const auto rows = predict(parse_problem("c2c:f64:64x64x64"), {}, ranks, machine);
    const Prediction& best = *fastest(rows);
    EXPECT_LT(best.ranks, 4096);
    for (const Prediction& row : rows) {
        if (row.name == "shrink") {
            EXPECT_GT(row.ranks, best.ranks);
            EXPECT_DOUBLE_EQ(row.seconds(), best.seconds());
        }
    }
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const Prediction& row) {
        return row.name == "shrink" && row.fastest;
    }));
    EXPECT_NE(
        verdict(rows).fewer.find("more ranks are slower: " + std::to_string(best.ranks) + " take"),
        std::string::npos);
    // Ends that hold all ranks have to be gone from and to, which costs.
    const auto given =
        predict(parse_problem("c2c:f64:64x64x64 in=brick out=brick"), {}, ranks, machine);
    for (const Prediction& row : given) {
        if (row.name == "shrink") {
            EXPECT_NE(row.seconds(), fastest(given)->seconds());
        }
    }
}

/// A row that takes so long.
Prediction row_of(int ranks, const std::string& name, double seconds) {
    Prediction row;
    row.ranks = ranks;
    row.name = name;
    row.decomposition = name;
    row.price.stages = {{seconds, 0, 0}};
    return row;
}

TEST(Predict, NamesOneRankAlone) {
    const Verdict alone = verdict({row_of(1, "slab", 1), row_of(2, "slab", 3),
                                   row_of(4, "pencil", 2), row_of(4, "shrink", 1)});
    EXPECT_EQ(alone.fastest,
              "fastest: 1 rank alone, 1000 ms; of more, slab on 2 ranks, pencil on 4");
    EXPECT_EQ(alone.fewer, "more ranks are slower: 1 takes 1000 ms, 4 take 2000 ms");
}

TEST(Predict, ATieIsNotSlower) {
    const Verdict tie = verdict({row_of(2, "slab", 1), row_of(4, "slab", 1.005)});
    EXPECT_EQ(tie.fastest, "fastest: slab on 2-4 ranks");
    EXPECT_EQ(tie.fewer, "more ranks are as fast, not faster: 2 take 1000 ms, 4 take 1005 ms");
    EXPECT_EQ(verdict({row_of(2, "slab", 1), row_of(4, "slab", 1.02)}).fewer,
              "more ranks are slower: 2 take 1000 ms, 4 take 1020 ms");
    EXPECT_EQ(verdict({row_of(2, "slab", 1)}).fewer, "");
}

TEST(Predict, LeavesOutWhatDoesNotFit) {
    const auto names = [](const std::vector<Prediction>& rows) {
        std::set<std::string> result;
        for (const Prediction& row : rows) result.insert(row.name);
        return result;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(names(predicted("c2c:f64:8x8x8", {8}, "xc30")), (Names{"slab", "pencil", "brick"}));
    EXPECT_EQ(names(predicted("c2c:f64:8x8x8", {7}, "xc30")), (Names{"slab"}));
    EXPECT_EQ(names(predicted("c2c:f64:8x8x8", {64}, "xc30")), (Names{"pencil"}));
    EXPECT_EQ(names(predicted("c2c:f64:64x64", {4}, "xc30")), (Names{"slab", "brick"}));
    EXPECT_EQ(names(predicted("c2c:f64:8x8x8; decomposition=pencil(4x2)", {8}, "xc30")),
              (Names{"given"}));
    EXPECT_EQ(names(predicted("c2c:f64:64", {1}, "xc30")), (Names{"default"}));
    expect_refused("1024 ranks", "1024", [] { predicted("c2c:f64:8x8x8", {1024}, "xc30"); });
}

TEST(Predict, PrintsLinesOfEightyColumns) {
    for (const std::string& machine : machine_names()) {
        const auto rows = predicted("c2c:f64:256x256x256", {2, 64, 1024, 131072}, machine);
        std::istringstream lines(prediction_table(rows));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), 80U) << line;
        }
        std::istringstream csv(prediction_csv(rows));
        std::size_t count = 0;
        for (std::string line; std::getline(csv, line); ++count) {
            EXPECT_GE(std::count(line.begin(), line.end(), ','), 11) << line;
        }
        EXPECT_EQ(count, rows.size() + 1);
    }
}

TEST(PredictedTime, IsAnOrderInWhichEveryRedistributionCosts) {
    Random random(8);
    for (int i = 0; i < 20; ++i) {
        const test::SmallCase drawn = test::small_case(random);
        const Objective objective =
            predicted_time(named_machine("helics"), drawn.problem, Choice{});
        test::each_graph(drawn, Scope::usual, [&](const Graph& graph) {
            for (const Node& a : graph.nodes) {
                const Price once =
                    objective.price({graph.nodes.front().of.front(), a.of.front(), false});
                Price twice = once;
                twice += objective.price({a.of.front(), graph.nodes.front().of.front(), false});
                EXPECT_TRUE(objective.before(once, twice));
                EXPECT_FALSE(objective.before(twice, once));
                EXPECT_FALSE(objective.before(once, once));
            }
        });
    }
}

/// The same distribution, its boxes told one by one.
Distribution listed(const Distribution& where) {
    std::vector<std::vector<Box>> boxes;
    boxes.reserve(static_cast<std::size_t>(where.ranks()));
    for (int rank = 0; rank < where.ranks(); ++rank) boxes.push_back(where.boxes(rank));
    return Distribution(BoxList(where.shape(), boxes));
}

// What is counted by the parts of axes is what the list of all peers says.
TEST(PredictedTime, CountsTheMessagesOfAssignments) {
    Machine machine = named_machine(default_machine);
    machine.congestion.reset();
    const Problem problem = parse_problem("c2c:f64:24x48x96");
    for (const char* text : {"via=alltoallv", "via=shared"}) {
        for (const int per_node : {1, 2, 4, 6, 64}) {
            machine.ranks_per_node = per_node;
            const Objective here = predicted_time(machine, problem, parse_choice(text));
            for (const std::vector<int>& grid : {std::vector{24}, {4, 6}, {12, 2}, {2, 12}}) {
                const Candidates candidates(problem, {}, 24, 24, Scope::usual, problem.cut);
                const auto graph =
                    candidates.graph({{}, false, false}, {24, 24, problem.cut, grid});
                ASSERT_TRUE(graph);
                for (const Node& a : graph->nodes) {
                    for (const Node& b : graph->nodes) {
                        const double counted = here.price({a.of.front(), b.of.front()}).weight;
                        const double known =
                            here.price({listed(a.of.front()), listed(b.of.front())}).weight;
                        EXPECT_NEAR(counted, known, known / 32)
                            << text << " " << per_node << " " << to_string(a.of.front(), 3)
                            << " to " << to_string(b.of.front(), 3);
                    }
                }
            }
        }
    }
}

Plan planned(const std::string& text) {
    return default_plan(parse_plan_request(text), parse_plan_request(text).ranks);
}

TEST(DefaultPlan, TakesPencilsOnManyNodesAndSlabsOnFewRanks) {
    EXPECT_EQ(planned("c2c:f64:256x256x256; ranks=256").choice.decomposition.cuts, 2);
    EXPECT_EQ(planned("c2c:f64:4096x4096x4096; ranks=4096").choice.decomposition.cuts, 2);
    for (const char* via : {"", "; via=alltoallv", "; engine=fftw"}) {
        for (const char* kind : {"c2c", "r2c", "c2r"}) {
            for (const int n : {16, 64, 256}) {
                for (const int ranks : {2, 3, 4, 6, 8}) {
                    if (ranks > n) continue;
                    const std::string text =
                        fmt::format("{}:f64:{}x{}x{}{}; ranks={}", kind, n, n, n, via, ranks);
                    EXPECT_EQ(planned(text).choice.decomposition.grid, std::vector<int>{ranks})
                        << text;
                }
            }
        }
    }
}

TEST(DefaultPlan, ReadsACompleteTextAsItIs) {
    for (const char* text :
         {"c2c:f64:256x256x256; ranks=256", "r2c:f64:64x64x64 in=brick; ranks=12",
          "c2r:f32:30x20x17*3; ranks=6", "c2c:f64:64x64x64; ranks=96; decomposition=least-volume",
          "c2c:f64:64x64x64; ranks=4096; backward"}) {
        const Plan plan = planned(text);
        EXPECT_EQ(parse_plan(to_string(plan)), plan) << text;
        EXPECT_EQ(planned(to_string(plan)), plan) << text;
    }
}

TEST(PredictedTime, MakesPlansThatReadBack) {
    const Machine machine = named_machine(default_machine);
    const Problem problem = parse_problem("c2c:f64:256x256x256");
    const Plan plan = make_plan(problem, Choice{}, 256, predicted_time(machine, problem, Choice{}));
    EXPECT_EQ(plan.choice.decomposition.cuts, 2);
    EXPECT_EQ(parse_plan(to_string(plan)), plan);
    EXPECT_LT(price(plan, machine).seconds(),
              price(make_plan(problem, Choice{}, 256), machine).seconds());
    // On few ranks of one node nothing is gained by a second exchange.
    const Plan small = make_plan(problem, Choice{}, 8, predicted_time(machine, problem, Choice{}));
    EXPECT_EQ(small.choice.decomposition.cuts, 1);
}

}  // namespace

}  // namespace weft::core
