#include "api/fastest.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/engine_wisdom.hpp"
#include "api/estimate.hpp"
#include "api/known_plan.hpp"
#include "api/measure.hpp"
#include "api/stopwatch.hpp"
#include "api/transports.hpp"
#include "api/usable_engines.hpp"
#include "base/engines.hpp"
#include "net/agree.hpp"
#include "plan/choice.hpp"
#include "tune/contest.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Rounds after which the engines that are left are tied: from the sixth on intervals of medians
/// part.
constexpr int most_rounds = 9;

/// Collective. The fastest of the choices.
MeasuredChoice fastest(const Plan::State& state, const std::vector<Choice>& choices, int rounds,
                       core::Figure figure, Stopwatch& stopwatch) {
    std::optional<core::Contest> contest;
    core::all_or_none(state.comm, [&] {
        if (state.rank == 0) contest.emplace(choices, rounds, figure);
    });
    return measured(state.comm, contest ? &*contest : nullptr, Budget(), stopwatch);
}

/// What is asked for, with each of these engines; those with which there is no such plan are left
/// out, unless there is none at all.
std::vector<Choice> choices_with(const std::vector<std::string>& engines, const Problem& problem,
                                 const Choice& open, int ranks) {
    std::vector<Choice> result;
    std::optional<Error> why;
    for (const std::string& name : engines) {
        Choice choice = open;
        choice.engine = name;
        try {
            result.push_back(plan_without_mpi({problem, choice, ranks, false}, ranks).choice);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::bad_request) throw;
            why = error;
        }
    }
    if (result.empty() && why) throw *why;
    return result;
}

/// What wisdom is asked: nothing is fixed besides what is asked for.
PlanQuestion engine_question(const Problem& problem, const Choice& open, bool plain_arrays) {
    Tuning tuning;
    tuning.effort = TuningEffort::measure;
    tuning.plain_arrays = plain_arrays;
    Choice constraint = open;
    constraint.engine = core::measured_engine;
    return question_of(problem, constraint, tuning);
}

/// Collective. The fastest of the choices, which is remembered; a file that cannot be written is no
/// reason to fail, since this process knows it.
Choice raced(const Plan::State& state, const core::Topology& nodes, const PlanQuestion& question,
             const std::vector<Choice>& choices, bool plain_arrays) {
    const Budget budget;
    let_engine_learn(state.comm, state.plan.problem, core::unmeasured(question.constraint),
                     budget.left());
    Stopwatch stopwatch(state.comm, nodes, state.plan.problem, plain_arrays);
    MeasuredChoice found = fastest(state, choices, most_rounds, core::Figure::median, stopwatch);
    core::Evidence evidence;
    core::all_or_none(state.comm, [&] {
        if (!found.outcome) return;
        evidence = core::evidence_of(*found.outcome, TuningEffort::measure, budget.spent());
    });
    (void)remember_plan(state.comm, nodes, question, found.best, std::move(evidence));
    return std::move(found.best);
}

}  // namespace

core::Plan with_fastest_methods(const Plan::State& state, const core::Topology& nodes,
                                const Choice& asked, bool plain_arrays) {
    Choice choice;
    std::vector<int> redistributions;
    core::all_or_none(state.comm, [&] {
        choice = state.plan.choice;
        choice.pack = asked.pack;
        redistributions = core::measured_redistributions(asked, state.plan.redistributions());
        for (int number = 0; number < state.plan.redistributions(); ++number) {
            choice.via_of_redistribution[number] = core::via_of(state.plan.choice, number);
        }
    });
    const std::vector<std::string> usable = methods_of_all(state.comm, asked);
    Stopwatch stopwatch(state.comm, nodes, state.plan.problem, plain_arrays);
    for (const int number : redistributions) {
        std::vector<Choice> all;
        core::all_or_none(state.comm, [&] {
            const core::Plan& plan = state.plan;
            for (auto& one : core::candidates(plan.problem, choice, plan.ranks, number)) {
                const bool is_usable =
                    std::find(usable.begin(), usable.end(), one.via) != usable.end();
                if (is_usable) all.push_back(std::move(one.choice));
            }
        });
        std::string via;
        if (!all.empty()) {
            const Choice best = fastest(state, all, 2, core::Figure::least, stopwatch).best;
            core::all_or_none(state.comm, [&] { via = core::via_of(best, number); });
        }
        choice.via_of_redistribution.at(number) = std::move(via);
    }
    core::Plan plan;
    core::all_or_none(state.comm, [&] {
        // A method that all redistributions share is the plan's.
        if (asked.via == core::measured_via && !redistributions.empty()) {
            choice.via = choice.via_of_redistribution.at(redistributions.front());
        }
        plan = core::make_plan(state.plan.problem, choice, state.plan.ranks);
    });
    core::require_same(state.comm, "the plan of the fastest methods",
                       [&] { return core::to_string(plan); });
    return plan;
}

core::Plan with_fastest_engine(const Plan::State& state, const core::Topology& nodes,
                               const Choice& asked, bool plain_arrays) {
    if (state.plan.problem.kind == Kind::redistribute) return state.plan;  // Nothing to transform.
    const std::vector<std::string> engines = engines_of_all(state.comm, asked);
    std::optional<PlanQuestion> question;
    std::vector<Choice> choices;
    core::all_or_none(state.comm, [&] {
        const Choice open = core::unmeasured(asked);
        choices = choices_with(engines, state.plan.problem, open, state.plan.ranks);
        question = engine_question(state.plan.problem, open, plain_arrays);
    });
    Choice best;
    if (choices.size() == 1) {
        core::all_or_none(state.comm, [&] { best = choices.front(); });
    } else {
        const KnownPlan known = known_plan(state.comm, nodes, *question);
        best = known.choice ? *known.choice : raced(state, nodes, *question, choices, plain_arrays);
    }
    core::Plan plan;
    core::all_or_none(state.comm,
                      [&] { plan = core::make_plan(state.plan.problem, best, state.plan.ranks); });
    core::require_same(state.comm, "the plan of the fastest engine",
                       [&] { return core::to_string(plan); });
    return plan;
}

}  // namespace weft
