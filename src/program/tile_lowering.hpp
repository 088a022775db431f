// What one tile of a pipeline does on one rank, sub-tile by sub-tile ([song] Alg. 2 and 3).
#pragma once

#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Elements of sub-tiles while transforms are followed by packing, and while they follow unpacking:
/// along the axis of the tiles, and along another one.
struct SubTiles {
    Index pack_along = 0;
    Index pack_other = 0;
    Index unpack_along = 0;
    Index unpack_other = 0;
};

/// The program of a plan whose layouts are those of one tile along that axis: transforms before
/// moves that pack are packed sub-tile by sub-tile, those after them are unpacked so. The input is
/// kept, and of the output nothing but its elements is touched. Pure.
Program lower_tile(const Plan& tile, int axis, const SubTiles& sub_tiles, int rank);

}  // namespace weft::core
