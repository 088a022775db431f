// How each redistribution of a plan travels, and where it permutes axes. A rewrite: plan -> plan.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Gives every redistribution the method and the packing of the choice, or where that leaves them
/// open its own, and records them, complete, in the plan's choice. `pack` is one word for all
/// redistributions: it applies to those whose method supports it, the others keep their default.
/// Throws Error(bad_request) if it applies to none, or a method cannot carry its redistribution.
[[nodiscard]] Plan choose_methods(Plan plan, const Choice& choice);

}  // namespace weft::core
