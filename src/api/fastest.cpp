#include "api/fastest.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "exchange/via.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/choice.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Collective. The seconds of a move and its reverse, the same on all ranks.
double seconds(const Plan::State& alone) {
    const Plan plan = Internals::plan(alone);
    core::Buffer in;
    core::Buffer out;
    core::all_or_none(alone.comm, [&] {
        in = core::Buffer(alone.plan.at.front().bytes(alone.rank));
        out = core::Buffer(alone.plan.at.back().bytes(alone.rank));
        std::fill_n(in.data(), alone.plan.at.front().bytes(alone.rank), std::byte{0});
    });
    Transform transform = plan.bind_untyped(in.data(), out.data());
    double shortest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 2; ++round) {
        core::check_mpi(MPI_Barrier(alone.comm), "MPI_Barrier");
        const double start = MPI_Wtime();
        transform.forward();
        transform.backward();
        shortest = std::min(shortest, MPI_Wtime() - start);
    }
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_DOUBLE, MPI_MAX, alone.comm),
                    "MPI_Allreduce");
    return shortest;
}

/// Collective. The fastest for one move; what fails, fails on all ranks and is passed over.
std::string fastest(const Plan::State& state, Pack pack, int number) {
    std::string best;
    std::optional<Error> why;
    double least = std::numeric_limits<double>::infinity();
    for (const core::Candidate& candidate : core::candidates(state.plan, pack, number)) {
        const core::Transport& how = core::parse_via(candidate.via).how();
        // It may depend on the machine of a rank.
        if (core::on_any_rank(state.comm, !core::why_unavailable(how).empty())) continue;
        try {
            const double took = seconds({candidate.move, state.comm, state.rank, state.topology});
            if (took >= least) continue;
            least = took;
            best = candidate.via;
        } catch (const Error& error) {
            why = error;
        }
    }
    if (best.empty() && why) throw *why;
    return best;
}

}  // namespace

core::Plan with_fastest_methods(const Plan::State& state, const Choice& asked) {
    Choice choice = state.plan.choice;
    choice.pack = asked.pack;
    const std::vector<int> moves = core::measured_moves(asked, state.plan.moves());
    for (int number = 0; number < state.plan.moves(); ++number) {
        choice.via_of_move[number] = core::via_of(state.plan.choice, number);
    }
    for (const int number : moves) {
        choice.via_of_move[number] = fastest(state, asked.pack, number);
    }
    // A method that all moves share is the plan's.
    if (asked.via == core::measured_via && !moves.empty()) {
        choice.via = choice.via_of_move.at(moves.front());
    }
    core::Plan plan;
    core::all_or_none(
        state.comm, [&] { plan = core::make_plan(state.plan.problem, choice, state.plan.ranks); });
    core::require_same(state.comm, "the plan of the fastest methods", core::to_string(plan));
    return plan;
}

}  // namespace weft
