// Elements of lines between segments and tiles, in portions.
#pragma once

#include <vector>

#include "base/transforms.hpp"
#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// Runs of a line segment's elements that are adjacent in the tile as well.
struct TileRun {
    std::size_t segment = 0;
    Index offset = 0;    ///< of the first, in numbers after where the segment begins
    Index position = 0;  ///< of the first in the tile, in elements
    Runs runs;
};

/// What is copied at once: some butterflies of a first pass, some blocks of a last one.
struct Portion {
    Range some;
    std::vector<TileRun> runs;
};

/// A line as `rows` rows of `count` elements, and so many columns of them at a time. In the tile,
/// rows are `stride` elements apart; 0: they hold the columns of one portion only.
///
/// Example: 16 elements in 2 rows, 4 at a time: portions of elements 0-3 and 8-11, 4-7 and 12-15.
struct PortionGrid {
    Index rows = 1;
    Index count = 1;
    Index stride = 1;
    Index at_a_time = 1;
    bool backward = false;  ///< element j > 0 of a line of n is n - j in the segments
};
/// Unless it is backward, elements that no segment holds are left out.
std::vector<Portion> portions(const std::vector<LineSegment>& segments, const PortionGrid& grid);

}  // namespace weft::core::native
