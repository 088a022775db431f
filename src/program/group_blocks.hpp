// The blocks of a schedule, as one rank of the group has them: which boxes they are, and where
// these lie in the rank's arrays and in the values between.
//
// Example: 8 x 6 x 4 goes from slabs along axis 0 to slabs along axis 1 on two ranks. Rank 0 sends
// block (0,1), the box [0:4,3:6,0:4], receives block (1,0), the box [4:8,0:3,0:4], and keeps block
// (0,0). If elements travel in the order of axes 102, block (0,1) is the slice 12+[3:4 4:24 4:1] of
// the array before the redistribution, and packed at offset 0 it is 0+[3:16 4:4 4:1].
#pragma once

#include <span>
#include <vector>

#include "exchange/schedule.hpp"
#include "exchange/transfers.hpp"
#include "geometry/layout.hpp"
#include "program/draft.hpp"

namespace weft::core {

/// The blocks that a rank holds at one time, and where they lie in a value.
struct HeldBlocks {
    enum class Lie {
        before,  ///< in the array, as the layout before the redistribution has them
        behind,  ///< in the array, as the layout behind it has them
        packed,  ///< each block end to end
    };
    struct Extent {
        Index offset = 0;
        Index elements = 0;
    };

    Lie lie = Lie::packed;
    ValueId value = 0;            ///< the rule that lowers gives it
    std::vector<Block> blocks{};  ///< packed blocks that have elements
    /// Where packed blocks lie, by their distance: the target is so many group ranks behind the
    /// source. A rank never holds two blocks of one distance.
    std::vector<Extent> extents{};
    Index bytes = 0;  ///< the size of a value with packed blocks
};

class GroupBlocks {
  public:
    /// The layouts must outlive it. `travel` is the order of axes in which elements travel.
    GroupBlocks(const Layout& from, const Layout& to, std::vector<int> travel, int rank);

    [[nodiscard]] const Group& group() const { return group_; }
    [[nodiscard]] int group_ranks() const { return static_cast<int>(group_.ranks.size()); }
    [[nodiscard]] int own_group_rank() const { return own_; }

    [[nodiscard]] Index elements(const Block& block) const;
    /// Adds a block to packed ones, unless it is empty; returns its elements.
    Index place(const Block& block, Index offset, HeldBlocks& held) const;
    /// The slices of a block travel one after the other. A packed block that only passes through
    /// this rank is a single slice.
    [[nodiscard]] std::vector<Slice> slices(const Block& block, const HeldBlocks& held) const;
    [[nodiscard]] std::vector<CopyTask> copies(const std::vector<Block>& blocks,
                                               const HeldBlocks& from, const HeldBlocks& to) const;
    /// Copies the elements that packed blocks and boxes have in common, to the boxes or from them.
    /// The boxes may be stored anywhere.
    [[nodiscard]] std::vector<CopyTask> copies_of_parts(const std::vector<Block>& blocks,
                                                        const HeldBlocks& packed,
                                                        const std::vector<StoredBox>& boxes,
                                                        bool to_boxes) const;

  private:
    /// Everything that the rank sends to the group, or receives from it.
    struct Side {
        Side(std::vector<Transfer> all, const Layout& layout, const Group& group, int rank);
        [[nodiscard]] std::span<const Transfer> of(int group_rank) const;

        std::vector<Transfer> parts;    ///< by peer
        std::vector<StoredBox> stored;  ///< the rank's boxes
        std::vector<int> begins{};      ///< where each group rank's parts begin; then the end
    };

    [[nodiscard]] bool passes_through(const Block& block) const;
    [[nodiscard]] std::span<const Transfer> parts_of(const Block& block) const;
    [[nodiscard]] std::size_t distance(const Block& block) const;

    const Layout& from_;
    const Layout& to_;
    std::vector<int> travel_;
    Group group_;
    int own_;
    Side sent_;
    Side received_;
};

}  // namespace weft::core
