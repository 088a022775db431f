// From a plan in tiles to one rank's program: the programs of its tiles, interleaved ([song] Alg.
// 1).
#pragma once

#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The operations of `rank` for a plan that has a pipeline. Every tile's program is a line of
/// segments between the exchanges that it posts; segment j of tile i is done together with segment
/// j-1 of tile i+W, so that W tiles travel in each exchange. Every tile that is on its way has
/// buffers of its own, which later ones use again. Pure.
Program lower_pipeline(const Plan& plan, int rank, const Topology& topology);

}  // namespace weft::core
