// What transforms read and write beside redistributions that pack nothing: what carries these.
//
// Example: a redistribution by a region with pack=fused lies between two transforms. The one before
// it writes Access::region, the one behind it reads that. Where tiles begin or end, elements do not go
// on in the same pieces: there both are Access::layout.
//
// Which axis a transform beside a redistribution without packing takes first, and which last: the
// one whose lines it reads where they have been brought, and the one whose lines it writes where
// they are taken along. Among those that may come first (last) it is one that the redistribution
// cuts, and not the fastest one, so that lines lie side by side. But several axes that come behind
// a redistribution begin with the fastest one where its lines are whole and contiguous on both
// sides: then all that was brought is read as one stream, and the axis that comes last goes from
// the cache to where the result belongs, as in the other direction.
//
// Example: 8 x 6 x 4 in slabs along axis 0, transformed along axes 1 and 2, then cut along axis 1:
// the exit axis is 1, and the entry axis of the transform along axis 0 behind it is 0. Backward,
// axis 0 comes first and is the exit axis; then 2 is the entry axis, and 1 the exit axis.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Gives transforms their accesses, once it is known what carries redistributions. A rewrite:
/// plan -> plan.
[[nodiscard]] Plan set_accesses(Plan plan);

/// Gives the transforms beside redistributions their entry and exit axes, once it is known what they
/// read and write. A rewrite: plan -> plan.
[[nodiscard]] Plan set_line_axes(Plan plan);

}  // namespace weft::core
