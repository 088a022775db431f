// The fastest exchange methods, found by trying them.
#pragma once

#include "api/state.hpp"

namespace weft {

/// Collective. The plan with the fastest method for each move that the choice leaves to measuring:
/// every method that can carry the move does so twice, there and back; of the shorter times those
/// of the slowest ranks are compared, so all ranks pick the same ([duy] section 3.2.3).
core::Plan with_fastest_methods(const Plan::State& state, const Choice& asked);

}  // namespace weft
