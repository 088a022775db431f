// Where polls go among the operations of a tile.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace weft::core {

/// How many polls are spread over the transforms, the copies that unpack and those that pack.
struct Polls {
    int transforms = 0;
    int unpacking = 0;
    int packing = 0;
};

/// Operations that follow each other without a poll.
struct PolledUnit {
    std::vector<Operation> operations;
    bool poll = false;  ///< behind them
};

/// The operations in order, cut into units: a transform, a run of copies. Where these are fewer
/// than the polls, runs are cut between copies, single operations along a loop.
std::vector<PolledUnit> polled_units(const std::vector<Operation>& operations, const Polls& polls);

}  // namespace weft::core
