// The stages that tiles go through, lowered tile by tile ([song] section 3).
#pragma once

#include "plan/tile_samples.hpp"
#include "program/rules/lowering.hpp"

namespace weft::core {

/// Adds the steps of a plan that has a pipeline, from the input, value 0: field by field those of
/// the stages before the tiles, then tile by tile, then those behind them. Steps of a tile bear its
/// number among `some`. Throws Error(bad_request) if all tiles have too many messages together.
void lower_tiles(Lowering& whole, const TileCounts& some);

}  // namespace weft::core
