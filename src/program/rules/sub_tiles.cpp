// Sub-tiles of a tile ([song] Alg. 2 and 3): each is transformed and packed, or unpacked and
// transformed, while it lies in the caches.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/mapped.hpp"
#include "plan/problem.hpp"
#include "plan/tiling.hpp"
#include "program/rules/rule.hpp"
#include "program/rules/sub_tile.hpp"

namespace weft::core {

namespace {

/// Whether that stage is an exchange of packed messages whose parts can be packed and unpacked.
bool is_exchange_in_parts(const Lowering& lowering, int stage) {
    const RedistributionStage* one = lowering.redistribution(stage);
    return one != nullptr && !is_fused(*one) &&
           goes_in_parts(lowering.messages_of(stage), lowering.rank());
}

/// Whether that stage is a transform that may be done in parts. One of several axes to real numbers
/// overwrites what it reads; one that keeps a part of lines goes axis by axis; one beside a
/// redistribution without packing is a part of that.
bool may_be_cut(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->reads == Access::layout &&
           transform->writes == Access::layout &&
           ((transform->kind != Kind::c2r && transform->kept.empty()) ||
            transform->axes.size() == 1);
}

/// Cuts of a transform along the axis of the tiles and along another one, into so many elements or
/// not at all.
std::vector<Tile> cuts(const Lowering& lowering, int stage, const std::optional<Index>& along,
                       const std::optional<Index>& other) {
    const Plan& plan = lowering.plan;
    const int tiled = *plan.choice.tile->axis;
    const bool fields = tiled == Decomposition::batch_axis;
    const int axis = fields ? dims_of(plan.problem) : tiled;
    const auto free = sub_tile_axis(*lowering.transform(stage), lowering.at(stage).format, axis);
    const auto tile = [&](int cut, const std::optional<Index>& extent) {
        const Index whole = lowering.at(stage).where.extent(cut, lowering.rank());
        return Tile{cut, extent.value_or(std::max<Index>(whole, 1))};
    };
    if (!free) return {tile(axis, along)};
    return {tile(axis, along), tile(*free, other)};
}

/// Copies between the array and packed messages. In a sketch one stands for `times` that are alike.
struct Copies {
    BlockCopies blocks;
    std::vector<Index> times;
};

/// In a sketch, where the rank has one box: the first of those copies whose boxes lie at the same
/// place along the axes that sub-tiles cut, and are as long along the others. With every sub-tile
/// these have as much in common, so that one stands for them. Otherwise all copies.
///
/// Example: 16 x 6 x 4 is packed for 4 ranks, which get 4 of the 16 elements of axis 0 each, in
/// sub-tiles along axis 1: the four copies of 4 x 6 x 4 are one that is done 4 times.
Copies alike(const Lowering& lowering, int layout, BlockCopies all, const std::vector<Tile>& cuts) {
    const Distribution& where = lowering.at(layout).where;
    if (!lowering.mode.is_sketch || where.boxes(lowering.rank()).size() != 1) {
        std::vector<Index> once(all.tasks.size(), 1);
        return {std::move(all), std::move(once)};
    }
    Copies result;
    std::map<std::pair<std::vector<Index>, std::vector<Index>>, std::size_t> known;
    for (std::size_t i = 0; i < all.tasks.size(); ++i) {
        const std::vector<Index> begins =
            mapped(cuts, [&](const Tile& cut) { return all.boxes[i].lo[usize(cut.axis)]; });
        const auto [found, added] =
            known.try_emplace({begins, all.boxes[i].extents()}, result.times.size());
        if (!added) {
            ++result.times[found->second];
            continue;
        }
        result.blocks.tasks.push_back(std::move(all.tasks[i]));
        result.blocks.boxes.push_back(std::move(all.boxes[i]));
        result.times.push_back(1);
    }
    return result;
}

/// The parts of copies that lie in a sub-tile, which takes the array's place.
Copies parts_of(const Copies& copies, const std::vector<int>& order,
                const std::vector<StoredBox>& sub_tile, bool to_sub_tile) {
    Copies result;
    for (std::size_t i = 0; i < copies.times.size(); ++i) {
        const CopyTask& task = copies.blocks.tasks[i];
        const Box& box = copies.blocks.boxes[i];
        for (const StoredBox& stored : sub_tile) {
            const Box common = intersect(box, stored.box);
            if (common.empty()) continue;
            const StoredBox packed{box, to_sub_tile ? task.from_offset : task.to_offset,
                                   strides({order}, box)};
            const Slice inside = slice_of(common, stored, order);
            const Slice outside = slice_of(common, packed, order);
            result.blocks.tasks.push_back(to_sub_tile
                                              ? copy_task(outside, inside, task.element_bytes)
                                              : copy_task(inside, outside, task.element_bytes));
            result.times.push_back(copies.times[i]);
        }
    }
    return result;
}

/// An exchange of packed messages, with the transform before it if that is lowered with it, and the
/// one behind it if that may be cut.
class SubTiled {
  public:
    SubTiled(Lowering& lowering, int stage)
        : lowering_(lowering),
          stage_(stage),
          tiling_(tiling_of(lowering.plan)),
          exchange_(packed_exchange(lowering_.messages_of(stage), lowering_.rank(),
                                    ExchangeUse::in_parts)),
          messages_(exchange_.stages.front()),
          source_(lowering_.draft.add(Value{messages_.source_bytes})) {}

