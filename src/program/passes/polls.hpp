// Where polls go among the steps of a tile.
#pragma once

#include <vector>

#include "program/draft.hpp"

namespace weft::core {

/// How many polls are spread over the transforms, the copies that unpack and those that pack.
struct Polls {
    int transforms = 0;
    int unpacking = 0;
    int packing = 0;
};

/// Appends those steps, which no others name, to the draft's order, cut and with polls behind them.
/// Where a transform, or a run of copies, are fewer than the polls, runs are cut between copies,
/// and single steps along a loop.
void add_polled(Draft& draft, const std::vector<StepId>& steps, const Polls& polls);

}  // namespace weft::core
