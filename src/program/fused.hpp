// A transform stage beside moves without packing: one pass that reads other ranks' regions or what
// has landed, or writes what others will read or be sent, or both.
#pragma once

#include <optional>
#include <vector>

#include "geometry/layout.hpp"
#include "plan/plan.hpp"
#include "program/line_cells.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The places of a fused operation before its buffers are known, and the first of those that belong
/// to other ranks.
enum FusedPlace : int {
    source_place = 0,
    target_place = 1,
    scratch_place = 2,
    arrived_place = 3,  ///< where the messages of the move before have landed
    landing_place = 4,  ///< where those of the next one will
    first_peer_place = 5
};

/// The axis that a stage transforms first, where what it reads comes from regions; the one that it
/// transforms last, where what it makes goes to one. Nothing for a stage that is no transform.
std::optional<int> entry_axis(const Plan& plan, std::size_t stage);
std::optional<int> exit_axis(const Plan& plan, std::size_t stage);
/// Whether that stage is a move without packing: transforms beside it write what is sent, or
/// offered to readers in regions, and read what has landed.
bool is_fused(const Plan& plan, std::size_t stage);

/// The ends of the stage that are not in this rank's layouts: parts of regions.
struct FusedEnds {
    std::optional<std::vector<PlacedBox>> from;
    std::optional<std::vector<PlacedBox>> to;
};

/// The passes of one transform stage on one rank, for one box after the other, between those
/// places: this rank's as FusedPlace says, then those of others that the ends name.
std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, const FusedOp::Places& places);
/// The scratch memory of a thread in these passes, whatever their ends are.
Index fused_scratch_bytes(const Plan& plan, std::size_t stage, int rank);

}  // namespace weft::core
