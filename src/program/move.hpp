// One rank's part of a redistribution: what it packs, exchanges, keeps and unpacks.
#pragma once

#include <vector>

#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Up to three steps: pack (from the source to messages), exchange with `own` (what the rank keeps,
/// copied beside the exchange), unpack (from messages to the target). Messages lie end to end.
struct MoveTasks {
    bool packs = false;
    bool unpacks = false;
    std::vector<CopyTask> pack;
    ExchangeTask exchange;
    std::vector<CopyTask> own;
    std::vector<CopyTask> unpack;
};

/// Pure, for any rank. `within_one_array`: source and target are the same memory and nothing else
/// is done to it, so one of the two sides is packed also where messages could lie as they are.
MoveTasks move_tasks(const Layout& from, const Layout& to, const MoveStage& move, Index chunk,
                     int rank, bool within_one_array);

/// From one slice to another with the same extents.
CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes);

}  // namespace weft::core
