// Transforms of many lines, each of which is read from and written to segments in several places of
// memory, so that a transform packs and unpacks in the same pass.
//
// Example: along axis 1 of 8 x 6 x 4 elements, where 2 ranks hold 3 elements of each line, place r
// is rank r's memory, [8][3][4]. A loop of 8 steps of 12 elements goes around 4 lanes at a step of
// 1; from is {{0, 3, 4, 1}, {12}, {{0, 0}, {1, 0}}}: segment 1 has elements 3 to 5, 4 apart.
#pragma once

#include <vector>

#include "base/transforms.hpp"

namespace weft::core {

/// Where a segment of the lines of a batch begins: so many elements after the start of that place.
struct SegmentBegin {
    int place = 0;  ///< the number of one
    Index offset = 0;
    bool operator==(const SegmentBegin&) const = default;
};

/// Segments of the lines of a batch that follow each other in the line and are alike: segment j
/// has `extent` elements, from first + j*extent on. In step i_k of each loop k it begins
/// sum(i_k * strides[k]) elements after begins[j].
struct Segments {
    LineSegment first;
    std::vector<Index> strides;  ///< by loop
    std::vector<SegmentBegin> begins;
    /// Number j of them.
    [[nodiscard]] LineSegment segment(std::size_t j) const {
        LineSegment result = first;
        result.first += static_cast<Index>(j) * first.extent;
        return result;
    }
    bool operator==(const Segments&) const = default;
};

/// A batch of transforms of lines in segments, each of which lies in a place of its own.
struct FusedLines {
    LineTransform line;
    CacheHints caches{};
    bool reads_beyond = false;  ///< as in a TileTask
    bool writes_beyond = false;
    std::vector<Index> loops{};  ///< extents, slowest first: the operation's loop, then others
    Index lanes = 1;             ///< lines in each step of the loops
    std::vector<Segments> from{};
    std::vector<Segments> to{};
    bool operator==(const FusedLines&) const = default;
};

}  // namespace weft::core
