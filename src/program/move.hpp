// One rank's part of a redistribution: what it packs, exchanges, keeps and unpacks.
#pragma once

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
MoveTasks move_tasks(const Layout& from, const Layout& to, const MoveStage& move, Index chunk,
                     int rank, bool within_one_array);

/// From one slice to another with the same extents.
CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes);

}  // namespace weft::core
