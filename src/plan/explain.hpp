// A plan in words: its states in the notation of the papers, its stages, what they move.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace weft::core {

/// One line per state and stage; with rank >= 0 also that rank's boxes and bytes.
std::string explain(const Plan& plan, int rank = -1);

}  // namespace weft::core
