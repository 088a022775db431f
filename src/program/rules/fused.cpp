// Redistributions without packing, and the transforms beside them: one pass over memory that reads
// what a redistribution has brought or the arrays of other ranks, and writes what the next one
// takes along or the arrays of other ranks.
#include "program/fused.hpp"

#include <utility>

#include "program/direct_move.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

bool is_direct(const Part& part, int stage) {
    return is_direct(part.plan, static_cast<std::size_t>(stage));
}

bool reads_brought(const Part& part, int stage) {
    const TransformStage* transform = part.transform(stage);
    return transform != nullptr && transform->reads != Access::layout;
}

bool writes_taken(const Part& part, int stage) {
    const TransformStage* transform = part.transform(stage);
    return transform != nullptr && transform->writes != Access::layout;
}

/// A step between two redistributions, of which one may be missing: how it gets hold of what it
/// reads and writes, and passes it on.
///
/// Of regions: await that their owners have published them; reclaim the own one from its readers;
/// work; publish the own one; release the others'. Arrays of other ranks: the own one is published
/// first, and reclaimed when all have written it; the input, at the program's end.
class FusedStep {
  public:
    /// `before`, `behind`: stages; -1: it reads (writes) a layout, of number `after`.
    FusedStep(Lowering& lowering, int before, int behind, int after)
        : lowering_(lowering), before_(before), behind_(behind) {
        if (is_direct(part(), before)) reads_arrays_.emplace(direct(before, true));
        if (is_direct(part(), behind)) writes_arrays_.emplace(direct(behind, false));
        if (behind != -1 && !writes_arrays_) {
            taken_.emplace(part().plan, static_cast<std::size_t>(behind), part().rank,
                           lowering.nodes);
        }
        places_.assign(first_peer_place, Place{-1, -1});
        add_source();
        add_target(after);
    }

    /// work() adds the steps between the places.
    template <class Work>
    void lower(const Work& work) {
        std::optional<StepId> offer;
        if (writes_arrays_) offer = publish(behind_, *writes_arrays_, places_[target_place]);
        const std::optional<StepId> read = acquire();
        if (offer) lowering_.add(behind_, AwaitOp{*offer});
        if (publishes()) lowering_.add(behind_, ReclaimOp{places_[target_place].buffer});
        // Its values live here, whatever of them this rank has.
        lowering_.add(behind_ != -1 ? behind_ : before_, nothing_with(places_));
        work();
        std::optional<StepId> published;
        if (publishes()) {
            const RegionTask reading = lowering_.outlines ? RegionTask{} : taken_->reading();
            published = lowering_.add(behind_, PublishOp{reading, places_[target_place].buffer});
        }
        if (read) lowering_.add(before_, ReleaseOp{*read});
        if (offer) {
            lowering_.add(behind_, ReleaseOp{*offer});
            lowering_.add(behind_, ReclaimOp{places_[target_place].buffer});
        }
        if (taken_ && taken_->sends()) send();
        pass_on(published);
    }

    [[nodiscard]] FusedEnds ends() const {
        FusedEnds result;
        if (reads_arrays_) {
            result.from = reads_arrays_->parts(first_peer_place);
        } else if (before_ != -1) {
            result.from = lowering_.brought->move.read();
        }
        if (writes_arrays_) {
            result.to = writes_arrays_->parts(first_peer_place + static_cast<int>(readers_));
        } else if (taken_) {
            result.to = taken_->written();
        }
        return result;
    }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    void use_scratch(Index bytes) {
        if (bytes == 0) return;
        Value scratch{bytes};
        scratch.home = Home::scratch;
        places_[scratch_place].buffer = lowering_.draft.add(scratch);
    }
    [[nodiscard]] const FusedMove& taken() const { return *taken_; }

  private:
    [[nodiscard]] const Part& part() const { return lowering_.part; }
    [[nodiscard]] DirectMove direct(int stage, bool input) const {
        return {part().plan, static_cast<std::size_t>(stage), part().rank, input};
    }
    [[nodiscard]] bool publishes() const { return taken_ && taken_->region().has_value(); }

