#include "program/fused_move.hpp"

#include <algorithm>
#include <utility>

#include "exchange/transfers.hpp"
#include "program/move.hpp"

namespace weft::core {

namespace {

bool is_by_region(const Plan& plan, std::size_t stage) {
    const RedistributionStage* move = redistribution_at(plan, stage);
    return move != nullptr && move->carrier == Carrier::region;
}

/// How many of the plan's redistributions before that stage go by regions.
int regions_before(const Plan& plan, std::size_t stage) {
    int count = 0;
    for (std::size_t i = 0; i < stage; ++i) count += is_by_region(plan, i) ? 1 : 0;
    return count;
}

/// From where the first of those blocks begins to where the last one ends, without gaps.
Slice region(const std::vector<WindowBlock>& blocks, std::size_t first, std::size_t end) {
    Index elements = 0;
    for (std::size_t i = first; i < end; ++i) elements += blocks[i].stored.box.volume();
    return {blocks[first].stored.offset, {{elements, 1}}};
}

}  // namespace

FusedMove::FusedMove(const Plan& plan, std::size_t stage, int rank, const Topology& topology)
    : from_(plan.at[stage]),
      to_(plan.at[stage + 1]),
      via_(redistribution_at(plan, stage)->via),
      chunk_(plan.choice.chunk),
      ranks_(plan.ranks),
      rank_(rank),
      window_(is_by_region(plan, stage) ? regions_before(plan, stage) % windows_in_turn : -1),
      sends_(window_ == -1 || !topology.one_node()),
      layout_(from_, to_, entry_axis(plan, stage + 1), window_ == -1 ? nullptr : &topology) {
    peers_ = other_peers(transfers(from_.where, to_.where, rank).receives, rank);
    std::erase_if(peers_, [&](int peer) { return !layout_.in_place(peer, rank); });
}

std::vector<PlacedBox> FusedMove::written() const {
    std::vector<PlacedBox> result;
    for (const WindowBlock& block : layout_.written(rank_)) {
        result.push_back({block.stored, target_place, layout_.padded(block.stored)});
    }
    for (const WindowBlock& block : layout_.landed(rank_)) {
        if (block.peer != rank_) continue;
        result.push_back({block.stored, landing_place, layout_.padded(block.stored)});
    }
    return result;
}

std::vector<PlacedBox> FusedMove::read() const {
    std::vector<PlacedBox> result;
    const auto add = [&](int source, int place) {
        if (!layout_.in_place(source, rank_)) return;
        for (const StoredBox& stored : layout_.written(source, rank_)) {
            result.push_back({stored, place, layout_.padded(stored)});
        }
    };
    add(rank_, source_place);
    int place = first_peer_place;
    for (const int peer : peers_) add(peer, place++);
    for (const WindowBlock& block : layout_.landed(rank_)) {
        result.push_back({block.stored, arrived_place, layout_.padded(block.stored)});
    }
    return result;
}

std::vector<PlacedCopies> FusedMove::copies(const Layout& layout,
                                            const std::vector<PlacedBox>& boxes, bool in) const {
    const std::vector<int>& order = to_.format.order;
    const std::vector<StoredBox> stored = layout.stored(rank_);
    std::vector<PlacedCopies> result;
    for (const PlacedBox& one : boxes) {
        if (result.empty() || result.back().place != one.place) result.push_back({one.place, {}});
        for (const StoredBox& array : stored) {
            const Box common = intersect(array.box, one.stored.box);
            if (common.empty()) continue;
            const Slice outside = slice_of(common, array, order);
            const Slice inside = slice_of(common, one.stored, order);
            result.back().copies.push_back(
                copy_task(in ? outside : inside, in ? inside : outside, from_.scalar.bytes()));
        }
    }
    return result;
}

std::vector<PlacedCopies> FusedMove::copies_in() const { return copies(from_, written(), true); }

std::vector<PlacedCopies> FusedMove::copies_out() const { return copies(to_, read(), false); }

ExchangeTask FusedMove::task() const {
    ExchangeTask task;
    task.group = group(from_.where, to_.where, rank_);
    task.element_bytes = from_.scalar.bytes();
    task.chunk = chunk_;
    // Of each region that is sent, no more than a cache line's elements are there for alignment.
    constexpr Index gap = 64;
    task.largest = std::max(from_.largest_span(), to_.largest_span()) + gap * ranks_;
    return task;
}

ExchangeTask FusedMove::reading() const {
    ExchangeTask result = task();
    result.transport = TransportId::shared;
    result.window = window_;
    const auto slice = [&](const StoredBox& block) {
        return slice_of(block.box, block, to_.format.order);
    };
    for (const WindowBlock& block : layout_.written(rank_)) {
        if (block.peer == rank_ || !layout_.in_place(rank_, block.peer)) continue;
        if (result.sends.empty() || result.sends.back().peer != block.peer) {
            result.sends.push_back({block.peer, {}});
        }
        result.sends.back().slices.push_back(slice(block.stored));
    }
    for (const int peer : peers_) {
        Message& message = result.receives.emplace_back(Message{peer, {}});
        for (const StoredBox& block : layout_.written(peer, rank_)) {
            message.slices.push_back(slice(block));
        }
    }
    return result;
}

ExchangeTask FusedMove::messages() const {
    ExchangeTask result = task();
    result.transport = message_transport(via_);
    const auto add = [&](const std::vector<WindowBlock>& blocks, bool written,
                         std::vector<Message>& messages) {
        for (std::size_t i = 0; i < blocks.size();) {
            const int peer = blocks[i].peer;
            const std::size_t first = i;
            while (i < blocks.size() && blocks[i].peer == peer) ++i;
            const bool stays = peer == rank_ || (written && layout_.in_place(rank_, peer));
            if (!stays) messages.push_back({peer, {region(blocks, first, i)}});
        }
    };
    add(layout_.written(rank_), true, result.sends);
    add(layout_.landed(rank_), false, result.receives);
    // Each rank begins with the next one, and hears from the one before it first.
    const auto after = [&](const Message& message) { return message.peer > rank_; };
    const auto before = [&](const Message& message) { return message.peer < rank_; };
    std::stable_partition(result.sends.begin(), result.sends.end(), after);
    std::reverse(result.receives.begin(), result.receives.end());
    std::stable_partition(result.receives.begin(), result.receives.end(), before);
    return result;
}

}  // namespace weft::core
