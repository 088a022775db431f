// How much a tuner tries for so many uses.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "model/machine_file.hpp"
#include "plan/choice.hpp"
#include "plan/problem.hpp"
#include "tune/tuner.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

constexpr int tuned_on = 4;
constexpr double start_seconds = 0.01;  // seconds of the plan that the tuner starts from

Means some_means() {
    Means result;
    result.nodes = Topology(tuned_on, 1);
    result.vias = {"isend-waitall", "alltoallv", "pairwise", "send"};
    result.engines = {"native"};
    return result;
}

Machine some_machine() {
    Machine result = named_machine("default");
    result.ranks_per_node = 1;
    return result;
}

struct Search {
    Outcome outcome;
    double spent = 0;
    std::vector<NextRun> runs{};
};

using Seconds = std::function<double(const Trial&)>;

/// Runs cost their transforms twice in each direction, and as much again as one to bind; the next
/// ones of a plan once.
Search searched(double uses, bool described, const Seconds& seconds_of) {
    Amounts amounts = amounts_of({TuningEffort::measure});
    amounts.uses = uses;
    amounts.described = described;
    Tuner tuner(parse_problem("c2c:f64:32x32x32"), {}, tuned_on, some_means(), some_machine(),
                amounts);
    Search search;
    for (;;) {
        while (tuner.think()) {
        }
        const auto run = tuner.ask({infeasible, search.spent});
        if (!run) break;
        search.runs.push_back(*run);
        const Trial& trial = tuner.trial(run->trial);
        const double seconds = seconds_of(trial);
        const double spent = (trial.seconds.empty() ? 5 : 2) * seconds;
        tuner.tell({seconds, seconds, spent, trial.seconds.empty() ? seconds : 0, 0});
        search.spent += spent;
    }
    search.outcome = tuner.outcome();
    return search;
}

double alike(const Trial& /*trial*/) { return start_seconds; }

TEST(Uses, BoundWhatTuningTakes) {
    int before = 0;
    for (const double uses : {100.0, 1000.0, 10000.0}) {
        const Search search = searched(uses, true, alike);
        EXPECT_LE(search.spent, uses * 2 * start_seconds / 80 + 5 * start_seconds) << uses;
        EXPECT_GE(search.outcome.evaluations, before) << uses;
        before = search.outcome.evaluations;
    }
    EXPECT_GT(before, 3);
}

TEST(Uses, OfOneAreStillRunOnce) {
    const Search once = searched(1, true, alike);
    EXPECT_EQ(once.outcome.evaluations, 1);
    EXPECT_EQ(once.outcome.winner, once.outcome.start);
    EXPECT_EQ(once.outcome.ended, "more runs would cost more than they may save in 1 uses");
    EXPECT_FALSE(once.outcome.cut_short);
}

TEST(Uses, AreUnboundedForThePatient) {
    EXPECT_EQ(amounts_of({TuningEffort::measure}).uses, 1000);
    EXPECT_EQ(amounts_of({TuningEffort::patient}).uses, infeasible);
    Tuning tuning{TuningEffort::patient};
    tuning.uses = 50;
    EXPECT_EQ(amounts_of(tuning).uses, 50);
}

/// What is faster is found and taken; what seems so in one run only is not.
TEST(Uses, TakeWhatIsFasterAndLeaveNothingForNoise) {
    const auto is_start = [](const Search& search, const Trial& trial) {
        return weft::to_string(trial.plan.choice) ==
               weft::to_string(search.outcome.trials[*search.outcome.start].plan.choice);
    };
    const Search first = searched(1000, true, alike);
    const Search faster = searched(3000, true, [&](const Trial& trial) {
        return is_start(first, trial) ? start_seconds : 0.8 * start_seconds;
    });
    EXPECT_NE(faster.outcome.winner, faster.outcome.start);
    const Search noisy = searched(3000, true, [&](const Trial& trial) {
        if (is_start(first, trial)) return start_seconds;
        return (trial.seconds.empty() ? 0.97 : 1.05) * start_seconds;
    });
    EXPECT_EQ(noisy.outcome.winner, noisy.outcome.start);
}

TEST(Uses, StartFromTheEstimateOnADescribedMachine) {
    const Search described = searched(1000, true, alike);
    const Outcome& outcome = described.outcome;
    EXPECT_EQ(described.runs[0].trial, 0U);
    EXPECT_EQ(described.runs[1].trial, outcome.start);
    EXPECT_LT(outcome.trials[*outcome.start].predicted, outcome.trials[0].predicted);
    EXPECT_EQ(searched(1000, false, alike).outcome.start, 0U);
}

/// Short transforms are not repeated for longer than that is worth, and who is behind in one
/// direction need not run in the other.
TEST(Uses, ShortenRuns) {
    const Search few = searched(1000, true, alike);
    ASSERT_GT(few.runs.size(), 1U);
    EXPECT_EQ(few.runs[0].behind, infeasible);
    EXPECT_NEAR(few.runs[1].behind, 1.15 * start_seconds, 1e-9);
    const Search many = searched(infeasible, true, alike);
    EXPECT_EQ(many.runs[1].behind, infeasible);
    EXPECT_EQ(many.runs[1].timing, RunTerms{}.timing);
    EXPECT_GT(many.outcome.evaluations, few.outcome.evaluations);
}

TEST(Uses, AreReadAndWritten) {
    const Tuning tuning = parse_tuning("measure(uses:250)");
    EXPECT_EQ(tuning.uses, 250);
    EXPECT_EQ(weft::to_string(tuning), "measure(uses:250)");
    EXPECT_THROW(parse_tuning("measure(uses:0)"), Error);
    EXPECT_THROW(parse_tuning("measure(uses:many)"), Error);
}

}  // namespace

}  // namespace weft::core
