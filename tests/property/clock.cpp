// The programs of random plans, on all ranks, end on the event clock as they do with data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "clock/simulated.hpp"
#include "model/default_plan.hpp"
#include "property/random_problem.hpp"
#include "weft/error.hpp"

namespace weft::core::test {

namespace {

constexpr Index largest = 3000;

class ClockOf : public ::testing::TestWithParam<int> {};

void expect_the_same(const PlannedCase& planned, const Machine& machine) {
    SCOPED_TRACE(to_string(planned));
    for (const bool backward : {false, true}) {
        const Plan plan = backward ? reverse(planned.plan) : planned.plan;
        SCOPED_TRACE(fmt::format("{}\n  {} ranks a node", to_string(plan), machine.ranks_per_node));
        ClockedRun folded;
        ASSERT_NO_THROW(folded = simulated(plan, machine, {}));
        SimulationOptions every;
        every.fold = false;
        const ClockedRun all = simulated(plan, machine, every);
        ASSERT_GE(all.seconds, all.mean * (1 - 1e-9));
        ASSERT_NEAR(folded.bytes, all.bytes, 1e-4 * all.bytes);
        // Ranks that stand for others meet the same traffic, spread a little otherwise.
        ASSERT_NEAR(folded.seconds, all.seconds, 0.25 * all.seconds);
    }
}

TEST_P(ClockOf, RandomPlansEnd) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        Machine machine = modest_machine();
        machine.ranks_per_node = 1 << seed % 4;
        expect_the_same(planned_case(mix(7) + seed, largest), machine);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClockOf, ::testing::Range(0, 6));

}  // namespace

}  // namespace weft::core::test
