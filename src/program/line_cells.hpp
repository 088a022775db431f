// The lines along one axis of a box, grouped by the parts of arrays that they lie in: the segments
// of a line are its elements in each of these parts.
//
// Parts of either side begin and end anywhere. Where a line reads or writes other parts than its
// neighbour, another task begins; so the edges of all parts cut the other axes of the box into
// cells. Blocks of a part are cells, too, but alike: one task goes through them in a loop of its
// own.
#pragma once

#include <optional>
#include <vector>

#include "program/blocks.hpp"
#include "program/program.hpp"

namespace weft::core {

/// A part of the array in one of an operation's places.
struct PlacedBox {
    BlockedBox where;
    int place = 0;
    bool padded = false;  ///< rows along the fastest axis have room for whole tiles
    int own = 0;          ///< the number of the rank's box that it is a part of
};

/// One axis of a stage between parts of the array: which lines there are and how they are gone
/// through.
struct LinesBetween {
    LineTransform line;
    CacheHints caches;
    int axis = 0;
    std::vector<PlacedBox> from;
    std::vector<PlacedBox> to;
};

/// Consecutive intervals of one axis, `count` of `extent` indices each, all alike.
struct Span {
    Index begin = 0;
    Index extent = 0;
    Index count = 1;
    bool operator==(const Span&) const = default;
};

/// The intervals of an axis in which no part begins or ends, blocks included: from `begin` to
/// `end`, where all parts lie. Costs n log n for n parts.
std::vector<Span> spans(int axis, Index begin, Index end,
                        const std::vector<const PlacedBox*>& parts);

/// The axis along which an operation repeats its work, in passes of its own: where the first one
/// begins, and where each ends.
struct Passes {
    int axis = 0;
    std::vector<Index> ends;

    /// No part begins or ends within a pass.
    Passes(int axis, const Box& region, const std::vector<PlacedBox>& from,
           const std::vector<PlacedBox>& to);
    [[nodiscard]] std::size_t count() const { return ends.size() - 1; }
    [[nodiscard]] Index steps(std::size_t pass) const { return ends[pass + 1] - ends[pass]; }
};

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

class LineCells {
  public:
    /// Of the lines in `region`; `order`: of all axes, slowest first. Without passes there is one.
    LineCells(LinesBetween lines, Box region, const std::vector<int>& order,
              const std::optional<Passes>& passes);
    LineCells(const LineCells&) = delete;
    LineCells& operator=(const LineCells&) = delete;
    LineCells(LineCells&&) = default;
    LineCells& operator=(LineCells&&) = delete;
    ~LineCells() = default;

    /// Appends the tasks of that pass. Costs what they say: the parts of every task.
    void add(std::size_t pass, PartLimit& limit, FusedOp& op) const;

  private:
    /// Of one side, of one cell or several.
    using Parts = std::vector<const PlacedBox*>;
    struct Sides {
        Parts from;
        Parts to;
    };
    /// The spans chosen so far, one for each of the loops around lines.
    struct Cell {
        Box box;  ///< the first of equal cells
        std::vector<Span> spans;
    };
    /// A loop around the lines of a cell: `extent` steps of so many indices of an axis.
    struct CellLoop {
        int axis = 0;
        Index extent = 1;
        Index step = 0;
    };
    void order_loops(const std::vector<int>& order);
    void add_cells(const Sides& sides, Cell& cell, PartLimit& limit, FusedOp& op) const;
    void add_lines(const Sides& sides, const Cell& cell, FusedOp& op) const;
    [[nodiscard]] std::vector<CellLoop> loops(const Cell& cell) const;
    [[nodiscard]] std::vector<Segments> segments(const Parts& parts, const Cell& cell,
                                                 const std::vector<CellLoop>& loops) const;
    [[nodiscard]] LineSegment segment(const BlockedBox& where) const;
    /// Whether all can be read (written) up to the end of a last tile of lanes.
    [[nodiscard]] bool have_room(const Parts& parts, const Box& cell) const;

    LinesBetween lines_;
    Box region_;
    std::optional<Passes> passes_;
    std::vector<int> inner_;  ///< the loops within a pass, slowest first; the lanes of tiles last
    std::vector<Sides> of_pass_;
};

}  // namespace weft::core
