#include "api/fastest_engine.hpp"

#include <optional>
#include <string>
#include <utility>

#include "api/estimate.hpp"
#include "api/known_plan.hpp"
#include "api/stopwatch.hpp"
#include "api/usable_engines.hpp"
#include "base/engines.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Rounds of a race, after which those that are left are tied: from the sixth on intervals of
/// medians part.
constexpr int most_rounds = 9;

/// Collective. The largest of the ranks' numbers.
double slowest(MPI_Comm comm, double mine) {
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, comm),
                        "MPI_Allreduce");
    });
    return mine;
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
Choice measured(const Plan::State& state, const core::Topology& nodes, const PlanQuestion& question,
                const std::vector<Choice>& choices, bool plain_arrays) {
    const double start = MPI_Wtime();
    Stopwatch stopwatch(state.comm, nodes, state.plan.problem, plain_arrays);
    std::optional<core::ChoiceRace> race;
    core::all_or_none(state.comm, [&] { race.emplace(choices, most_rounds); });
    run(state.comm, *race, [&](const Choice& choice) {
        const Seconds took = stopwatch.time(choice, true, true);
        return took.forward + took.backward;
    });
    Choice best;
    std::optional<core::Evidence> evidence;
    core::all_or_none(state.comm, [&] {
        best = *race->winner();
        evidence = race->evidence(MPI_Wtime() - start);
    });
    if (evidence) {
        (void)remember_plan(state.comm, nodes, question, best, std::move(*evidence));
    }
    return best;
}

}  // namespace

void run(MPI_Comm comm, core::ChoiceRace& race, ChoiceSeconds seconds) {
    std::optional<Error> why;
    for (;;) {
        const Choice* choice = nullptr;
        core::all_or_none(comm, [&] { choice = race.ask(); });
        if (choice == nullptr) break;
        double took = 0;
        const core::Failure failure = core::attempt([&] { took = seconds(*choice); });
        if (core::on_any_rank(comm, failure.happened)) {
            core::all_or_none(comm, [&] {
                why.reset();
                if (failure.happened) why = Error(failure.code, failure.message);
                race.fail(failure.message);
            });
            continue;
        }
        took = slowest(comm, took);
        core::all_or_none(comm, [&] { race.tell(took); });
    }
    core::all_or_none(comm, [&] {
        if (race.winner() == nullptr && why) throw *why;
    });
}

core::Plan with_fastest_engine(const Plan::State& state, const core::Topology& nodes,
                               const Choice& asked, bool plain_arrays) {
    if (state.plan.problem.kind == Kind::redistribute) return state.plan;  // Nothing to transform.
    const std::vector<std::string> engines = engines_of_all(state.comm, asked.space);
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
        best =
            known.choice ? *known.choice : measured(state, nodes, *question, choices, plain_arrays);
    }
    core::Plan plan;
    core::all_or_none(state.comm,
                      [&] { plan = core::make_plan(state.plan.problem, best, state.plan.ranks); });
    core::require_same(state.comm, "the plan of the fastest engine",
                       [&] { return core::to_string(plan); });
    return plan;
}

}  // namespace weft
