// Who owns which part of an array: the same value on every rank.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry/box_list.hpp"
#include "geometry/split.hpp"

namespace weft::core {

/// A part of every box: along one axis, of its parts of `extent` elements, the one of that number.
/// Where a box has fewer such parts it is empty.
struct Tile {
    int axis = 0;
    Index extent = 1;
    Index number = 0;
    /// Takes an interval of the axis to its part.
    void cut(Index& lo, Index& hi) const {
        lo = std::min(lo + number * extent, hi);
        hi = std::min(lo + extent, hi);
    }
    [[nodiscard]] Box of(Box box) const;
    bool operator==(const Tile&) const = default;
};

/// An assignment of the factors of a process grid to the axes of an array, or a list of boxes.
///
/// Assignment: axis a is cut flat by the product of the factors in cuts[a], the first of them
/// outermost. Every factor is assigned once; factors of 1 are dropped, so that equal distributions
/// compare equal. Ranks beyond the grid own nothing. "Slab" and "pencil" are names for such
/// assignments. A list of boxes has no grid and no cuts. Ranks may own more than others, along the
/// axis that the split's heavy_factor() cuts.
///
/// Boxes of a list may leave elements of the array out: those are nobody's.
///
/// Of either, tiles: then a rank owns these parts of its boxes only, and some elements are
/// nobody's.
class Distribution {
  public:
    Distribution() = default;
    /// cuts[a]: the factors (by number) that cut axis a, outermost first. The grid suits the split.
    Distribution(std::vector<Index> shape, int ranks, ProcessGrid grid,
                 std::vector<std::vector<int>> cuts, const Split& split);
    explicit Distribution(BoxList boxes);
    explicit Distribution(std::shared_ptr<const BoxesByRank> boxes);

    /// The boxes; null for an assignment.
    [[nodiscard]] const BoxesByRank* list() const { return list_.get(); }
    [[nodiscard]] const std::vector<Index>& shape() const { return shape_; }
    [[nodiscard]] int axes() const { return static_cast<int>(shape_.size()); }
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] const ProcessGrid& grid() const { return grid_; }
    [[nodiscard]] const std::vector<std::vector<int>>& cuts() const { return cuts_; }
    [[nodiscard]] const Split& split() const { return split_; }
    /// Whether both cut axes in the same way, by the same factors of equal grids: where they do not
    /// give an axis the same factors, the parts of one still nest in those of the other.
    [[nodiscard]] bool cuts_like(const Distribution& other) const {
        return grid_ == other.grid_ && split_ == other.split_;
    }
    /// The tiles, each of what those before it leave; none: boxes are whole.
    [[nodiscard]] const std::vector<Tile>& tiles() const { return tiles_; }
    /// This distribution, of which ranks own such parts only.
    [[nodiscard]] Distribution tile(const Tile& tile) const;
    /// With the first so many of its tiles.
    [[nodiscard]] Distribution first_tiles(int count) const;
    /// What the tiles leave of a box: those from the one of that number on.
    [[nodiscard]] Box tiled(Box box, int first = 0) const;
    /// What the tiles leave, at most, of so many elements along the axis.
    [[nodiscard]] Index tiled_extent(int axis, Index extent) const;
    /// The longest of the rank's boxes along the axis; 0 if it owns nothing.
    [[nodiscard]] Index extent(int axis, int rank) const;
    /// No box of any rank has more elements along the axis, tiles or not.
    [[nodiscard]] Index largest_extent(int axis) const;

    /// Calls visit(lo, hi) with the bounds of each of the rank's parts, for loops over many ranks.
    void for_each_box(int rank, VisitBox visit) const;
    /// No fewer than the rank has parts.
    [[nodiscard]] std::size_t most_boxes(int rank) const {
        return list_ ? list_->most_boxes(rank) : 1;
    }
    /// The parts of one rank, none of them empty.
    [[nodiscard]] std::vector<Box> boxes(int rank) const;
    /// The part of one rank of an assignment; of volume 0 where it owns nothing.
    [[nodiscard]] Box box(int rank) const;
    /// The same into a box of this array's axes, for loops over many ranks.
    void box(int rank, Box& result) const;
    /// The same along one axis: its first index and the one behind its last.
    [[nodiscard]] std::pair<Index, Index> interval(int axis, int rank) const;
    /// Where a rank that owns nothing would begin: an empty box, whole along axes that are not cut.
    /// A rank beyond the grid is behind the end of the axis that the slowest factor cuts, one
    /// without boxes in a list behind those of all axes that the list cuts; where no axis is cut,
    /// behind that of axis 0.
    [[nodiscard]] Box place(int rank) const;
    /// How an assignment cuts an axis.
    [[nodiscard]] Partition partition(int axis) const {
        const auto a = static_cast<std::size_t>(axis);
        return split_.partition(shape_[a], grid_, cuts_[a]);
    }
    /// Whether all of every box's lines along the axis are whole.
    [[nodiscard]] bool local(int axis) const;
    /// The number of elements of the rank that has most; with tiles no rank has more.
    [[nodiscard]] Index largest() const;
    /// Whether boxes leave out elements of the array, which are nobody's, tiles or not.
    [[nodiscard]] bool sparse() const { return covered() < whole(shape_).volume(); }
    /// The elements of all ranks, without tiles.
    [[nodiscard]] Index covered() const {
        return list_ ? list_->covered() : whole(shape_).volume();
    }
    /// Whether some rank owns nothing.
    [[nodiscard]] bool idle() const { return idle(ranks_); }
    /// Whether one of the first `used` ranks does.
    [[nodiscard]] bool idle(int used) const;
    /// Calls visit(rank, common part) for every part that meets the box, not in order. Costs the
    /// number of such parts, not the number of all.
    void overlaps(const Box& box, const std::function<void(int, const Box&)>& visit) const;
    /// The same distribution of another array: [n0, n1] -> [n0, n1/2+1], say. With a list of boxes
    /// only local axes may change.
    [[nodiscard]] Distribution reshaped(std::vector<Index> shape) const;

    bool operator==(const Distribution& other) const;

  private:
    void drop_unit_factors();
    void count_grid();
    [[nodiscard]] Index part(int axis, int rank) const;
    /// Without tiles.
    [[nodiscard]] std::pair<Index, Index> whole_interval(int axis, int rank) const;
    void whole_overlaps(const Box& box, const std::function<void(int, const Box&)>& visit) const;
    /// Of the whole box of the rank that has that part in it.
    [[nodiscard]] Box tiled_part(int rank, const Box& part) const;

    std::vector<Index> shape_;
    int ranks_ = 1;
    ProcessGrid grid_;
    Index grid_size_ = 1;
    /// By factor: how far apart ranks are whose coordinates in it differ by one.
    std::vector<Index> apart_;
    std::vector<std::vector<int>> cuts_;
    Split split_;
    std::shared_ptr<const BoxesByRank> list_;
    std::vector<Tile> tiles_;
};

/// Whether every rank owns the same boxes in both.
bool same_boxes(const Distribution& a, const Distribution& b);

/// `slab(0)`, `pencil(0:2,1:4)`, `grid(0:2,1:2,2:2)`, `single`, `all` on one rank; of boxes
/// their name, `rows(201)` or `boxes#1f0c..`; `dims` is the number of the batch axis,
/// printed b.
std::string to_string(const Distribution& distribution, int dims);

}  // namespace weft::core
