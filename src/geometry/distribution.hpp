// Who owns which part of an array: the same value on every rank.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "geometry/partition.hpp"
#include "geometry/process_grid.hpp"

namespace weft::core {

/// An assignment of the factors of a process grid to the axes of an array. Axis a is cut flat by
/// the product of the factors in cuts[a], the first of them outermost. Every factor is assigned
/// once; factors of 1 are dropped, so that equal distributions compare equal. Ranks beyond the grid
/// own nothing. "Slab" and "pencil" are names for such assignments.
class Distribution {
  public:
    Distribution() = default;
    /// cuts[a]: the factors (by number) that cut axis a, outermost first.
    Distribution(std::vector<Index> shape, int ranks, ProcessGrid grid,
                 std::vector<std::vector<int>> cuts, CutRule rule);

    [[nodiscard]] const std::vector<Index>& shape() const { return shape_; }
    [[nodiscard]] int axes() const { return static_cast<int>(shape_.size()); }
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] const ProcessGrid& grid() const { return grid_; }
    [[nodiscard]] const std::vector<std::vector<int>>& cuts() const { return cuts_; }
    [[nodiscard]] CutRule rule() const { return rule_; }

    /// The part of one rank; of volume 0 where it owns nothing.
    [[nodiscard]] Box box(int rank) const;
    /// The same into a box of this array's axes, for loops over many ranks.
    void box(int rank, Box& result) const;
    [[nodiscard]] Partition partition(int axis) const;
    /// Whether every rank owns the whole axis of whatever it owns.
    [[nodiscard]] bool local(int axis) const { return partition(axis).parts == 1; }
    /// The number of elements of the largest part.
    [[nodiscard]] Index largest() const;
    /// Whether some rank owns nothing.
    [[nodiscard]] bool idle() const;
    /// Calls visit(rank, common part) for every rank that owns a part of the box, not in order.
    /// Costs the number of such ranks, not the number of all.
    void overlaps(const Box& box, const std::function<void(int, const Box&)>& visit) const;
    /// The same assignment of another array: [n0, n1] -> [n0, n1/2+1], say.
    [[nodiscard]] Distribution reshaped(std::vector<Index> shape) const;

    bool operator==(const Distribution&) const = default;

  private:
    void drop_unit_factors();
    [[nodiscard]] Index part(int axis, int rank) const;

    std::vector<Index> shape_;
    int ranks_ = 1;
    ProcessGrid grid_;
    std::vector<std::vector<int>> cuts_;
    CutRule rule_ = CutRule::balanced;
};

/// `slab(0)`, `pencil(0:2,1:4)`, `grid(0:2,1:2,2:2)`, `single`, `all` on one rank; `dims` is the
/// number of the batch axis, printed b.
std::string to_string(const Distribution& distribution, int dims);

}  // namespace weft::core
