// The lines along one axis of a box, grouped by the parts of arrays that they lie in: the segments
// of a line are its elements in each of these parts.
//
// Parts of either side begin and end anywhere. Where a line reads or writes other parts than its
// neighbour, another task begins; so the edges of all parts cut the other axes of the box into
// cells. Blocks of a part are cells, too, but alike: one task goes through them in a loop of its
// own. Where the line itself goes along blocks, it has a segment in each of them.
#pragma once

#include <utility>
#include <vector>

#include "geometry/spans.hpp"
#include "program/program.hpp"

namespace weft::core {

/// A part of the array in one of an operation's places.
struct PlacedBox {
    BlockedBox where;
    int place = 0;
    bool padded = false;  ///< rows along the fastest axis have room for whole tiles
    int own = 0;          ///< the number of the rank's box that it is a part of
};

/// Those that are read and those that are written.
struct Sides {
    std::vector<const PlacedBox*> from;
    std::vector<const PlacedBox*> to;
};

/// The axis of a box, cut where boxes of the sides begin and end: each span, and the boxes that it
/// lies in, in their order.
std::vector<std::pair<Span, Sides>> cut(const Sides& sides, int axis, const Box& box);

/// Lines along an axis, and how they are gone through.
struct Lines {
    LineTransform line;
    bool complex = false;  ///< r2r: of complex numbers, in both parts (program/real_parts.hpp)
    CacheHints caches;
    int axis = 0;
    std::vector<int> around;  ///< the other axes but the repeated one, slowest first: lanes last
};

/// The axes around lines, from the slowest to that of the lanes of tiles: the one along which most
/// sides are adjacent.
std::vector<int> lanes_last(std::vector<int> axes, const Sides& sides);

/// How many parts of lines the tasks of one stage may name on a rank. Each takes some 200 bytes,
/// here and where it is made ready to run: more would not fit in a gigabyte.
class PartLimit {
  public:
    explicit PartLimit(int rank) : rank_(rank) {}
    /// Throws Error(bad_request) that says what to do if there are too many in all.
    void count(std::size_t parts);

  private:
    static constexpr std::size_t most_ = std::size_t{1} << 22;
    int rank_;
    std::size_t count_ = 0;
};

/// Appends the tasks of the lines in a box between those sides, which lie in the order of the
/// lines' elements. Steps along axis `repeat` are those of the operation, if it has several. Costs
/// the parts of every task.
void add_lines(const Lines& lines, std::optional<int> repeat, const Box& box, const Sides& sides,
               PartLimit& limit, FusedOp& op);

}  // namespace weft::core
