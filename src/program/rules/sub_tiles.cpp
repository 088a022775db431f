// Sub-tiles of a tile ([song] Alg. 2 and 3): each is transformed and packed, or unpacked and
// transformed, while it lies in the caches.
#include <algorithm>
#include <utility>

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

/// The parts of copies between the array and packed messages that lie in a sub-tile, which takes
/// the array's place.
std::vector<CopyTask> parts_of(const BlockCopies& copies, const std::vector<int>& order,
                               const std::vector<StoredBox>& sub_tile, bool to_sub_tile) {
    std::vector<CopyTask> result;
    for (std::size_t i = 0; i < copies.tasks.size(); ++i) {
        const CopyTask& task = copies.tasks[i];
        const Box& box = copies.boxes[i];
        for (const StoredBox& stored : sub_tile) {
            const Box common = intersect(box, stored.box);
            if (common.empty()) continue;
            const StoredBox packed{box, to_sub_tile ? task.from_offset : task.to_offset,
                                   strides({order}, box)};
            const Slice inside = slice_of(common, stored, order);
            const Slice outside = slice_of(common, packed, order);
            result.push_back(to_sub_tile ? copy_task(outside, inside, task.element_bytes)
                                         : copy_task(inside, outside, task.element_bytes));
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
            lowering_.copy(stage_, Purpose::pack, exchange_.pack.tasks, lowering_.here, source_);
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
            unpack(lowering_.here, [](const BlockCopies& copies) { return copies.tasks; });
        }
        return end;
    }

  private:
    void pack_sub_tiles() const {
        const int stage = stage_ - 1;
        const auto each = cuts(lowering_, stage, tiling_.pack_block, tiling_.pack_block_across);
        for_sub_tiles(lowering_, lowering_.at(stage).where, each, [&](const auto& tiles) {
            const Layout before = part_within(lowering_.at(stage), tiles);
            const Layout after = part_by_itself(lowering_.at(stage + 1), tiles);
            const ValueId made = add_scratch(lowering_, after);
            add_transforms(lowering_, stage, before, after, lowering_.here, made, false);
            lowering_.copy(
                stage_, Purpose::pack,
                parts_of(exchange_.pack, exchange_.order, after.stored(lowering_.rank()), false),
                made, source_);
        });
    }
    void unpack_sub_tiles() const {
        const int stage = stage_ + 1;
        const auto each = cuts(lowering_, stage, tiling_.unpack_block, tiling_.unpack_block_across);
        for_sub_tiles(lowering_, lowering_.at(stage).where, each, [&](const auto& tiles) {
            const Layout before = part_by_itself(lowering_.at(stage), tiles);
            const Layout after = part_within(lowering_.at(stage + 1), tiles);
            const ValueId unpacked = add_scratch(lowering_, before);
            const std::vector<StoredBox> boxes = before.stored(lowering_.rank());
            unpack(unpacked, [&](const BlockCopies& copies) {
                return parts_of(copies, exchange_.order, boxes, true);
            });
            add_transforms(lowering_, stage, before, after, unpacked, lowering_.here, true);
        });
    }
    /// Adds of all copies that unpack those which `tasks` makes of them.
    template <class Tasks>
    void unpack(ValueId to, const Tasks& tasks) const {
        lowering_.copy(stage_, Purpose::unpack, tasks(messages_.unpack_kept), source_, to);
        for (const BlockCopies& copies : messages_.batches.front().unpack) {
            lowering_.copy(stage_, Purpose::unpack, tasks(copies), landing_, to);
        }
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
