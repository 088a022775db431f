#include "api/tune.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/described_machine.hpp"
#include "api/device_here.hpp"
#include "api/engine_wisdom.hpp"
#include "api/estimate.hpp"
#include "api/known_plan.hpp"
#include "api/stopwatch.hpp"
#include "api/transports.hpp"
#include "api/usable_engines.hpp"
#include "base/engines.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/rank_cores.hpp"
#include "net/rank_in.hpp"
#include "plan/choice.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Collective. The methods and engines that all ranks can run.
core::Means means_of(MPI_Comm comm, const core::Topology& nodes, const core::Amounts& amounts,
                     const Choice& constraint) {
    core::Means means;
    means.nodes = nodes;
    means.by_redistribution = amounts.by_redistribution;
    means.shrinks = amounts.shrinks;
    if (amounts.threads) means.most_threads = core::cores_of_each_rank(comm, nodes);
    means.vias = methods_of_all(comm, constraint);
    means.engines = engines_of_all(comm, constraint);
    return means;
}

/// Collective. On rank 0, what looks for the fastest plan, from what is known of a similar case.
std::unique_ptr<core::Session> tuner_for(MPI_Comm comm, const core::Topology& nodes,
                                         const Problem& problem, const Choice& constraint,
                                         const Tuning& tuning, const std::optional<Choice>& start) {
    core::Amounts amounts = core::amounts_of(tuning);
    core::Means means = means_of(comm, nodes, amounts, constraint);
    if (constraint.reproducible) means.engines = {std::string(core::reproducible_engine())};
    auto described = described_machine(comm, tuning.machine);
    amounts.described = described.has_value();
    if (described) leave_out_absent_devices(comm, constraint, *described);
    means.mpi_reaches_device = mpi_reaches(comm, constraint, described);
    std::unique_ptr<core::Tuner> tuner;
    core::all_or_none(comm, [&] {
        if (core::rank_in(comm) != 0) return;
        const int ranks = core::ranks_in(comm);
        // Trials are planned for the machine that they are forecast on.
        const core::Machine machine = core::machine_of_nodes(described, nodes, ranks);
        means.described = machine;
        tuner = std::make_unique<core::Tuner>(problem, constraint, ranks, means, machine, amounts,
                                              core::Weights{tuning.forward, tuning.backward});
        if (start) tuner->suggest(*start);
    });
    return tuner;
}

/// Whether a known plan may be run to see if it takes as long as is remembered.
bool may_check(const KnownPlan& known, const Tuning& tuning) {
    if (!known.choice || !known.entry || tuning.effort == TuningEffort::frozen) return false;
    // Two runs in each direction, and as much again for all that belongs to them.
    constexpr double runs = 8;
    return !tuning.limit || *tuning.limit > runs * known.entry->evidence.winner.high;
}

/// Collective: runs what is known. On rank 0 whether it takes another time now, or fails; otherwise
/// empty.
std::string stale_text_of(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                          const Tuning& tuning, const Budget& budget, const KnownPlan& known) {
    core::RunSeconds took;
    try {
        Stopwatch stopwatch(comm, nodes, problem, tuning.plain_arrays);
        const double left = budget.left();
        stopwatch(*known.choice,
                  agreed(comm, {.forward = tuning.forward > 0,
                                .backward = tuning.backward > 0,
                                .binding = left,
                                .all = left}),
                  took);
    } catch (const Error& error) {  // On all ranks.
        return error.what();
    }
    const double seconds = (tuning.forward * took.forward + tuning.backward * took.backward) /
                           (tuning.forward + tuning.backward);
    std::string text;
    core::all_or_none(comm, [&] {
        if (core::is_stale(*known.entry, seconds)) {
            text = core::stale_text(*known.entry, seconds);
        }
    });
    return text;
}

/// Collective: remembers what tuning has found, if enough was tried; why it is not kept in the
/// file, if so.
std::optional<std::string> remember(MPI_Comm comm, const core::Topology& nodes,
                                    const PlanQuestion& question, const Choice& best,
                                    const std::optional<core::Outcome>& outcome,
                                    const Budget& budget, const Tuning& tuning) {
    core::Evidence evidence;
    bool enough = false;
    core::all_or_none(comm, [&] {
        if (!outcome || outcome->trials[outcome->winner].seconds.empty()) return;
        evidence = core::evidence_of(*outcome, tuning.effort, budget.spent());
        enough = core::tried_enough(*outcome);
    });
    if (!core::on_any_rank(comm, enough)) return std::nullopt;
    return remember_plan(comm, nodes, question, best, std::move(evidence), budget.left());
}

/// Collective. As weft explain prices it.
Estimated estimated(MPI_Comm comm, const core::Topology& nodes, const core::Plan& plan,
                    const std::optional<core::Machine>& described) {
    Estimated result;
    core::all_or_none(comm, [&] {
        const core::Machine machine = core::machine_of_nodes(described, nodes, plan.ranks);
        result = {core::price(plan, machine).seconds(), machine.name};
    });
    return result;
}

}  // namespace

TunedPlan tuned_plan(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                     const Choice& asked, const Tuning& tuning, const TuningObserver& observer) {
    if (core::estimates_for_machine(tuning)) {
        core::Machine machine = *described_machine(comm, tuning.machine);
        leave_out_absent_devices(comm, asked, machine);
        TunedPlan result;
        result.plan = estimated_plan(comm, nodes, {problem, asked, 0, false}, machine);
        result.estimated = estimated(comm, nodes, result.plan, machine);
        return result;
    }
    // Tuning tries all engines anyway.
    Choice constraint;
    core::all_or_none(comm, [&] {
        constraint = asked;
        if (core::measures_engine(asked)) constraint.engine.clear();
    });
    const Budget budget(tuning.limit);
    std::optional<PlanQuestion> question;
    const int ranks = core::ranks_in(comm);
    core::all_or_none(comm, [&] { question = question_of(problem, constraint, tuning); });
    TunedPlan result;
    const KnownPlan known = known_plan(comm, nodes, *question);
    std::optional<Choice> best = known.choice;
    if (tuning.effort == TuningEffort::frozen) best = require_known(known);
    result.known = known.why;
    result.troubles = known.troubles;
    if (observer.checks_known && may_check(known, tuning)) {
        result.known = stale_text_of(comm, nodes, problem, tuning, budget, known);
    }
    if (!best) {
        const std::unique_ptr<core::Session> tuner =
            tuner_for(comm, nodes, problem, constraint, tuning, known.start);
        if (tuning.effort >= TuningEffort::measure) {
            const double worth = tuner ? std::min(budget.left(), tuner->worth() / 2) : 0;
            let_engine_learn(comm, problem, constraint, agreed(comm, {.all = worth}).all);
        }
        Stopwatch stopwatch(comm, nodes, problem, tuning.plain_arrays);
        MeasuredChoice found = measured(comm, tuner.get(), budget, stopwatch, observer);
        best = std::move(found.best);
        result.outcome = std::move(found.outcome);
        const auto trouble =
            remember(comm, nodes, *question, *best, result.outcome, budget, tuning);
        core::all_or_none(comm, [&] {
            if (trouble)
                result.troubles.push_back("the plan that tuning found is not kept: " + *trouble);
        });
    }
    core::all_or_none(comm, [&] { result.plan = core::make_plan(problem, *best, ranks); });
    if (tuning.effort == TuningEffort::estimate) {
        result.estimated = estimated(comm, nodes, result.plan, described_machine(comm, ""));
    }
    core::require_same(comm, "the plan that tuning found",
                       [&] { return core::to_string(result.plan); });
    return result;
}

}  // namespace weft
