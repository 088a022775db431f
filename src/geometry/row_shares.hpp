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
/// axes are whole. All of them but the last make lines, which the last runs along; no share is
/// longer than a line, so that it lies on one or ends one and begins the next: one box or two.
///
/// Of 3 x 4 rows on 5 ranks rank 1 has rows 2 to 3, [0:1,2:4], and rank 2 rows 4 to 6, [1:2,0:3].
class RowShares : public BoxesByRank {
  public:
    /// `axes`: the leading ones of the order, of which one has several indices. The first `used`
    /// ranks have shares; they are more than there are lines, and no block is as long as a line of
    /// several indices. `name`: how plans print it.
    RowShares(std::vector<Index> shape, int ranks, int used, const std::vector<int>& axes,
              CutRule rule, std::string name);

    [[nodiscard]] std::size_t most_boxes(int rank) const override {
        return rank < shares_.parts ? 2 : 0;
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
    std::vector<std::size_t> axes_;  ///< those of several indices
    Index length_ = 1;               ///< of a line
    Partition shares_;
    std::string name_;
};

}  // namespace weft::core
