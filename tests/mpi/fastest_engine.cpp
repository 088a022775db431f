// engine=auto: by costs that are made up, by what is remembered, and by measuring, which is not
// judged.
#include <cstdlib>
#include <map>

#include "api/known_plan.hpp"
#include "api/measure.hpp"
#include "api/stopwatch.hpp"
#include "api/usable_engines.hpp"
#include "api/wisdom_store.hpp"
#include "base/text.hpp"
#include "expect.hpp"
#include "measured_plans.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"
#include "plan/choice.hpp"
#include "plan/plan.hpp"
#include "tune/contest.hpp"

namespace weft::test {
namespace {

class FastestEngine : public MeasuredPlans {
  protected:
    /// The winner by these costs of this rank, which all ranks have to agree about.
    static std::string winner_by(const std::map<std::string, double>& costs) {
        std::vector<Choice> choices;
        for (const auto& [engine, seconds] : costs) {
            choices.emplace_back();
            choices.back().engine = engine;
        }
        std::optional<core::Contest> contest;
        if (world_rank() == 0) contest.emplace(choices, 9);
        const auto run = [&](const Choice& choice, const core::RunTerms& /*terms*/,
                             core::RunSeconds& took) {
            const double seconds = costs.at(choice.engine);
            core::all_or_none(MPI_COMM_WORLD, [&] {
                if (seconds < 0) throw Error(ErrorCode::not_available, "no " + choice.engine);
            });
            took.forward = slowest(MPI_COMM_WORLD, {seconds})[0];
        };
        const Choice best =
            measured(MPI_COMM_WORLD, contest ? &*contest : nullptr, Budget(), run).best;
        const std::string& found = best.engine;
        core::require_same(MPI_COMM_WORLD, "the fastest engine", [&] { return found; });
        return found;
    }
};

TEST_F(FastestEngine, HasTheLeastCostOfTheSlowestRank) {
    const bool last = world_rank() == world_size() - 1;
    EXPECT_EQ(winner_by({{"a", 3}, {"b", 1}, {"c", 2}}), "b");
    // What is fastest on all ranks but one is not the fastest.
    EXPECT_EQ(winner_by({{"a", last ? 3.0 : 1.0}, {"b", 2.5}, {"c", 2}}), "c");
}

TEST_F(FastestEngine, IsOneThatAllRanksHave) {
    const bool last = world_rank() == world_size() - 1;
    EXPECT_EQ(winner_by({{"a", last ? -1.0 : 1.0}, {"b", 3}, {"c", 2}}), "c");
    EXPECT_EQ(winner_by({{"a", -1}, {"b", last ? -1.0 : 1.0}, {"c", 2}}), "c");
    expect_collective_error(
        [&] {
            winner_by({{"a", -1}, {"b", last ? -1.0 : 1.0}});
        },
        ErrorCode::not_available, {"no b"});
}

TEST_F(FastestEngine, MakesACompletePlanThatIsRight) {
    if (world_size() > 4) GTEST_SKIP() << "long where MPI's ranks spin";
    for (const char* text :
         {"c2c:f64:13x11x7; engine=auto", "r2c:f32:12x10x9*2 out=slab(1); engine=auto",
          "c2r:f64:9x8x7 in_place; engine=auto; decomposition=pencil",
          "c2c:f64:9x8; engine=auto; via=auto",
          "redistribute:3:5x4 in=slab(0) out=slab(1); engine=auto",
          "c2c:f64:9x8; engine=auto; tuning=measure(limit:0)",
          "c2c:f64:9x8; engine=auto; tuning=estimate(machine:summit)"}) {
        expect_complete_and_right(text, "auto", 11);
    }
}

/// What a process has found stays: the same text gives the same plan.
TEST_F(FastestEngine, IsTheOneThatIsRemembered) {
    const std::string text = "c2c:f64:8x6x5; engine=auto";
    const std::string found = Plan::parse(text, MPI_COMM_WORLD).text();
    for (int again = 0; again < 3; ++again) {
        EXPECT_EQ(Plan::parse(text, MPI_COMM_WORLD).text(), found);
    }
    if (engines_of_all(MPI_COMM_WORLD, {}).size() < 2) GTEST_SKIP() << "there is nothing to choose";
    // One that is never measured, so that it can only have been remembered.
    const core::Topology nodes = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    const PlanQuestion question{parse_problem("c2c:f64:8x6x5"), parse_choice("engine=auto"), "",
                                "measure"};
    ASSERT_TRUE(known_plan(MPI_COMM_WORLD, nodes, question).choice);
    const Choice best = Plan::parse("c2c:f64:8x6x5; engine=reference", MPI_COMM_WORLD).choice();
    core::Evidence evidence{"2124-05-31T12:00:00Z", "measure", 1, 1, {1e-3, 1e-3, 1e-3, 2}, {}};
    EXPECT_FALSE(remember_plan(MPI_COMM_WORLD, nodes, question, best, evidence));
    EXPECT_EQ(Plan::parse(text, MPI_COMM_WORLD).choice().engine, "reference");
    // Another question, another answer.
    EXPECT_NE(Plan::parse(text + "; effort=estimate", MPI_COMM_WORLD).choice().engine, "reference");
}

TEST_F(FastestEngine, KeepsToWhatIsAskedBesides) {
    const Choice choice =
        Plan::parse("c2c:f64:8x6x5; engine=auto; via=send; pack=sender; chunk=100; effort=estimate",
                    MPI_COMM_WORLD)
            .choice();
    EXPECT_EQ(choice.chunk, 100);
    EXPECT_EQ(choice.effort, Effort::estimate);
    if (world_size() > 1) {
        EXPECT_EQ(choice.via, "send");
        EXPECT_EQ(choice.pack, Pack::sender);
    }
}

TEST_F(FastestEngine, NeedsTheRanksOrAMachine) {
    const std::string text = "c2c:f64:64x64x64; engine=auto";
    EXPECT_THROW((void)Plan::for_ranks(4, text), Error);
    const Plan plan = Plan::for_ranks(4, text + "; tuning=estimate(machine:summit)");
    EXPECT_EQ(plan.text().find("auto"), std::string::npos) << plan.text();
}

}  // namespace
}  // namespace weft::test
