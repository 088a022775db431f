// A plan in words: its states in the notation of the papers, its stages, what they move.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// A plan's states as `N0/4 x N1 x ^N2`: cut axes with their parts, transformed axes with a hat
/// ([gholami] Alg. 1-3); and what each stage does.
struct Words {
    std::vector<std::string> states;
    std::vector<std::string> stages;
};
Words words_of(const Plan& plan);

/// Three or four digits and a unit, as `134.2 MB`.
std::string bytes_text(double bytes);

/// One line per state and stage; with rank >= 0 also that rank's boxes and bytes.
std::string explain(const Plan& plan, int rank = -1);

}  // namespace weft::core
