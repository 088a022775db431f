// A transform stage beside moves by shared memory: one pass that reads other ranks' windows, or
// writes this rank's, or both.
#pragma once

#include <optional>
#include <vector>

#include "geometry/layout.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// A part of the array in one of an operation's places.
struct PlacedBox {
    StoredBox stored;
    int place = 0;
    bool padded = false;  ///< rows along the fastest axis have room for whole tiles
};

/// The places of a fused operation before its buffers are known, and the first of those that belong
/// to other ranks.
enum FusedPlace : int {
    source_place = 0,
    target_place = 1,
    scratch_place = 2,
    first_peer_place = 3
};

/// The axis that a stage transforms first, where what it reads comes from windows; the one that it
/// transforms last, where what it makes goes to one. -1 for a stage that is no transform.
int entry_axis(const Plan& plan, std::size_t stage);
int exit_axis(const Plan& plan, std::size_t stage);
/// Whether that stage is a move by shared memory.
bool is_shared(const Plan& plan, std::size_t stage);

/// The ends of the stage that are not in this rank's layouts: parts of windows.
struct FusedEnds {
    std::optional<std::vector<PlacedBox>> from;
    std::optional<std::vector<PlacedBox>> to;
};

/// The passes of one transform stage on one rank, for one box after the other. Their places'
/// buffers are 0 for the value read, 1 for the value made and 2 for scratch memory.
std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, const std::vector<int>& peers);

}  // namespace weft::core
