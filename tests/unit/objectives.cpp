// The objectives that there are, and what the search needs of them.
#include <gtest/gtest.h>

#include <set>

#include "exchange/transfers.hpp"
#include "plan/objective.hpp"
#include "plan/path.hpp"
#include "plan/plan.hpp"
#include "property/volume_by_boxes.hpp"
#include "unit/all_ways.hpp"
#include "weft/problem.hpp"

namespace weft::core {

namespace {

using test::each_graph;
using test::small_case;
using test::SmallCase;

// 2 slabs of 4 x 6 x 4 elements, of which half stays; the example of the header.
TEST(Objectives, CountExchangesAndTheElementsThatLeaveTheirRank) {
    const Problem problem = parse_problem("c2c:f64:8x6x4 in=slab(0) out=slab(0)");
    for (const Decomposition& constraint : {Decomposition{}, decomposition::least_volume}) {
        const Objective& objective = objective_for(constraint);
        const Path path = find_path(problem, constraint, 2);
        ASSERT_EQ(path.states.size(), 3U);
        Price total = objective.price({path.states[0], path.states[1]});
        total += objective.price({path.states[1], path.states[2]});
        EXPECT_EQ(total, (Price{2, 192, 0}));
    }
    Random random(6);
    for (int i = 0; i < 30; ++i) {
        const SmallCase drawn = small_case(random);
        each_graph(drawn, Scope::all, [](const Graph& graph) {
            const Node& a = graph.nodes.front();
            const Node& b = graph.nodes.back();
            const Index whole = test::volume_by_boxes(a.of.front(), b.of.front());
            const Index half = test::volume_by_boxes(a.of.back(), b.of.back());
            EXPECT_EQ(counted({a.of.front(), b.of.front(), false}), (Price{1, whole, 0}));
            EXPECT_EQ(counted({a.of.back(), b.of.back(), true}), (Price{1, 2 * half, 0}));
        });
    }
}

TEST(Objectives, AreAskedForByConstraints) {
    EXPECT_EQ(objective_for({}).name, "fewest-exchanges");
    EXPECT_EQ(objective_for(decomposition::slab).name, "fewest-exchanges");
    EXPECT_EQ(objective_for(decomposition::row_wise).name, "fewest-exchanges");
    EXPECT_EQ(objective_for(decomposition::least_volume).name, "least-volume");
    std::set<std::string_view> names;
    for (const Objective& each : objectives()) names.insert(each.name);
    EXPECT_EQ(names.size(), objectives().size());
    EXPECT_EQ(asked_objective({}), nullptr);
    EXPECT_EQ(asked_objective(decomposition::slab), nullptr);
    EXPECT_EQ(asked_objective(decomposition::least_volume)->name, "least-volume");
}

// What the search needs of every objective to be exact.
TEST(Objectives, RankAWayLaterWithEveryRedistribution) {
    Random random(7);
    const auto random_price = [&](Index least) {
        return Price{random.between(least, 3), random.between(0, 3),
                     static_cast<double>(random.between(least, 3))};
    };
    for (const Objective& objective : objectives()) {
        SCOPED_TRACE(objective.name);
        for (int i = 0; i < 1000; ++i) {
            const Price a = random_price(0);
            const Price b = random_price(0);
            Price longer = a;
            longer += random_price(1);
            EXPECT_TRUE(objective.before(a, longer));
            EXPECT_FALSE(objective.before(longer, a));
            EXPECT_FALSE(objective.before(a, b) && objective.before(b, a));
            EXPECT_FALSE(objective.better(a, b) && objective.better(b, a));
            EXPECT_FALSE(objective.before(a, a) || objective.better(a, a));
        }
    }
}

// 16 ranks: slabs take one exchange with 15 others, pencils two with 3 others.
TEST(Objectives, AreHandedToThePlanner) {
    Objective fewest_messages;
    fewest_messages.price = [](const Redistribution& one) {
        const std::size_t ranks = group(one.from, one.to, 0).ranks.size();
        return Price{0, 0, static_cast<double>(ranks - 1)};
    };
    fewest_messages.before = [](const Price& a, const Price& b) { return a.weight < b.weight; };
    fewest_messages.better = [](const Price&, const Price&) { return false; };
    for (const std::string kind : {"c2c", "r2c", "c2r"}) {
        const Problem problem = parse_problem(kind + ":f64:64x64x64");
        EXPECT_EQ(make_plan(problem, {}, 16).choice.decomposition.grid, std::vector<int>{16});
        const Plan plan = make_plan(problem, {}, 16, fewest_messages);
        EXPECT_EQ(plan.choice.decomposition.grid, (std::vector<int>{4, 4}));
        // The text of the plan says all that was found: it is read without the objective.
        EXPECT_EQ(parse_plan(to_string(plan)), plan);
        // A constraint stays one.
        const Choice slab = parse_choice("decomposition=slab");
        EXPECT_EQ(make_plan(problem, slab, 16, fewest_messages), make_plan(problem, slab, 16));
    }
}

}  // namespace

}  // namespace weft::core
