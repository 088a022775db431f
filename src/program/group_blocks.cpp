#include "program/group_blocks.hpp"

#include <algorithm>
#include <utility>

#include "program/layout_tasks.hpp"

namespace weft::core {

GroupBlocks::Side::Side(std::vector<Transfer> all, const Layout& layout, const Group& group,
                        int rank)
    : parts(std::move(all)), stored(layout.stored(rank)) {
    begins.reserve(group.ranks.size() + 1);
    std::size_t part = 0;
    for (const int peer : group.ranks) {
        begins.push_back(static_cast<int>(part));
        while (part < parts.size() && parts[part].peer == peer) ++part;
    }
    begins.push_back(static_cast<int>(part));
}

std::span<const Transfer> GroupBlocks::Side::of(int group_rank) const {
    const int* begin = &begins[static_cast<std::size_t>(group_rank)];
    return {parts.data() + begin[0], parts.data() + begin[1]};
}

GroupBlocks::GroupBlocks(const Layout& from, const Layout& to, std::vector<int> travel, int rank)
    : from_(from),
      to_(to),
      travel_(std::move(travel)),
      group_(core::group(from.where, to.where, rank)),
      own_(static_cast<int>(std::lower_bound(group_.ranks.begin(), group_.ranks.end(), rank) -
                            group_.ranks.begin())),
      sent_(sends(from.where, to.where, rank), from, group_, rank),
      received_(receives(from.where, to.where, rank), to, group_, rank) {}

bool GroupBlocks::passes_through(const Block& block) const {
    return block.source != own_ && block.target != own_;
}

std::span<const Transfer> GroupBlocks::parts_of(const Block& block) const {
    return block.source == own_ ? sent_.of(block.target) : received_.of(block.source);
}

std::size_t GroupBlocks::distance(const Block& block) const {
    const int ahead = block.target - block.source;
    return static_cast<std::size_t>(ahead < 0 ? ahead + group_ranks() : ahead);
}

Index GroupBlocks::elements(const Block& block) const {
    if (passes_through(block)) {
        return common_elements(from_.where, to_.where,
                               group_.ranks[static_cast<std::size_t>(block.source)],
                               group_.ranks[static_cast<std::size_t>(block.target)]);
    }
    Index count = 0;
    for (const Transfer& part : parts_of(block)) count += part.box.volume();
    return count;
}

Index GroupBlocks::place(const Block& block, Index offset, HeldBlocks& held) const {
    held.extents.resize(group_.ranks.size());
    const Index count = elements(block);
    if (count == 0) return 0;
    held.blocks.push_back(block);
    held.extents[distance(block)] = {offset, count};
    return count;
}

namespace {

/// A box whose elements lie end to end in that order of axes.
Slice packed_slice(const Box& box, Index offset, const std::vector<int>& order) {
    Slice result{offset, std::vector<Run>(order.size())};
    Index stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        result.runs[i] = {box.extent(order[i]), stride};
        stride *= result.runs[i].extent;
    }
    return result;
}

/// The part of a box that lies in such a slice.
Slice part_of(Slice slice, const Box& box, const Box& part, const std::vector<int>& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto a = static_cast<std::size_t>(order[i]);
        slice.offset += (part.lo[a] - box.lo[a]) * slice.runs[i].stride;
        slice.runs[i].extent = part.hi[a] - part.lo[a];
    }
    return slice;
}

}  // namespace

std::vector<Slice> GroupBlocks::slices(const Block& block, const HeldBlocks& held) const {
    std::vector<Slice> result;
    if (held.lie != HeldBlocks::Lie::packed) {
        const bool before = held.lie == HeldBlocks::Lie::before;
        const Side& side = before ? sent_ : received_;
        for (const Transfer& part : side.of(before ? block.target : block.source)) {
            const StoredBox& own = side.stored[static_cast<std::size_t>(part.own)];
            result.push_back(slice_of(part.box, own, travel_));
        }
        return result;
    }
    auto [offset, elements] = held.extents[distance(block)];
    if (elements == 0) return result;
    if (passes_through(block)) return {{offset, {{elements, 1}}}};
    for (const Transfer& part : parts_of(block)) {
        result.push_back(packed_slice(part.box, offset, travel_));
        offset += part.box.volume();
    }
    return result;
}

std::vector<CopyTask> GroupBlocks::copies(const std::vector<Block>& blocks, const HeldBlocks& from,
                                          const HeldBlocks& to) const {
    std::vector<CopyTask> result;
    for (const Block& block : blocks) {
        const std::vector<Slice> sources = slices(block, from);
        const std::vector<Slice> targets = slices(block, to);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            result.push_back(copy_task(sources[i], targets[i], from_.scalar.bytes()));
        }
    }
    return result;
}

std::vector<CopyTask> GroupBlocks::copies_of_parts(const std::vector<Block>& blocks,
                                                   const HeldBlocks& packed,
                                                   const std::vector<StoredBox>& boxes,
                                                   bool to_boxes) const {
    std::vector<CopyTask> result;
    for (const Block& block : blocks) {
        auto part = parts_of(block).begin();
        for (const Slice& whole : slices(block, packed)) {
            const Box& box = (part++)->box;
            for (const StoredBox& stored : boxes) {
                const Box common = intersect(box, stored.box);
                if (common.empty()) continue;
                const Slice inside = part_of(whole, box, common, travel_);
                const Slice outside = slice_of(common, stored, travel_);
                result.push_back(copy_task(to_boxes ? inside : outside, to_boxes ? outside : inside,
                                           from_.scalar.bytes()));
            }
        }
    }
    return result;
}

}  // namespace weft::core
