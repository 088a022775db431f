#include "program/fused_move.hpp"

#include <algorithm>
#include <utility>

#include "exchange/transfers.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

namespace {

bool is_by_region(const Plan& plan, std::size_t stage) {
    const RedistributionStage* move = redistribution_at(plan, stage);
    return move != nullptr && move->carrier == Carrier::region;
}

/// The work region by which that redistribution goes; nothing if it goes by messages.
std::optional<int> region_of(const Plan& plan, std::size_t stage) {
    if (!is_by_region(plan, stage)) return std::nullopt;
    int before = 0;
    for (std::size_t i = 0; i < stage; ++i) before += is_by_region(plan, i) ? 1 : 0;
    return before % regions_in_turn;
}

/// From where the first of those parts begins to where the last one ends, without gaps.
Slice joined(const std::vector<RegionPart>& parts, std::size_t first, std::size_t end) {
    Index elements = 0;
    for (std::size_t i = first; i < end; ++i) elements += parts[i].where.stored.box.volume();
    return {parts[first].where.stored.offset, {{elements, 1}}};
}

}  // namespace

FusedMove::FusedMove(const Plan& plan, std::size_t stage, int rank, const Topology& topology)
    : from_(plan.at[stage]),
      to_(plan.at[stage + 1]),
      via_(redistribution_at(plan, stage)->via),
      chunk_(plan.choice.chunk),
      ranks_(plan.ranks),
      rank_(rank),
      region_(region_of(plan, stage)),
      sends_(!region_ || !topology.one_node()),
      layout_(from_, to_, entry_axis(plan, stage + 1), region_ ? &topology : nullptr) {
    if (!region_) return;
    peers_ = other_peers(core::receives(from_.where, to_.where, rank), rank);
    std::erase_if(peers_, [&](int peer) { return !layout_.in_place(peer, rank); });
}

void FusedMove::place(const RegionPart& part, int place, int own,
                      std::vector<PlacedBox>& boxes) const {
    boxes.push_back({part.where, place, layout_.padded(part), own});
    // Blocks that lie side by side are none.
    std::optional<Blocks>& blocks = boxes.back().where.blocks;
    if (blocks && blocks->step == blocks->extent * boxes.back().where.stride(blocks->axis))
        blocks.reset();
    while (boxes.size() > 1) {
        PlacedBox& before = boxes[boxes.size() - 2];
        const PlacedBox& last = boxes.back();
        if (before.place != last.place || before.own != last.own || !before.where.join(last.where))
            return;
        before.padded = before.padded && last.padded;
        boxes.pop_back();
    }
}

std::vector<PlacedBox> FusedMove::written() const {
    std::vector<PlacedBox> result;
    for (const RegionPart& part : layout_.written(rank_)) {
        place(part, target_place, part.own, result);
    }
    if (region_) return result;  // It has what it keeps in its own region.
    // The transform that makes what a rank keeps and the one that reads it know it by the numbers
    // of different boxes.
    std::vector<Transfer> kept = core::sends(from_.where, to_.where, rank_);
    std::erase_if(kept, [&](const Transfer& transfer) { return transfer.peer != rank_; });
    std::size_t next = 0;
    for (const RegionPart& part : layout_.landed(rank_)) {
        if (part.peer != rank_) continue;
        const Box& box = part.where.stored.box;
        while (intersect(kept[next].box, box) != box) ++next;
        place(part, landing_place, kept[next].own, result);
    }
    return result;
}

const std::vector<RegionPart>& FusedMove::read_in_place() const {
    if (!read_in_place_) read_in_place_ = layout_.read(rank_);
    return *read_in_place_;
}

std::vector<PlacedBox> FusedMove::read() const {
    const std::vector<RegionPart>& parts = read_in_place();
    std::vector<PlacedBox> result;
    for (const RegionPart& part : parts) {
        if (part.peer == rank_) place(part, source_place, part.own, result);
    }
    auto peer = peers_.begin();
    for (const RegionPart& part : parts) {
        if (part.peer == rank_) continue;
        while (*peer != part.peer) ++peer;
        const int number = static_cast<int>(peer - peers_.begin());
        place(part, first_peer_place + number, part.own, result);
    }
    for (const RegionPart& part : layout_.landed(rank_)) {
        place(part, arrived_place, part.own, result);
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
        const StoredBox& array = stored[static_cast<std::size_t>(one.own)];
        BlockedBox part{{one.where.stored.box, array.offset, array.strides}, one.where.blocks};
        for (int axis = 0; axis < array.box.axes(); ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            part.stored.offset += (part.lo(axis) - array.box.lo[a]) * array.strides[a];
            if (part.cuts(axis)) part.blocks->step = part.blocks->extent * array.strides[a];
        }
        const Slice outside = part.slice(order);
        const Slice inside = one.where.slice(order);
        result.back().copies.push_back(
            copy_task(in ? outside : inside, in ? inside : outside, from_.scalar.bytes()));
    }
    return result;
}

std::vector<PlacedCopies> FusedMove::copies_in() const { return copies(from_, written(), true); }

std::vector<PlacedCopies> FusedMove::copies_out() const { return copies(to_, read(), false); }

RegionTask FusedMove::reading() const {
    RegionTask result;
    result.region = {RegionKind::work, *region_};
    result.element_bytes = from_.scalar.bytes();
    const auto add = [&](const RegionPart& part, std::vector<PeerPart>& parts) {
        if (part.peer == rank_) return;
        slices_of(parts, part.peer).push_back(part.where.slice(to_.format.order));
    };
    for (const RegionPart& part : layout_.written(rank_)) {
        if (layout_.in_place(rank_, part.peer)) add(part, result.offered);
    }
    for (const RegionPart& part : read_in_place()) add(part, result.used);
    return result;
}

ExchangeTask FusedMove::messages() const {
    ExchangeTask result =
        exchange_between(from_, to_, group(from_.where, to_.where, rank_), chunk_);
    result.transport = message_transport(via_);
    // Of each region that is sent, no more than a cache line's elements are there for alignment.
    constexpr Index gap = 64;
    result.largest += gap * ranks_;
    const auto add = [&](const std::vector<RegionPart>& parts, bool written,
                         std::vector<Message>& messages) {
        for (std::size_t i = 0; i < parts.size();) {
            const int peer = parts[i].peer;
            const std::size_t first = i;
            while (i < parts.size() && parts[i].peer == peer) ++i;
            const bool stays = peer == rank_ || (written && layout_.in_place(rank_, peer));
            if (!stays) messages.push_back({peer, {joined(parts, first, i)}});
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