    void add_source() {
        if (before_ == -1 || reads_arrays_) {
            places_[source_place].buffer = lowering_.here;
        } else {
            places_[source_place].buffer = lowering_.brought->region;
            places_[arrived_place].buffer = lowering_.brought->landed;
        }
        const std::vector<int>& peers =
            reads_arrays_ ? reads_arrays_->owners()
                          : (before_ != -1 ? lowering_.brought->move.peers() : std::vector<int>{});
        for (const int peer : peers) places_.push_back({places_[source_place].buffer, peer});
        readers_ = peers.size();
    }
    void add_target(int after) {
        ValueId& target = places_[target_place].buffer;
        if (taken_) {
            Value written{taken_->written_bytes()};
            if (publishes()) written.home = Home::region;
            if (publishes()) written.region = *taken_->region();
            target = lowering_.draft.add(written);
        } else if (writes_arrays_) {
            Value output{part().bytes(behind_ + 1)};
            output.home = Home::output;
            target = lowering_.draft.add(output);
        } else {
            target = lowering_.make(after);
        }
        // What stays with this rank is written to where the messages will land.
        if (taken_ && taken_->sends()) {
            places_[landing_place].buffer = lowering_.draft.add(Value{taken_->landed_bytes()});
        }
        if (!writes_arrays_) return;
        for (const int owner : writes_arrays_->owners()) {
            places_.push_back({places_[target_place].buffer, owner});
        }
    }
    [[nodiscard]] StepId publish(int stage, const DirectMove& arrays, const Place& own) const {
        const RegionTask offer = lowering_.outlines ? RegionTask{} : arrays.offer();
        return lowering_.add(stage, PublishOp{offer, own.buffer});
    }
    /// What is to be released when it has been read; nothing if no memory of others is.
    [[nodiscard]] std::optional<StepId> acquire() const {
        std::optional<StepId> read;
        if (reads_arrays_) {
            read = publish(before_, *reads_arrays_, places_[source_place]);
        } else if (before_ != -1) {
            read = lowering_.brought->published;
        }
        if (read) lowering_.add(before_, AwaitOp{*read});
        return read;
    }
    void send() const {
        const ExchangeTask messages = lowering_.outlines ? ExchangeTask{} : taken_->messages();
        const StepId start = lowering_.add(behind_, StartOp{messages, places_[target_place].buffer,
                                                            places_[landing_place].buffer});
        lowering_.add(behind_, FinishOp{start});
    }
    /// To the next stage.
    void pass_on(std::optional<StepId> published) {
        lowering_.brought.reset();
        if (!taken_) {
            lowering_.here = places_[target_place].buffer;
            return;
        }
        const ValueId region = publishes() ? places_[target_place].buffer : -1;
        lowering_.brought.emplace(
            Brought{std::move(*taken_), published, region, places_[landing_place].buffer});
    }

    Lowering& lowering_;
    int before_;
    int behind_;
    std::optional<DirectMove> reads_arrays_;
    std::optional<DirectMove> writes_arrays_;
    std::optional<FusedMove> taken_;  ///< the redistribution behind it, if it is without packing
    std::vector<Place> places_;       ///< of this rank, as FusedPlace; then of those it reads, ..
    std::size_t readers_ = 0;         ///< .. and so many further those it writes
};

/// Between the places of a redistribution and this rank's layout beside it.
void add_copies(const Lowering& lowering, int stage, bool in, const std::vector<PlacedCopies>& all,
                const std::vector<Place>& places) {
    for (const auto& [number, copies] : all) {
        const Place& place = places[static_cast<std::size_t>(number)];
        const Place& from = in ? places[source_place] : place;
        const Place& to = in ? place : places[target_place];
        lowering.copy(stage, in ? Purpose::pack : Purpose::unpack, copies, from.buffer, to.buffer,
                      from.rank);
    }
}

}  // namespace

std::optional<std::string> why_not_direct(const Part& part, int stage) {
    if (is_direct(part, stage)) return {};
    return "carrier=" + std::string(weft::to_string(part.redistribution(stage)->carrier));
}

int lower_direct(Lowering& /*lowering*/, int stage) { return stage + 1; }

std::optional<std::string> why_not_fused_copies(const Part& part, int stage) {
    if (is_fused(*part.redistribution(stage))) return {};
    return "pack=" + std::string(weft::to_string(part.redistribution(stage)->pack));
}

// The transforms beside it do all, where they can.
int lower_fused_copies(Lowering& lowering, int stage) {
    const auto copies = [&](bool in) {
        FusedStep step(lowering, in ? -1 : stage, in ? stage : -1, stage + 1);
        step.lower([&] {
            if (lowering.outlines) return;
            const FusedMove& move = in ? step.taken() : lowering.brought->move;
            add_copies(lowering, stage, in, in ? move.copies_in() : move.copies_out(),
                       step.places());
        });
    };
    if (!writes_taken(lowering.part, stage - 1)) copies(true);
    if (!reads_brought(lowering.part, stage + 1)) copies(false);
    return stage + 1;
}

std::optional<std::string> why_not_one_pass(const Part& part, int stage) {
    if (reads_brought(part, stage) || writes_taken(part, stage)) return {};
    return "it reads and writes layouts";
}

int lower_one_pass(Lowering& lowering, int stage) {
    const Part& part = lowering.part;
    const auto number = static_cast<std::size_t>(stage);
    FusedStep step(lowering, reads_brought(part, stage) ? stage - 1 : -1,
                   writes_taken(part, stage) ? stage + 1 : -1, stage + 1);
    step.use_scratch(fused_scratch_bytes(part.plan, number, part.rank) * part.plan.choice.threads);
    step.lower([&] {
        if (lowering.outlines) return;
        for (FusedOp& pass :
             fused_transform(part.plan, number, part.rank, step.ends(), step.places())) {
            lowering.add(stage, std::move(pass));
        }
    });
    return stage + 1;
}

}  // namespace weft::core
