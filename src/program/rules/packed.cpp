// A redistribution by messages that lie packed, or in the array as its layout has them: pack,
// exchange (once or more in each stage of the schedule), unpack. Blocks that stay are copied beside
// the first messages.
#include <optional>
#include <utility>

#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Copying up to so many bytes takes less time than the latency of a message.
constexpr Index little = Index{1} << 14;

class PackedLowering {
  public:
    PackedLowering(Lowering& lowering, int stage)
        : lowering_(lowering),
          stage_(stage),
          before_(lowering.here),
          exchange_(packed_exchange(
              lowering.messages_of(stage), lowering.rank(),
              lowering.in_one_array() ? ExchangeUse::in_one_array : ExchangeUse::whole)) {}

    void lower() {
        ValueId source = before_;
        if (exchange_.packs) {
            source = value(exchange_.stages.front().source_bytes);
            copy(Purpose::pack, exchange_.pack, before_, source);
        }
        for (std::size_t i = 0; i < exchange_.stages.size(); ++i) source = add_stage(i, source);
        lowering_.here = source;
    }

  private:
    [[nodiscard]] ValueId value(Index bytes) const { return lowering_.draft.add(Value{bytes}); }

    /// Returns the value that the blocks go to next.
    ValueId add_stage(std::size_t number, ValueId source) {
        ExchangeStage& stage = exchange_.stages[number];
        const bool last = number + 1 == exchange_.stages.size();
        const bool unpacks = !last || exchange_.unpacks;
        std::optional<ValueId> unpacked;
        if (unpacks) unpacked = value(stage.landing_bytes);
        const ValueId next =
            last ? lowering_.make(stage_ + 1) : value(exchange_.stages[number + 1].source_bytes);
        const ValueId landing = unpacked.value_or(next);
        // The messages land in one value while the next is made, of them or past them; the room
        // that this may take is little where latency matters.
        const bool past = !exchange_.keep_past.tasks.empty();
        const bool at_once =
            !unpacks || exchange_.on_arrival || (past && stage.source_bytes <= little);
        if (last && at_once) clear(next);
        for (RoundBatch& batch : stage.batches) {
            const StepId start = lowering_.add(
                stage_, StartOp{std::move(batch.exchange), source, landing, arrivals_of(batch)});
            if (&batch == &stage.batches.front()) {
                copy(Purpose::keep, stage.keep, source, landing);
                if (at_once) keep(stage, landing, next);
            }
            take_arrivals(batch, start, landing, next);
            lowering_.add(stage_, FinishOp{start});
            if (at_once) unpack(batch, landing, next);
        }
        if (at_once) return next;
        if (last) clear(next);
        if (!past) keep(stage, landing, next);
        for (const RoundBatch& batch : stage.batches) unpack(batch, landing, next);
        if (past) keep(stage, landing, next);
        return next;
    }

    /// Sets what the rank has behind the redistribution to zero, if some of it comes from nobody.
    void clear(ValueId next) const {
        if (!lowering_.at(stage_).where.sparse()) return;
        const Layout& to = lowering_.at(stage_ + 1);
        ClearOp op{to.scalar.bytes(), {}, next};
        for (const StoredBox& stored : to.stored(lowering_.rank())) {
            op.slices.push_back(slice_of(stored.box, stored, to.format.order));
        }
        if (!op.slices.empty()) lowering_.add(stage_, std::move(op));
    }
    /// Copies what stays to the next value, unless it is there.
    void keep(const ExchangeStage& stage, ValueId landing, ValueId next) const {
        copy(Purpose::keep, stage.unpack_kept, landing, next);
        copy(Purpose::keep, exchange_.keep_past, before_, next);
    }
    [[nodiscard]] std::vector<std::vector<CopyTask>> arrivals_of(RoundBatch& batch) const {
        std::vector<std::vector<CopyTask>> result;
        if (!exchange_.on_arrival) return result;
        for (BlockCopies& copies : batch.unpack) result.push_back(std::move(copies.tasks));
        return result;
    }
    void take_arrivals(const RoundBatch& batch, StepId start, ValueId landing, ValueId next) const {
        if (!exchange_.on_arrival) return;
        for (std::size_t turn = 0; turn < batch.unpack.size(); ++turn) {
            lowering_.add(stage_, ArrivalOp{start, turn});
            lowering_.add(stage_, Purpose::unpack, OnwardOp{start, turn, landing, next});
        }
    }
    void unpack(const RoundBatch& batch, ValueId landing, ValueId next) const {
        if (exchange_.on_arrival) return;
        for (const BlockCopies& copies : batch.unpack) {
            copy(Purpose::unpack, copies, landing, next);
        }
    }
    void copy(Purpose purpose, const BlockCopies& copies, ValueId from, ValueId to) const {
        lowering_.copy(stage_, purpose, copies.tasks, from, to);
    }

    Lowering& lowering_;
    int stage_;
    ValueId before_;
    PackedExchange exchange_;
};

}  // namespace

std::optional<std::string> why_not_packed(const Lowering& /*lowering*/, int /*stage*/) {
    return {};
}

int lower_packed(Lowering& lowering, int stage) {
    PackedLowering(lowering, stage).lower();
    return stage + 1;
}

}  // namespace weft::core