    /// Returns the first stage that is left.
    int lower(bool with_transform) {
        if (with_transform) {
            pack_sub_tiles();
        } else {
            copy(Purpose::pack, alike(lowering_, stage_, std::move(exchange_.pack), {}),
                 lowering_.here, source_);
        }
        landing_ = lowering_.draft.add(Value{messages_.landing_bytes});
        RoundBatch& batch = messages_.batches.front();
        const StepId start =
            lowering_.add(stage_, StartOp{std::move(batch.exchange), source_, landing_});
        lowering_.add(stage_, FinishOp{start});
        const bool goes_on = may_be_cut(lowering_, stage_ + 1);
        const int end = stage_ + (goes_on ? 2 : 1);
        lowering_.here = lowering_.make(end);
        if (goes_on) {
            unpack_sub_tiles();
        } else {
            copy(Purpose::unpack, kept({}), source_, lowering_.here);
            copy(Purpose::unpack, landed({}), landing_, lowering_.here);
        }
        return end;
    }

  private:
    void pack_sub_tiles() {
        const int stage = stage_ - 1;
        const auto each = cuts(lowering_, stage, tiling_.pack_block, tiling_.pack_block_across);
        const Copies all = alike(lowering_, stage_, std::move(exchange_.pack), each);
        for_sub_tiles(lowering_, lowering_.at(stage).where, each, [&](const auto& tiles) {
            const Layout before = part_within(lowering_.at(stage), tiles);
            const Layout after = part_by_itself(lowering_.at(stage + 1), tiles);
            const ValueId made = add_scratch(lowering_, after);
            add_transforms(lowering_, stage, before, after, lowering_.here, made, false);
            copy(Purpose::pack,
                 parts_of(all, exchange_.order, after.stored(lowering_.rank()), false), made,
                 source_);
        });
    }
    void unpack_sub_tiles() {
        const int stage = stage_ + 1;
        const auto each = cuts(lowering_, stage, tiling_.unpack_block, tiling_.unpack_block_across);
        const Copies own = kept(each);
        const Copies others = landed(each);
        for_sub_tiles(lowering_, lowering_.at(stage).where, each, [&](const auto& tiles) {
            const Layout before = part_by_itself(lowering_.at(stage), tiles);
            const Layout after = part_within(lowering_.at(stage + 1), tiles);
            const ValueId unpacked = add_scratch(lowering_, before);
            const std::vector<StoredBox> boxes = before.stored(lowering_.rank());
            copy(Purpose::unpack, parts_of(own, exchange_.order, boxes, true), source_, unpacked);
            copy(Purpose::unpack, parts_of(others, exchange_.order, boxes, true), landing_,
                 unpacked);
            add_transforms(lowering_, stage, before, after, unpacked, lowering_.here, true);
        });
    }
    /// What stays with the rank, from the source.
    Copies kept(const std::vector<Tile>& cuts) {
        return alike(lowering_, stage_ + 1, std::move(messages_.unpack_kept), cuts);
    }
    /// What comes from other ranks, from the landing value.
    Copies landed(const std::vector<Tile>& cuts) {
        BlockCopies all;
        for (BlockCopies& of_one : messages_.batches.front().unpack) {
            std::move(of_one.tasks.begin(), of_one.tasks.end(), std::back_inserter(all.tasks));
            std::move(of_one.boxes.begin(), of_one.boxes.end(), std::back_inserter(all.boxes));
        }
        return alike(lowering_, stage_ + 1, std::move(all), cuts);
    }
    void copy(Purpose purpose, const Copies& copies, ValueId from, ValueId to) const {
        Index& times = lowering_.draft.times;
        const Index outside = times;
        for (std::size_t i = 0; i < copies.times.size(); ++i) {
            times = outside * copies.times[i];
            lowering_.copy(stage_, purpose, {copies.blocks.tasks[i]}, from, to);
        }
        times = outside;
    }

    Lowering& lowering_;
    int stage_;  ///< of the exchange
    Tiling tiling_;
    PackedExchange exchange_;
    ExchangeStage& messages_;
    ValueId source_;
    ValueId landing_ = 0;
};

}  // namespace

std::optional<std::string> why_not_sub_tiles(const Lowering& lowering, int stage) {
    if (!lowering.tile) return "it is no stage of a tile";
    const bool transforms = lowering.transform(stage) != nullptr;
    if (transforms && !may_be_cut(lowering, stage)) {
        return "it may not be cut: it is fused with a redistribution, or along several axes to "
               "real numbers or of parts of lines";
    }
    if (is_exchange_in_parts(lowering, transforms ? stage + 1 : stage)) return {};
    // The exchange before it takes it along.
    if (transforms && stage > 0 && is_exchange_in_parts(lowering, stage - 1)) return {};
    return transforms ? "no single exchange of packed messages is beside it"
                      : "it is no single exchange of messages that are packed and unpacked";
}

int lower_sub_tiles(Lowering& lowering, int stage) {
    const bool transforms = lowering.transform(stage) != nullptr;
    return SubTiled(lowering, transforms ? stage + 1 : stage).lower(transforms);
}

}  // namespace weft::core
