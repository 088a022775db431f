// What each operation of a program is done for, in the words of [song] Fig. 8.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::cli {

/// By operation: FFTz, FFTyz (with axes x, y, z of three, else their numbers; a transform that also
/// changes the order of axes does so on its way), Transpose (copies that serve no redistribution), Pack,
/// Unpack, Wait (posts, what is waited for, and what a rank copies for itself meanwhile), Test
/// (polls), Scale.
std::vector<std::string> labels(const core::Plan& plan, const core::Program& program);

/// One operation of a run on one rank.
struct TimedOperation {
    std::string label;
    int stage = 0;
    double begin = 0;  ///< seconds since the run began
    double seconds = 0;
};

}  // namespace weft::cli
