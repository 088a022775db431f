// An objective: the way that takes the least predicted time on a machine.
#pragma once

#include "model/machine.hpp"
#include "plan/objective.hpp"
#include "plan/problem.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// To be handed to make_plan. The weight of a redistribution is its seconds on the slowest of a few
/// ranks: its messages, without those inside a node where the choice's method has ranks read each
/// other's memory; and one pass over memory, since with each redistribution transforms or copies go
/// over the array once more. The arithmetic of transforms is left out: it is the same on all ways
/// whose parts are alike. Less than a 64th of a redistribution's time does not count. Ways of equal
/// time are told apart by exchanges, then volume.
///
/// On a device the pass is one over its memory, and messages go by its links, or with hops before
/// and after them, if the machine describes devices. Where a share of the ranks computes on the
/// device, the others have the host's memory and no hops, so that the weight counts: what each rank
/// owns takes as long as where it lies.
///
/// Between two assignments it costs the ranks of a node, not a rank's peers: what goes to other
/// nodes is taken for messages of one size, spread evenly over them.
Objective predicted_time(const Machine& machine, const Problem& problem, const Choice& choice);

}  // namespace weft::core
