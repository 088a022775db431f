// The fastest exchange methods, found by trying them.
#pragma once

#include "api/state.hpp"

namespace weft {

/// Collective. The plan with the fastest method for each move that the choice leaves to measuring,
/// one move after the other: the whole transform is timed twice in each direction by every method
/// that can carry the move, and the shorter times of the slowest ranks are compared, so all ranks
/// pick the same ([duy] section 3.2.3). `nodes`: of the communicator; `plain_arrays`: those that
/// are timed do not come from weft::allocate.
core::Plan with_fastest_methods(const Plan::State& state, const core::Topology& nodes,
                                const Choice& asked, bool plain_arrays);

}  // namespace weft
