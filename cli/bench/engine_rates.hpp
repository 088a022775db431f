// How fast the serial engines are, side by side, on lines of one length.
#pragma once

#include <vector>

#include "fft/cost.hpp"
#include "fft/engine.hpp"

namespace weft::cli {

/// c2c, out of place: as many lines of `length` as make `elements`, at least one.
core::FftTask line_task(Index length, core::Pattern pattern, Precision precision, Index elements);

/// Each engine's median GFLOP/s by the usual count (core::flops). The engines take turns, so that
/// what else the machine does meets them alike.
std::vector<double> engine_rates(const core::FftTask& task,
                                 const std::vector<const core::FftEngine*>& engines);

}  // namespace weft::cli
