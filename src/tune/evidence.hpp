// What wisdom keeps of a tuning that has ended.
#pragma once

#include "tune/tuner.hpp"
#include "tune/wisdom.hpp"

namespace weft::core {

/// Of an outcome whose winner has run; `spent`: seconds in all. The date is left to whoever
/// remembers it.
Evidence evidence_of(const Outcome& outcome, TuningEffort effort, double spent);

}  // namespace weft::core
