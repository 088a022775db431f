#include "api/fastest.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/stopwatch.hpp"
#include "api/transports.hpp"
#include "exchange/via.hpp"
#include "net/agree.hpp"
#include "plan/choice.hpp"
#include "tune/methods.hpp"
#include "tune/race.hpp"

namespace weft {

namespace {

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
    const std::vector<std::string> usable = methods_of_all(state.comm, asked.space);
    Stopwatch stopwatch(state.comm, nodes, state.plan.problem, plain_arrays);
    for (const int number : moves) {
        std::vector<core::Candidate> all;
        core::all_or_none(state.comm, [&] {
            all = core::candidates(state.plan.problem, choice, state.plan.ranks, number);
            std::erase_if(all, [&](const core::Candidate& one) {
                return std::find(usable.begin(), usable.end(), one.via) == usable.end();
            });
        });
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
