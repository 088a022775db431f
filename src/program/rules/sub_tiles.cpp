// Sub-tiles of a tile ([song] Alg. 2 and 3): each is transformed and packed, or unpacked and
// transformed, while it lies in the caches.
#include <utility>

#include "plan/tiling.hpp"
#include "program/packed_exchange.hpp"
#include "program/rules/rule.hpp"
#include "program/rules/sub_tile.hpp"

namespace weft::core {

namespace {

/// Whether that stage is an exchange of packed messages whose parts can be packed and unpacked.
bool is_exchange_in_parts(const Lowering& lowering, int stage) {
    const RedistributionStage* one = lowering.redistribution(stage);
    return one != nullptr && !is_fused(*one) &&
           goes_in_parts(lowering.plan, static_cast<std::size_t>(stage), lowering.rank());
}

/// Whether that stage is a transform that may be done in parts. One of several axes to real numbers
/// overwrites what it reads; one beside a redistribution without packing is a part of that.
bool may_be_cut(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->reads == Access::layout &&
           transform->writes == Access::layout &&
           (transform->kind != Kind::c2r || transform->axes.size() == 1);
}

/// A transform, if it may be cut, an exchange of packed messages, and the transform behind it, if
/// that may be cut.
class SubTiled {
  public:
    SubTiled(Lowering& lowering, int stage)
        : lowering_(lowering),
          stage_(stage),
          exchange_(packed_exchange(lowering_.plan, static_cast<std::size_t>(stage),
                                    lowering_.rank(), ExchangeUse::in_parts)),
          source_(exchange_.stages.front().source),
          landing_(exchange_.stages.front().landing),
          kept_(exchange_.stages.front().kept) {}

    /// Returns the first stage that is left.
    int lower(bool with_transform) {
        source_.value = lowering_.draft.add(Value{source_.bytes});
        if (with_transform) {
            pack_sub_tiles();
        } else {
            copy(Purpose::pack, source_.blocks, {HeldBlocks::Lie::before, lowering_.here}, source_);
        }
        landing_.value = lowering_.draft.add(Value{landing_.bytes});
        ExchangeTask& messages = exchange_.stages.front().batches.front().exchange;
        const StepId start =
            lowering_.add(stage_, StartOp{std::move(messages), source_.value, landing_.value});
        lowering_.add(stage_, FinishOp{start});
        const bool goes_on = may_be_cut(lowering_, stage_ + 1);
        const int end = stage_ + (goes_on ? 2 : 1);
        lowering_.here = lowering_.make(end);
        if (goes_on) {
            unpack_sub_tiles();
        } else {
            const HeldBlocks array{HeldBlocks::Lie::behind, lowering_.here};
            copy(Purpose::unpack, kept_, source_, array);
            copy(Purpose::unpack, landing_.blocks, landing_, array);
        }
        return end;
    }

  private:
    void copy(Purpose purpose, const std::vector<Block>& blocks, const HeldBlocks& from,
              const HeldBlocks& to) const {
        lowering_.copy(stage_, purpose, exchange_.blocks.copies(blocks, from, to), from.value,
                       to.value);
    }

    /// Cuts of a transform along the axis of the tiles and along another one.
    [[nodiscard]] std::vector<Tile> cuts(int stage, Index along, Index other) const {
        const int axis = lowering_.sub_tiles->axis;
        const auto free =
            sub_tile_axis(*lowering_.transform(stage), lowering_.at(stage).format, axis);
        if (!free) return {{axis, along}};
        return {{axis, along}, {*free, other}};
    }
    void pack_sub_tiles() const {
        const int stage = stage_ - 1;
        const auto each =
            cuts(stage, lowering_.sub_tiles->pack_along, lowering_.sub_tiles->pack_other);
        for_sub_tiles(lowering_.at(stage).where, lowering_.rank(), each, [&](const auto& tiles) {
            const Layout before = part_within(lowering_.at(stage), tiles);
            const Layout after = part_by_itself(lowering_.at(stage + 1), tiles);
            const ValueId made = add_scratch(lowering_, after);
            add_transforms(lowering_, stage, before, after, lowering_.here, made, false);
            const std::vector<CopyTask> copies = exchange_.blocks.copies_of_parts(
                source_.blocks, source_, after.stored(lowering_.rank()), false);
            lowering_.copy(stage_, Purpose::pack, copies, made, source_.value);
        });
    }
    void unpack_sub_tiles() const {
        const int stage = stage_ + 1;
        const auto each =
            cuts(stage, lowering_.sub_tiles->unpack_along, lowering_.sub_tiles->unpack_other);
        for_sub_tiles(lowering_.at(stage).where, lowering_.rank(), each, [&](const auto& tiles) {
            const Layout before = part_by_itself(lowering_.at(stage), tiles);
            const Layout after = part_within(lowering_.at(stage + 1), tiles);
            const ValueId unpacked = add_scratch(lowering_, before);
            unpack_parts(kept_, source_, before, unpacked);
            unpack_parts(landing_.blocks, landing_, before, unpacked);
            add_transforms(lowering_, stage, before, after, unpacked, lowering_.here, true);
        });
    }
    void unpack_parts(const std::vector<Block>& blocks, const HeldBlocks& from, const Layout& part,
                      ValueId to) const {
        const std::vector<CopyTask> copies =
            exchange_.blocks.copies_of_parts(blocks, from, part.stored(lowering_.rank()), true);
        lowering_.copy(stage_, Purpose::unpack, copies, from.value, to);
    }

    Lowering& lowering_;
    int stage_;  ///< of the exchange
    PackedExchange exchange_;
    HeldBlocks& source_;
    HeldBlocks& landing_;
    const std::vector<Block>& kept_;
};

}  // namespace

std::optional<std::string> why_not_sub_tiles(const Lowering& lowering, int stage) {
    if (!lowering.sub_tiles) return "it is no stage of a tile";
    const bool transforms = lowering.transform(stage) != nullptr;
    if (transforms && !may_be_cut(lowering, stage)) {
        return "it may not be cut: it is fused with a redistribution, or to real numbers along "
               "several axes";
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
