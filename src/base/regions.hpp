// Regions: memory of every rank of a node that the node's other ranks read, or write.
#pragma once

#include "weft/box.hpp"

namespace weft::core {

/// What two ranks write to at once lies this many bytes apart.
inline constexpr Index cache_line = 64;

/// Redistributions use work regions 0, 1, .. in turn, so that a stage between two of them reads one
/// and writes another.
inline constexpr int regions_in_turn = 2;

/// What a region's memory is: weft's own, or the input or output array of a program, where the
/// caller's arrays are exposed.
enum class RegionKind { work, input, output };

/// Names a region of a program. Every rank has memory of its own under the same name.
struct RegionId {
    RegionKind kind = RegionKind::work;
    int number = 0;  ///< which of its kind
    bool operator==(const RegionId&) const = default;
};

}  // namespace weft::core
