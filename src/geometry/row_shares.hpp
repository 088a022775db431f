// Rows of an array, one after the other, dealt to the ranks in consecutive shares; by arithmetic.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geometry/boxes_by_rank.hpp"
#include "geometry/partition.hpp"

namespace weft::core {

/// Some leading axes of an order, flattened: their indices are cut in shares, the array's other
/// axes are whole. All of them but the last make lines, which the last runs along. No equal share
/// is longer than a line, so that it lies on one or ends one and begins the next: one box or two.
///
/// Of 3 x 4 rows on 5 ranks rank 1 has rows 2 to 3, [0:1,2:4], and rank 2 rows 4 to 6, [1:2,0:3].
///
/// Shares with weights may be longer: the end of a line, whole lines, the beginning of one. Lines
/// along several axes are rows again, so that whole ones may be several boxes. Of 7 x 2 rows on 8
/// ranks, of which 0 and 4 weigh 4, rank 4 has rows 7 to 10: [3:4,1:2], [4:5,0:2] and [5:6,0:1].
class RowShares : public BoxesByRank {
  public:
    /// `axes`: the leading ones of the order, of which one has several indices; `shares` are of
    /// their indices. These are more than there are lines, and no block is as long as a line of
    /// several indices. `name`: how plans print it.
    RowShares(std::vector<Index> shape, int ranks, const std::vector<int>& axes,
              const Partition& shares, std::string name);

    [[nodiscard]] std::size_t most_boxes(int rank) const override {
        return rank < shares_.parts ? most_boxes_ : 0;
    }
    void for_each_box(int rank, VisitBox visit) const override;
    [[nodiscard]] bool local(int axis) const override;
    [[nodiscard]] Index largest() const override;
    [[nodiscard]] bool idle(int used) const override;
    void overlaps(const Box& wanted,
                  const std::function<void(int, const Box&)>& visit) const override;
    [[nodiscard]] std::shared_ptr<const BoxesByRank> reshaped(
        std::vector<Index> shape) const override;
    [[nodiscard]] std::string name() const override { return name_; }

  private:
    [[nodiscard]] bool is_made_like(const BoxesByRank& other) const override;
    [[nodiscard]] Index extent(std::size_t i) const { return shape()[axes_[i]]; }
    [[nodiscard]] std::size_t axis_along(Index row, Index end) const;
    void boxes_between(Index begin, Index end, VisitBox visit) const;
    void overlaps_by_line(const Box& wanted,
                          const std::function<void(int, const Box&)>& visit) const;
    [[nodiscard]] Index first_row(const Box& box) const;
    [[nodiscard]] Index row_in(const Box& box, Index row) const;

    std::vector<std::size_t> axes_;  ///< those of several indices
    std::vector<Index> inner_;       ///< by such axis: how many rows have one index of it
    bool one_box_a_line_ = true;     ///< of a share, on each line that it meets, at most
    std::size_t most_boxes_ = 2;     ///< of a share
    Partition shares_;
    std::string name_;
};

}  // namespace weft::core
