// The blocks of a schedule, as one rank of the group has them: where they lie in its layouts, and
// in the values between.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "exchange/schedule.hpp"
#include "exchange/transfers.hpp"
#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Where a block's elements lie in a value: slices that travel one after the other.
using Slices = std::vector<Slice>;

/// What does not depend on the step of a schedule: the group, and where its blocks lie in a rank's
/// layouts. Elements travel in the order of axes of the side that does not pack.
class GroupBlocks {
  public:
    /// The layouts must outlive it.
    GroupBlocks(const Layout& from, const Layout& to, const RedistributionStage& move, int rank);

    [[nodiscard]] const Group& group() const { return group_; }
    /// The rank's place in the group, and how many places there are.
    [[nodiscard]] int own() const { return own_; }
    [[nodiscard]] int places() const { return static_cast<int>(group_.ranks.size()); }
    [[nodiscard]] int rank(int place) const {
        return group_.ranks[static_cast<std::size_t>(place)];
    }
    /// As the block lies in the layout: of what this rank has (`source`), or is to have.
    [[nodiscard]] const Slices& in_layout(const Block& block, bool source) const;
    /// Its boxes, in the order of the slices.
    [[nodiscard]] const std::vector<Box>& boxes(const Block& block, bool source) const;
    /// A packed block: cut as it is in this rank's layouts, in one piece where it only passes
    /// through.
    [[nodiscard]] Slices packed_at(const Block& block, Index offset) const;

  private:
    template <class Side>
    [[nodiscard]] const Side& of_peer(const std::map<int, Side>& side, const Block& block,
                                      bool source) const;

    const Distribution& from_;
    const Distribution& to_;
    std::map<int, Slices> sends_;  ///< by peer, as all these
    std::map<int, Slices> receives_;
    std::map<int, std::vector<Box>> sent_boxes_;
    std::map<int, std::vector<Box>> received_boxes_;
    int own_ = 0;
    Group group_;
};

/// The blocks of one value and where they lie in it.
class PlacedBlocks {
  public:
    /// Of those, which must outlive it.
    explicit PlacedBlocks(const GroupBlocks& blocks) : blocks_(&blocks) {}

    /// Each block as it lies in the layout.
    void lie_in_layout(const std::vector<Block>& some, bool source);
    /// End to end in that order, behind what there is.
    void append(const std::vector<Block>& some);
    /// In slots, by the other end's place in the group; what the rank keeps lies behind them, since
    /// no slot is made for it.
    void lie_in_slots(const std::vector<Block>& some, bool source, Index slot);
    [[nodiscard]] const Slices& at(const Block& block) const { return places_.at(key(block)); }
    [[nodiscard]] Index elements() const { return elements_; }
    [[nodiscard]] Message message(int peer, const std::vector<Block>& some) const;

  private:
    static std::pair<int, int> key(const Block& block) { return {block.source, block.target}; }

    const GroupBlocks* blocks_;
    std::map<std::pair<int, int>, Slices> places_;
    Index elements_ = 0;
};

}  // namespace weft::core
