#include "api/measure.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft {

namespace {

/// On rank 0: what to run next.
std::optional<core::NextRun> next_run(core::Session& session, const Budget& budget,
                                      double& thought) {
    // Most of the time is for runs.
    constexpr double share_of_limit = 0.25;
    constexpr double share_of_worth = 0.05;  // before anything has run
    constexpr double share_of_runs = 0.2;
    const auto may_think = [&] {
        if (budget.limit() && thought >= share_of_limit * *budget.limit()) return false;
        return thought < share_of_worth * session.worth() +
                             share_of_runs * std::max(0.0, budget.spent() - thought);
    };
    const double before = budget.spent() - thought;
    while (may_think() && session.think()) thought = budget.spent() - before;
    return session.ask({budget.left(), budget.spent()});
}

}  // namespace

core::RunTerms agreed(MPI_Comm comm, const core::RunTerms& terms) {
    std::array<double, 7> all = {terms.forward ? 1.0 : 0.0,
                                 terms.backward ? 1.0 : 0.0,
                                 terms.binding,
                                 terms.all,
                                 terms.hopeless,
                                 terms.behind,
                                 terms.timing};
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Bcast(all.data(), static_cast<int>(all.size()), MPI_DOUBLE, 0, comm),
                        "MPI_Bcast");
    });
    return {all[0] > 0, all[1] > 0, all[2], all[3], all[4], all[5], all[6]};
}

MeasuredChoice measured(MPI_Comm comm, core::Session* session, const Budget& budget, TimeRun time,
                        const TuningObserver& observer) {
    constexpr core::RunTerms end = {.forward = false, .backward = false};
    double thought = 0;
    std::optional<Error> why;
    for (;;) {
        std::optional<core::NextRun> mine;
        core::all_or_none(comm, [&] {
            if (session != nullptr) mine = next_run(*session, budget, thought);
        });
        const double before = budget.spent();
        const core::RunTerms terms = agreed(comm, mine ? *mine : end);
        if (!terms.forward && !terms.backward) break;
        const std::string text = core::told_by_first(
            comm, [&] { return to_string(session->trial(mine->trial).plan.choice); });
        core::RunSeconds took;
        const core::Failure failure = core::attempt([&] {
            Choice choice;
            core::all_or_none(comm, [&] {
                choice = parse_choice(text);
                if (observer.before) observer.before(choice);
            });
            time(choice, terms, took);
        });
        core::all_or_none(comm, [&] {
            if (failure.happened) why = Error(failure.code, failure.message);
            if (session == nullptr) return;
            took.spent = budget.spent() - before - took.preparing;
            failure.happened ? session->fail(failure.message, took) : session->tell(took);
            if (observer.after) observer.after(session->trial(mine->trial), budget.left());
        });
    }
    MeasuredChoice found;
    const std::string text = core::told_by_first(comm, [&] {
        found.outcome = session->outcome();
        const core::Outcome& outcome = *found.outcome;
        return outcome.all_failed ? "" : to_string(outcome.trials[outcome.winner].plan.choice);
    });
    if (text.empty() && why) throw *why;
    core::all_or_none(comm, [&] { found.best = parse_choice(text); });
    return found;
}

}  // namespace weft
