// A transform that also changes the order of axes, for engines that are slow where lines lie far
// apart: in the order in which it reads (writes), through scratch memory, and copied there.
#pragma once

#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Whether a plan of one stage is better lowered so: its engine transforms contiguous lines, and
/// the transform has one axis and moves it from, or to, where lines are contiguous.
bool transposes(const Plan& part);

/// The program of such a plan: sub-tiles of lines are transformed, then copied to their places, if
/// the lines are contiguous before; otherwise copied, then transformed ([song]'s Transpose).
Program lower_transposition(const Plan& part, int rank);

}  // namespace weft::core
