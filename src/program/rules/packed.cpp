// A redistribution by messages that lie packed, or in the array as its layout has them: pack,
// exchange (once or more in each stage of the schedule), unpack. Blocks that stay are copied beside
// the first messages.
#include <utility>

#include "program/packed_exchange.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Copying up to so many bytes takes less time than the latency of a message.
constexpr Index little = Index{1} << 14;

class PackedMessages {
  public:
    PackedMessages(Lowering& lowering, int stage, ExchangeUse use)
        : lowering_(lowering),
          stage_(stage),
          exchange_(packed_exchange(lowering.plan, static_cast<std::size_t>(stage), lowering.rank(),
                                    use)) {
        before_.value = lowering.here;
    }

    void lower() {
        HeldBlocks& source = exchange_.stages.front().source;
        source.value = before_.value;
        if (exchange_.packs) {
            source.value = value(source);
            copy(Purpose::pack, source.blocks, before_, source);
        }
        for (std::size_t i = 0; i < exchange_.stages.size(); ++i) add_stage(i);
        lowering_.here = behind_.value;
    }

  private:
    [[nodiscard]] ValueId value(const HeldBlocks& held) const {
        return lowering_.draft.add(Value{held.bytes});
    }

    void add_stage(std::size_t number) {
        ExchangeStage& stage = exchange_.stages[number];
        const bool last = number + 1 == exchange_.stages.size();
        const bool unpacks = !last || exchange_.unpacks;
        HeldBlocks& next = last ? behind_ : exchange_.stages[number + 1].source;
        if (unpacks) stage.landing.value = value(stage.landing);
        next.value = last ? lowering_.make(stage_ + 1) : value(next);
        if (!unpacks) stage.landing.value = next.value;
        // The messages land in one value while the next is made, of them or past them; the room
        // that this may take is little where latency matters.
        const bool past = exchange_.keeps_past;
        const bool at_once =
            !unpacks || exchange_.on_arrival || (past && stage.source.bytes <= little);
        for (RoundBatch& batch : stage.batches) {
            const StepId start = lowering_.add(
                stage_,
                StartOp{std::move(batch.exchange), stage.source.value, stage.landing.value});
            if (&batch == &stage.batches.front()) {
                if (!past) copy(Purpose::keep, stage.kept, stage.source, stage.landing);
                if (at_once) keep(stage, next);
            }
            finish(batch, start, stage.landing, next);
            if (at_once) unpack(batch, stage.landing, next);
        }
        if (at_once) return;
        if (!past) keep(stage, next);
        for (const RoundBatch& batch : stage.batches) unpack(batch, stage.landing, next);
        if (past) keep(stage, next);
    }

    /// Copies blocks that stay to the next value.
    void keep(const ExchangeStage& stage, const HeldBlocks& next) const {
        if (exchange_.keeps_past) {
            copy(Purpose::keep, stage.kept, before_, next);
        } else if (stage.landing.value != next.value) {
            copy(Purpose::keep, stage.kept, stage.landing, next);
        }
    }
    void finish(const RoundBatch& batch, StepId start, const HeldBlocks& landing,
                const HeldBlocks& next) const {
        if (!exchange_.on_arrival) {
            lowering_.add(stage_, FinishOp{start});
            return;
        }
        FinishOp unpacking{start, {}, landing.value, next.value};
        for (const std::vector<Block>& blocks : batch.arriving) {
            unpacking.onward.push_back(exchange_.blocks.copies(blocks, landing, next));
        }
        lowering_.add(stage_, std::move(unpacking));
    }
    void unpack(const RoundBatch& batch, const HeldBlocks& landing, const HeldBlocks& next) const {
        if (exchange_.on_arrival || landing.value == next.value) return;
        for (const std::vector<Block>& blocks : batch.arriving) {
            copy(Purpose::unpack, blocks, landing, next);
        }
    }
    void copy(Purpose purpose, const std::vector<Block>& blocks, const HeldBlocks& from,
              const HeldBlocks& to) const {
        lowering_.copy(stage_, purpose, exchange_.blocks.copies(blocks, from, to), from.value,
                       to.value);
    }

    Lowering& lowering_;
    int stage_;
    PackedExchange exchange_;
    HeldBlocks before_{HeldBlocks::Lie::before};
    HeldBlocks behind_{HeldBlocks::Lie::behind};
};

}  // namespace

std::optional<std::string> why_not_packed(const Lowering& /*lowering*/, int /*stage*/) {
    return {};
}

int lower_packed(Lowering& lowering, int stage) {
    const ExchangeUse use =
        lowering.in_one_array() ? ExchangeUse::in_one_array : ExchangeUse::whole;
    PackedMessages(lowering, stage, use).lower();
    return stage + 1;
}

}  // namespace weft::core
