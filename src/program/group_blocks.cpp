#include "program/group_blocks.hpp"

#include <algorithm>

namespace weft::core {

namespace {

Index count(const Slices& place) {
    Index n = 0;
    for (const Slice& slice : place) n += slice.count();
    return n;
}

/// Where slices lie that are packed end to end from that offset on, their elements in the order in
/// which they travel.
Slices packed(Slices place, Index offset) {
    for (Slice& slice : place) {
        Index stride = slice.count();
        slice.offset = offset;
        offset += stride;
        for (Run& run : slice.runs) {
            stride /= run.extent;
            run.stride = stride;
        }
    }
    return place;
}

/// The places of one side's parts by peer, as they lie in the layout. Elements travel in that order
/// of axes.
std::map<int, Slices> places_by_peer(const std::vector<Transfer>& transfers, const Layout& layout,
                                     int rank, const std::vector<int>& travel) {
    const std::vector<StoredBox> stored = layout.stored(rank);
    std::map<int, Slices> result;
    for (const Transfer& transfer : transfers) {
        const StoredBox& own = stored[static_cast<std::size_t>(transfer.own)];
        result[transfer.peer].push_back(slice_of(transfer.box, own, travel));
    }
    return result;
}

std::map<int, std::vector<Box>> boxes_by_peer(const std::vector<Transfer>& transfers) {
    std::map<int, std::vector<Box>> result;
    for (const Transfer& transfer : transfers) result[transfer.peer].push_back(transfer.box);
    return result;
}

}  // namespace

GroupBlocks::GroupBlocks(const Layout& from, const Layout& to, const RedistributionStage& move,
                         int rank)
    : from_(from.where), to_(to.where), group_(core::group(from.where, to.where, rank)) {
    const auto& travel = move.pack == Pack::receiver ? from.format.order : to.format.order;
    const Transfers all = transfers(from.where, to.where, rank);
    sends_ = places_by_peer(all.sends, from, rank, travel);
    receives_ = places_by_peer(all.receives, to, rank, travel);
    sent_boxes_ = boxes_by_peer(all.sends);
    received_boxes_ = boxes_by_peer(all.receives);
    const auto& ranks = group_.ranks;
    own_ = static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

template <class Side>
const Side& GroupBlocks::of_peer(const std::map<int, Side>& side, const Block& block,
                                 bool source) const {
    static const Side none;
    const auto found = side.find(rank(source ? block.target : block.source));
    return found == side.end() ? none : found->second;
}

const Slices& GroupBlocks::in_layout(const Block& block, bool source) const {
    return of_peer(source ? sends_ : receives_, block, source);
}

const std::vector<Box>& GroupBlocks::boxes(const Block& block, bool source) const {
    return of_peer(source ? sent_boxes_ : received_boxes_, block, source);
}

Slices GroupBlocks::packed_at(const Block& block, Index offset) const {
    if (block.source == own_ || block.target == own_) {
        return packed(in_layout(block, block.source == own_), offset);
    }
    const Index n = common_elements(from_, to_, rank(block.source), rank(block.target));
    if (n == 0) return {};
    return {{offset, {{n, 1}}}};
}

void PlacedBlocks::lie_in_layout(const std::vector<Block>& some, bool source) {
    for (const Block& block : some) places_[key(block)] = blocks_->in_layout(block, source);
}

void PlacedBlocks::append(const std::vector<Block>& some) {
    for (const Block& block : some) {
        places_[key(block)] = blocks_->packed_at(block, elements_);
        elements_ += count(places_[key(block)]);
    }
}

void PlacedBlocks::lie_in_slots(const std::vector<Block>& some, bool source, Index slot) {
    elements_ = slot * blocks_->places();
    for (const Block& block : some) {
        if (block.source == block.target) {
            append({block});
            continue;
        }
        const int other = source ? block.target : block.source;
        places_[key(block)] = blocks_->packed_at(block, other * slot);
    }
}

Message PlacedBlocks::message(int peer, const std::vector<Block>& some) const {
    Message result{peer, {}};
    for (const Block& block : some) {
        const Slices& place = at(block);
        result.slices.insert(result.slices.end(), place.begin(), place.end());
    }
    return result;
}

}  // namespace weft::core
