// One rank's part of a redistribution: what it packs, exchanges, keeps and unpacks.
#pragma once

#include <optional>
#include <vector>

#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// The messages of some rounds, and the copies that take what arrives onward, by receive.
struct Window {
    ExchangeTask exchange;
    std::vector<std::vector<CopyTask>> onward;
};

/// One stage of the schedule, from a source value to a landing value, and onward from there: to the
/// source of the next stage, or to the target of the move.
struct MoveStep {
    Index source = 0;   ///< elements of the source value
    Index landing = 0;  ///< elements of the landing value
    std::vector<Window> windows;
    std::vector<CopyTask> kept;         ///< source -> landing, beside the first window
    std::vector<CopyTask> kept_onward;  ///< landing -> onward, of what is kept
};

/// A copy of a box's elements, one loop for each axis in the order in which they travel.
struct BoxCopy {
    Box box;
    CopyTask task;
};

/// The same move where what it packs is made, and what it unpacks is used, in parts: of a single
/// exchange of packed messages.
struct PackedMove {
    Index source = 0;   ///< elements of the packed messages, what the rank keeps included
    Index landing = 0;  ///< elements of those that come
    ExchangeTask exchange;
    std::vector<BoxCopy> pack;    ///< layout -> source
    std::vector<BoxCopy> unpack;  ///< landing -> layout
    std::vector<BoxCopy> kept;    ///< source -> layout
    std::vector<int> travel;      ///< the order of axes
};

/// Nothing if the move does not pack and unpack, or is not one exchange that is waited for at once.
std::optional<PackedMove> packed_move(const Layout& from, const Layout& to,
                                      const RedistributionStage& move, Index chunk, int rank);

/// Pack (if `packs`: from the layout to the source of the first step), steps, of which the last
/// goes onward only if the move `unpacks`: otherwise it lands in the target's layout. Of a single
/// step, a large block that the rank keeps goes past all values between, in one copy.
struct MoveTasks {
    bool packs = false;
    bool unpacks = false;
    bool some = false;  ///< messages go onward one by one, as they arrive
    std::vector<CopyTask> pack;
    std::vector<MoveStep> steps;
    std::vector<CopyTask> past;  ///< from the source's layout to the target's
};

/// Pure, for any rank. `within_one_array`: source and target are the same memory and nothing else
/// is done to it, so one of the two sides is packed also where messages could lie as they are.
MoveTasks move_tasks(const Layout& from, const Layout& to, const RedistributionStage& move,
                     Index chunk, int rank, bool within_one_array);

}  // namespace weft::core
