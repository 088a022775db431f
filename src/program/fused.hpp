// A transform stage beside redistributions without packing: passes over memory that read other
// ranks' regions or what has landed, or write what others will read or be sent, or both.
#pragma once

#include <vector>

#include "exchange/region_parts.hpp"
#include "plan/plan.hpp"
#include "program/line_cells.hpp"

namespace weft::core {

/// What a step reads and writes: parts of the array, in places.
struct FusedEnds {
    std::vector<BufferRef> places;
    std::vector<PlacedBox> from;
    std::vector<PlacedBox> to;

    /// Adds parts to a side: those of other ranks lie in the same region of theirs. Parts that lie
    /// as one box are one.
    void add(std::vector<PlacedBox> FusedEnds::*side, int buffer,
             const std::vector<RegionPart>& parts, int rank);
};

/// The passes of a transform stage on one rank, one of its boxes after the other. The last place
/// is scratch memory, if the stage needs any. `shared_cache` as Environment has it.
std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, Index shared_cache);
/// The scratch memory of a thread in these passes.
Index fused_scratch_bytes(const Plan& plan, std::size_t stage, int rank);

}  // namespace weft::core
