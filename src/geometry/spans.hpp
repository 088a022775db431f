// The intervals of an axis in which no box of some begins or ends, blocks included.
//
// Example: [0, 12) and a box in blocks of 3 make one span, {0, 3, 4}: four equal intervals. A
// second box, in blocks of 4, cuts as well: {0, 3}, {3, 1}, {4, 2}, {6, 2}, {8, 1}, {9, 3}.
#pragma once

#include <compare>
#include <vector>

#include "geometry/blocks.hpp"

namespace weft::core {

/// Consecutive intervals of one axis, `count` of `extent` indices each, all alike.
struct Span {
    Index begin = 0;
    Index extent = 0;
    Index count = 1;
    bool operator==(const Span&) const = default;
};

/// Where boxes cut an axis between two indices.
class AxisCuts {
  public:
    AxisCuts(int axis, Index begin, Index end) : axis_(axis), edges_{begin, end} {}
    void add(const BlockedBox& box);
    /// From begin to end, in order. Costs n log n for n boxes.
    [[nodiscard]] std::vector<Span> spans();

  private:
    /// Blocks along the axis: between `begin` and `end` one of so many indices after the other.
    struct Grating {
        Index begin = 0;
        Index end = 0;
        Index extent = 1;
        /// The first edge behind that index.
        [[nodiscard]] Index next(Index index) const {
            return begin + ((index - begin) / extent + 1) * extent;
        }
        /// Whether both have their edges at the same indices.
        [[nodiscard]] bool agrees(const Grating& other) const {
            return extent == other.extent && (begin - other.begin) % extent == 0;
        }
        auto operator<=>(const Grating&) const = default;
    };
    /// The spans of an interval that lies within all of these gratings.
    static void append(Index begin, Index end, const std::vector<Grating>& gratings,
                       std::vector<Span>& result);

    int axis_;
    std::vector<Index> edges_;  ///< the begin and the end first
    std::vector<Grating> gratings_;
};

}  // namespace weft::core
