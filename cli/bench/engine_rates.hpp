// How fast the serial engines are, side by side, on lines of one length.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/cost.hpp"
#include "fft/engine.hpp"

namespace weft::cli {

/// How the lines along an axis lie in memory: adjacent elements on both sides (lines), on neither
/// side, where lines lie side by side (lanes), or on the side that is written (permuting).
enum class Pattern { lines, lanes, permuting };
inline constexpr std::array<Pattern, 3> all_patterns = {Pattern::lines, Pattern::lanes,
                                                        Pattern::permuting};
std::string_view to_string(Pattern pattern);

/// c2c, out of place: as many lines of `length` as make `elements`, at least one.
core::FftTask line_task(Index length, Pattern pattern, Precision precision, Index elements);

/// Each engine's median GFLOP/s by the usual count (core::flops). The engines take turns, so that
/// what else the machine does meets them alike.
std::vector<double> engine_rates(const core::FftTask& task,
                                 const std::vector<const core::FftEngine*>& engines);

}  // namespace weft::cli
