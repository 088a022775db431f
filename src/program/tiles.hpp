// The stages that tiles go through, lowered tile by tile ([song] section 3).
#pragma once

#include "base/function_ref.hpp"
#include "program/rules/lowering.hpp"

namespace weft::core {

/// Adds the steps of a plan that has a pipeline, from the input, value 0: field by field those of
/// the stages before the tiles, then tile by tile, then those behind them. Steps of a tile bear its
/// number. Returns the value that is to be in the output array. Throws Error(bad_request) if the
/// tiles have too many messages together.
ValueId lower_tiles(const Plan& plan, const Topology& nodes, Draft& draft);

/// Calls visit(part, its first stage) for the stages before the tiles, those that each tile goes
/// through, with whole layouts, and those behind them, if there are any.
void for_parts(const Plan& plan, int rank, FunctionRef<void(const Part&, int)> visit);

/// The numbers of a plan's tiles in the direction in which it runs: backward, those of packing are
/// the other direction's of unpacking.
Tiling tiling_of(const Plan& plan);

}  // namespace weft::core
