// The numbers of the windows that ranks of a node share.
#pragma once

namespace weft::core {

/// Moves use windows 0, 1, .. in turn, so that a stage between two moves reads one and writes
/// another.
inline constexpr int windows_in_turn = 2;
/// Windows from here on are arrays that are shown. Of a program: its output array, where others may
/// write to it.
inline constexpr int output_window = windows_in_turn;

}  // namespace weft::core
