// What copies and serial transforms take here, while all ranks do the same.
#pragma once

#include <string>

#include "calibrate/calibration.hpp"
#include "model/machine.hpp"

namespace weft::cli {

/// Sets `memory` and `engines`, each figure with its source. Ranks that share a core are as slow as
/// that makes them: unlike `weft engines`, this takes the time that passes. Takes about so many
/// seconds. Collective.
void measure_memory(double seconds, const Calibration& calibration, core::Machine& machine);
void measure_engines(double seconds, const Calibration& calibration, core::Machine& machine);

}  // namespace weft::cli
