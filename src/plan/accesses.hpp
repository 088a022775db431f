// What transforms read and write beside redistributions that pack nothing: what carries these.
//
// Example: a redistribution by a region with pack=fused lies between two transforms. The one before
// it writes Access::region, the one behind it reads that. Where tiles begin or end, elements do not go
// on in the same pieces: there both are Access::layout.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Gives transforms their accesses, once it is known what carries redistributions. A rewrite:
/// plan -> plan.
[[nodiscard]] Plan set_accesses(Plan plan);

}  // namespace weft::core
