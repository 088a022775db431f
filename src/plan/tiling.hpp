// The rewrite of a plan that cuts it into tiles ([song], generalised to any decomposition).
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace weft::core {

/// Completes the tiling, records it in the plan's choice and gives the plan its pipeline: finds the
/// stages that tiles can go through, splits transforms of which only a part can, and, where formats
/// are free, has axes that moves gather fastest. A plan without moves stays as it is.
/// Throws Error(bad_request) where no stages suit the tiling, or moves do not send messages.
void cut_in_tiles(Plan& plan, const Tiling& tiling);

/// Of a sub-tile: complex numbers that fit half of a cache of 256 KiB ([song] section 4.4).
inline constexpr Index sub_tile_elements = 8192;

/// The axis of sub-tiles besides that of the tiles: the slowest one that is not transformed; -1:
/// there is none.
int sub_tile_axis(const TransformStage& transform, const Format& format, int tiled);

/// The method of moves where none is named: the first one that suits and goes on by itself.
std::string default_tiled_via(Pack pack);

}  // namespace weft::core
