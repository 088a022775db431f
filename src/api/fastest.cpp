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
double seconds(const Plan::State& state, const core::Candidate& candidate) {
    std::optional<Plan> plan;
    core::Buffer in;
    core::Buffer out;
    core::all_or_none(state.comm, [&] {
        plan = Internals::plan({candidate.move, state.comm, state.rank, state.environment});
        in = core::Buffer(candidate.move.at.front().bytes(state.rank));
        out = core::Buffer(candidate.move.at.back().bytes(state.rank));
        std::fill_n(in.data(), in.bytes(), std::byte{0});
    });
    Transform transform = plan->bind_untyped(in.data(), out.data());
    double shortest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 2; ++round) {
        double took = 0;
        for (const bool backward : {false, true}) {
            core::all_or_none(state.comm, [] {});  // They start together.
            // An exchange that MPI fails on one rank alone ends there, and with the others as soon
            // as they have what that rank sent.
            core::all_or_none(state.comm, [&] {
                const double start = MPI_Wtime();
                backward ? transform.backward() : transform.forward();
                took += MPI_Wtime() - start;
            });
        }
        shortest = std::min(shortest, took);
    }
    double slowest = 0;
    core::all_or_none(state.comm, [&] {
        core::check_mpi(MPI_Allreduce(&shortest, &slowest, 1, MPI_DOUBLE, MPI_MAX, state.comm),
                        "MPI_Allreduce");
    });
    return slowest;
}

/// Collective. Whether all ranks have what the method needs: it may depend on a rank's machine.
bool can_run(MPI_Comm comm, const core::Candidate& candidate) {
    bool possible = false;
    core::all_or_none(comm, [&] {
        possible = core::why_unavailable(core::parse_via(candidate.via).how()).empty();
    });
    return !core::on_any_rank(comm, !possible);
}

/// Collective. The fastest for one move; what fails, fails on all ranks and is passed over.
std::string fastest(const Plan::State& state, Pack pack, int number) {
    std::vector<core::Candidate> all;
    core::all_or_none(state.comm, [&] { all = core::candidates(state.plan, pack, number); });
    const core::Candidate* best = nullptr;
    std::optional<Error> why;
    double least = std::numeric_limits<double>::infinity();
    for (const core::Candidate& candidate : all) {
        if (!can_run(state.comm, candidate)) continue;
        try {
            const double took = seconds(state, candidate);
            if (took >= least) continue;
            least = took;
            best = &candidate;
        } catch (const Error& error) {
            why = error;
        }
    }
    if (best == nullptr && why) throw *why;
    std::string via;
    core::all_or_none(state.comm, [&] { via = best == nullptr ? "" : best->via; });
    return via;
}

}  // namespace

core::Plan with_fastest_methods(const Plan::State& state, const Choice& asked) {
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
    for (const int number : moves) {
        choice.via_of_move.at(number) = fastest(state, asked.pack, number);
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
