// What the messages of one exchange take a rank.
//
// Example: two ranks on a node, two nodes, 1 us and 1 GB/s inside a node, 2 us and 0.5 GB/s between
// them. A rank that sends 1000 bytes to each other one is busy for 2 us with those of its node, and
// the others are through 8 us later.
#pragma once

#include "base/work.hpp"
#include "model/exchange_seconds.hpp"

namespace weft::core {

/// Messages inside a node are copies, which the rank itself makes; others travel while it does
/// something else.
struct TaskSeconds {
    double inside = 0;
    double between = 0;
};
TaskSeconds task_seconds(const ExchangeTask& task, int rank, const Site& site);

}  // namespace weft::core
