// Real-to-real transforms of complex numbers: those of their real parts and of their imaginary
// parts, which lie side by side. As tasks of real numbers they need no engine that knows them.
//
// Example: along the first axis of 8 x 6 complex numbers the line is 8 reals, 12 apart; the loops
// {6, 1, 1} become {6, 2, 2} and, of the two parts, {2, 1, 1}, which join to {12, 1, 1}.
#pragma once

#include "base/fused_lines.hpp"
#include "base/transforms.hpp"

namespace weft::core {

/// The task, whose kind is r2r and whose steps and offsets count complex numbers, in reals.
FftTask on_real_parts(FftTask task);

/// The same of lines in segments. Both parts of a number are two lines side by side where lines lie
/// so on both sides; otherwise they are a loop of their own.
FusedLines on_real_parts(FusedLines lines);

}  // namespace weft::core
