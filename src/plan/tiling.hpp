// The rewrite of a plan that cuts it into tiles ([song], generalised to any decomposition).
#pragma once

#include <optional>
#include <string>

#include "plan/plan.hpp"

namespace weft::core {

/// The plan in tiles, with its pipeline and, complete, the tiling in its choice: finds the stages
/// that tiles can go through, splits transforms of which only a part can, and, where formats are
/// free, has axes that redistributions gather fastest. A plan without redistributions stays as it
/// is. Throws Error(bad_request) where no stages suit the tiling, or redistributions do not send
/// messages.
[[nodiscard]] Plan tile(Plan plan, const Tiling& tiling);

/// The numbers of a plan's tiles in the direction in which it runs: backward, those of packing are
/// the other direction's of unpacking.
Tiling tiling_of(const Plan& plan);

/// Of a sub-tile: complex numbers that fit half of a cache of 256 KiB ([song] section 4.4).
inline constexpr Index sub_tile_elements = 8192;

/// The axis of sub-tiles besides that of the tiles: the slowest one that is not transformed,
/// if there is one.
std::optional<int> sub_tile_axis(const TransformStage& transform, const Format& format, int tiled);

/// The method of tiles' redistributions where none is named: messages by MPI_Isend and MPI_Irecv,
/// which travel while others are computed, or the default of the packing where these do not suit.
std::string default_tiled_via(Pack pack);

}  // namespace weft::core
