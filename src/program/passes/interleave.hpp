// Tiles in flight ([song] Alg. 1): while messages of some tiles travel, others are computed.
#pragma once

#include "program/draft.hpp"

namespace weft::core {

/// Orders the steps of tiles, which the draft has tile by tile. A tile's steps are segments between
/// the exchanges that it starts, of which all tiles have as many; segment j of tile i is done
/// together with segment j-1 of tile i + `in_flight`, so that so many tiles travel in each
/// exchange. A step of no tile goes along with the tile behind it, if there is one and it serves no
/// stage behind those of the tiles, else with the one before it. `late`: the last segments are done
/// when all exchanges are.
///
/// Example: three tiles of one exchange each, 1 in flight, whose segments are c (compute), s
/// (start), f (finish) and d (the last one): c0 s0, c1 s1 f0 d0, c2 s2 f1 d1, f2 d2.
void interleave(Draft& draft, Index most_in_flight, bool late);

}  // namespace weft::core
