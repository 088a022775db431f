// The numbers of the windows that ranks of a node share.
#pragma once

#include "weft/box.hpp"

namespace weft::core {

/// What two ranks write to at once lies this many bytes apart.
inline constexpr Index cache_line = 64;

/// Moves use windows 0, 1, .. in turn, so that a stage between two moves reads one and writes
/// another.
inline constexpr int windows_in_turn = 2;
/// Windows from here on are arrays that are shown.
inline constexpr int first_shown_window = windows_in_turn;
/// Of a program: its output array, where others may write to it, and its input array, where they
/// may read it.
inline constexpr int output_window = first_shown_window;
inline constexpr int input_window = first_shown_window + 1;

}  // namespace weft::core
