// What a rank sends to the others of its group, or receives from them, by group rank.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/no_copy.hpp"
#include "exchange/transfers.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

class GroupTransfers : NoCopy {
  public:
    GroupTransfers(std::vector<Transfer> all, const Layout& layout, const Group& group, int rank)
        : transfers_(std::move(all)), stored_(layout.stored(rank)) {
        auto peer = group.ranks.begin();
        for (std::size_t begin = 0, end = 0; begin < transfers_.size(); begin = end) {
            while (end < transfers_.size() && transfers_[end].peer == transfers_[begin].peer) ++end;
            peer = std::lower_bound(peer, group.ranks.end(), transfers_[begin].peer);
            const auto group_rank = static_cast<int>(peer - group.ranks.begin());
            peers_.push_back(group_rank);
            by_peer_.emplace(group_rank, std::span(&transfers_[begin], end - begin));
        }
    }

    // Spans refer to its own transfers.

    /// The group ranks with which something is exchanged, ascending.
    [[nodiscard]] const std::vector<int>& peers() const { return peers_; }
    /// What makes up the block that is for that group rank, or from it.
    [[nodiscard]] std::span<const Transfer> with(int peer) const {
        const auto found = by_peer_.find(peer);
        return found != by_peer_.end() ? found->second : std::span<const Transfer>{};
    }
    /// The slices of that block in the rank's array.
    [[nodiscard]] std::vector<Slice> in_array(int peer, const std::vector<int>& order) const {
        return mapped(with(peer), [&](const Transfer& one) {
            return slice_of(one.box, stored_[usize(one.own)], order);
        });
    }

  private:
    std::vector<Transfer> transfers_;  ///< by peer
    std::vector<StoredBox> stored_;    ///< the rank's boxes
    std::vector<int> peers_;
    std::unordered_map<int, std::span<const Transfer>> by_peer_;
};

}  // namespace weft::core
