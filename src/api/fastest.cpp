#include "api/fastest.hpp"

#include <optional>
#include <vector>

#include "api/stopwatch.hpp"
#include "exchange/via.hpp"
#include "net/agree.hpp"
#include "plan/choice.hpp"
#include "tune/methods.hpp"
#include "tune/race.hpp"

namespace weft {

namespace {

/// Collective. Whether all ranks have what the method needs: it may depend on a rank's machine.
bool can_run(MPI_Comm comm, const core::Candidate& candidate) {
    bool possible = false;
    core::all_or_none(comm, [&] {
        possible = core::why_unavailable(core::parse_via(candidate.via).how()).empty();
    });
    return !core::on_any_rank(comm, !possible);
}

/// Collective. The method of the fastest candidate for one move; what fails, fails on all ranks and
/// is passed over.
std::string fastest(MPI_Comm comm, const std::vector<core::Candidate>& all, Stopwatch& stopwatch) {
    core::RunEachTwice turns(static_cast<int>(all.size()));
    const core::Candidate* best = nullptr;
    double least = core::infeasible;
    std::optional<Error> why;
    for (;;) {
        const core::Candidate* candidate = nullptr;
        core::all_or_none(comm, [&] {
            const std::optional<core::Position> turn = turns.ask();
            if (turn) candidate = &all[static_cast<std::size_t>(turn->front())];
        });
        if (candidate == nullptr) break;
        double seconds = core::infeasible;
        try {
            const Seconds took = stopwatch.time(candidate->choice, true, true);
            seconds = took.forward + took.backward;
        } catch (const Error& error) {
            why = error;
        }
        turns.tell(seconds);
        if (seconds >= least) continue;
        least = seconds;
        best = candidate;
    }
    if (best == nullptr && why) throw *why;
    std::string via;
    core::all_or_none(comm, [&] { via = best == nullptr ? "" : best->via; });
    return via;
}

}  // namespace

core::Plan with_fastest_methods(const Plan::State& state, const core::Topology& nodes,
                                const Choice& asked, bool plain_arrays) {
    Choice choice;
    std::vector<int> moves;
    core::all_or_none(state.comm, [&] {
        choice = state.plan.choice;
        choice.pack = asked.pack;
        moves = core::measured_moves(asked, state.plan.moves());
        for (int number = 0; number < state.plan.moves(); ++number) {
            choice.via_of_move[number] = core::via_of(state.plan.choice, number);
        }
    });
    Stopwatch stopwatch(state.comm, nodes, state.plan.problem, plain_arrays);
    for (const int number : moves) {
        std::vector<core::Candidate> all;
        core::all_or_none(state.comm, [&] {
            all = core::candidates(state.plan.problem, choice, state.plan.ranks, number);
        });
        for (std::size_t i = all.size(); i-- > 0;) {
            if (!can_run(state.comm, all[i]))
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        }
        choice.via_of_move.at(number) = fastest(state.comm, all, stopwatch);
    }
    core::Plan plan;
    core::all_or_none(state.comm, [&] {
        // A method that all moves share is the plan's.
        if (asked.via == core::measured_via && !moves.empty()) {
            choice.via = choice.via_of_move.at(moves.front());
        }
        plan = core::make_plan(state.plan.problem, choice, state.plan.ranks);
    });
    core::require_same(state.comm, "the plan of the fastest methods",
                       [&] { return core::to_string(plan); });
    return plan;
}

}  // namespace weft
