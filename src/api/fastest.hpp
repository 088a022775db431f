// What a choice leaves to measuring, found by trying it: its engine, its exchange methods.
//
// Collective, the same plan on all ranks. Whole transforms are timed in both directions, and the
// slowest rank counts. `nodes`: of the communicator; `plain_arrays`: those that are timed do not
// come from weft::allocate.
#pragma once

#include "api/state.hpp"

namespace weft {

/// The plan with the fastest method for each redistribution that the choice leaves to measuring, one redistribution
/// after the other: every method that can carry the redistribution is run twice and the shorter time counts
/// ([duy] section 3.2.3).
core::Plan with_fastest_methods(const Plan::State& state, const core::Topology& nodes,
                                const Choice& asked, bool plain_arrays);

/// The plan with the fastest engine of those that all ranks have (engine=auto): what is known here
/// from earlier (api/known_plan), or else engines race in turns, and the result is remembered, in
/// this process and in the user's wisdom. Whatever else `asked` leaves open each engine's own
/// default fills in; methods that are to be measured as well keep their default here.
core::Plan with_fastest_engine(const Plan::State& state, const core::Topology& nodes,
                               const Choice& asked, bool plain_arrays);

}  // namespace weft
