// Tiles of a plan, interleaved ([song] Alg. 1): while messages of some travel, others are computed.
#pragma once

#include "base/function_ref.hpp"
#include "program/rules/lowering.hpp"

namespace weft::core {

/// Adds the steps of a plan that has a pipeline, from the input, value 0; returns the value that is
/// to be in the output array. Every tile's steps are a line of segments between the exchanges that
/// it starts; segment j of tile i is done together with segment j-1 of tile i+W, so that W tiles
/// travel in each exchange. Throws Error(bad_request) if the tiles have too many messages together.
ValueId lower_tiles(const Plan& plan, const Topology& nodes, Draft& draft);

/// Calls visit(part, its first stage) for the stages before the tiles, those that each tile goes
/// through, with whole layouts, and those behind them, if there are any.
void for_parts(const Plan& plan, int rank, FunctionRef<void(const Part&, int)> visit);

}  // namespace weft::core
