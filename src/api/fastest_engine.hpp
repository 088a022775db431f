// The fastest engine, found by trying them (engine=auto).
#pragma once

#include <mpi.h>

#include <vector>

#include "api/state.hpp"
#include "base/function_ref.hpp"
#include "tune/choice_race.hpp"

namespace weft {

/// Collective: seconds of a choice on this rank, or Error.
using ChoiceSeconds = core::FunctionRef<double(const Choice&)>;

/// Collective. Runs a race, which is the same on all ranks, by the times of the slowest ranks: it
/// ends alike on all. What fails on some rank is out. Throws Error if everything has failed.
void run(MPI_Comm comm, core::ChoiceRace& race, ChoiceSeconds seconds);

/// Collective. The plan with the fastest engine of those that all ranks have: what is known here
/// from earlier (api/known_plan), or else the whole transform is timed in both directions, with
/// each engine in turns, and the result remembered, in this process and in the user's wisdom.
/// Whatever else `asked` leaves open each engine's own default fills in; methods that are to be
/// measured as well keep their default here. `nodes`: of the communicator; `plain_arrays`: those
/// that are timed do not come from weft::allocate.
core::Plan with_fastest_engine(const Plan::State& state, const core::Topology& nodes,
                               const Choice& asked, bool plain_arrays);

}  // namespace weft
