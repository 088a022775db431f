// Redistributions without packing, and the transforms beside them: one pass over memory that reads
// what a redistribution has brought or the arrays of other ranks, and writes what the next one
// takes along or the arrays of other ranks.
#include "program/fused.hpp"

#include <utility>

#include "program/direct_move.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

bool reads_brought(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->reads != Access::layout;
}

bool writes_taken(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->writes != Access::layout;
}

/// The redistributions beside a step, by number of their stages. Without one before it the step
/// reads a layout, without one behind it it writes one.
struct Beside {
    std::optional<int> before;
    std::optional<int> behind;
};

/// A step between two redistributions: how it gets hold of what it reads and writes, and passes it
/// on.
///
/// Of regions: await that their owners have published them; reclaim the own one from its readers;
/// work; publish the own one; release the others'. Arrays of other ranks: the own one is published
/// first, and reclaimed when all have written it; the input, at the program's end.
class FusedStep {
  public:
    /// `after`: the number of the layout that it writes, if it writes one.
    FusedStep(Lowering& lowering, const Beside& beside, int after)
        : lowering_(lowering), beside_(beside), places_(first_peer_place) {
        if (is_direct(beside.before)) reads_arrays_.emplace(direct(*beside.before, true));
        if (is_direct(beside.behind)) writes_arrays_.emplace(direct(*beside.behind, false));
        if (beside.behind && !writes_arrays_) {
            taken_.emplace(lowering_.plan, static_cast<std::size_t>(*beside.behind),
                           lowering_.rank(), lowering.nodes);
        }
        add_source();
        add_target(after);
    }

    /// work() adds the steps between the places.
    template <class Work>
    void lower(const Work& work) {
        std::optional<StepId> offer;
        if (writes_arrays_) offer = publish(*beside_.behind, *writes_arrays_, target());
        const std::optional<StepId> read = acquire();
        if (offer) lowering_.add(*beside_.behind, AwaitOp{*offer});
        if (publishes()) lowering_.add(*beside_.behind, ReclaimOp{target()});
        work();
        std::optional<StepId> published;
        if (publishes()) {
            const RegionTask reading = lowering_.outlines ? RegionTask{} : taken_->reading();
            published = lowering_.add(*beside_.behind, PublishOp{reading, target()});
        }
        if (read) lowering_.add(*beside_.before, ReleaseOp{*read});
        if (offer) {
            lowering_.add(*beside_.behind, ReleaseOp{*offer});
            lowering_.add(*beside_.behind, ReclaimOp{target()});
        }
        if (taken_ && taken_->sends()) send();
        pass_on(published);
    }

    [[nodiscard]] FusedEnds ends() const {
        FusedEnds result;
        if (reads_arrays_) {
            result.from = reads_arrays_->parts(first_peer_place);
        } else if (beside_.before) {
            result.from = lowering_.brought->move.read();
        }
        if (writes_arrays_) {
            result.to = writes_arrays_->parts(first_peer_place + static_cast<int>(readers_));
        } else if (taken_) {
            result.to = taken_->written();
        }
        return result;
    }
    [[nodiscard]] const FusedOp::Places& places() const { return places_; }
    void use_scratch(Index bytes) {
        if (bytes == 0) return;
        Value scratch{bytes};
        scratch.home = Home::scratch;
        places_[scratch_place] = Place{lowering_.draft.add(scratch)};
    }
    [[nodiscard]] const FusedMove& taken() const { return *taken_; }

  private:
    [[nodiscard]] bool is_direct(std::optional<int> stage) const {
        return stage && core::is_direct(lowering_.plan, static_cast<std::size_t>(*stage));
    }
    [[nodiscard]] DirectMove direct(int stage, bool input) const {
        return {lowering_.plan, static_cast<std::size_t>(stage), lowering_.rank(), input};
    }
    [[nodiscard]] bool publishes() const { return taken_ && taken_->region().has_value(); }
    [[nodiscard]] ValueId target() const { return places_[target_place]->buffer; }

    void add_peers(const std::vector<int>& peers, FusedPlace of) {
        for (const int peer : peers) places_.emplace_back(Place{places_[of]->buffer, peer});
    }
    void add_source() {
        if (!beside_.before || reads_arrays_) {
            places_[source_place] = Place{lowering_.here};
            if (reads_arrays_) add_peers(reads_arrays_->owners(), source_place);
        } else {
            const Brought& brought = *lowering_.brought;
            if (brought.region) places_[source_place] = Place{*brought.region};
            if (brought.landed) places_[arrived_place] = Place{*brought.landed};
            add_peers(brought.move.peers(), source_place);
        }
        readers_ = places_.size() - first_peer_place;
    }
    void add_target(int after) {
        if (taken_) {
            Value written{taken_->written_bytes()};
            if (publishes()) written.home = Home::region;
            if (publishes()) written.region = *taken_->region();
            places_[target_place] = Place{lowering_.draft.add(written)};
        } else if (writes_arrays_) {
            Value output{lowering_.bytes(*beside_.behind + 1)};
            output.home = Home::output;
            places_[target_place] = Place{lowering_.draft.add(output)};
        } else {
            places_[target_place] = Place{lowering_.make(after)};
        }
        // What stays with this rank is written to where the messages will land.
        if (taken_ && taken_->sends()) {
            places_[landing_place] = Place{lowering_.draft.add(Value{taken_->landed_bytes()})};
        }
        if (writes_arrays_) add_peers(writes_arrays_->owners(), target_place);
    }
    [[nodiscard]] StepId publish(int stage, const DirectMove& arrays, ValueId own) const {
        const RegionTask offer = lowering_.outlines ? RegionTask{} : arrays.offer();
        return lowering_.add(stage, PublishOp{offer, own});
    }
    /// What is to be released when it has been read; nothing if no memory of others is.
    [[nodiscard]] std::optional<StepId> acquire() const {
        std::optional<StepId> read;
        if (reads_arrays_) {
            read = publish(*beside_.before, *reads_arrays_, places_[source_place]->buffer);
        } else if (beside_.before) {
            read = lowering_.brought->published;
        }
        if (read) lowering_.add(*beside_.before, AwaitOp{*read});
        return read;
    }
    void send() const {
        const ExchangeTask messages = lowering_.outlines ? ExchangeTask{} : taken_->messages();
        const StepId start = lowering_.add(
            *beside_.behind, StartOp{messages, target(), places_[landing_place]->buffer});
        lowering_.add(*beside_.behind, FinishOp{start});
    }
    /// To the next stage.
    void pass_on(std::optional<StepId> published) {
        lowering_.brought.reset();
        if (!taken_) {
            lowering_.here = target();
            return;
        }
        Brought brought{std::move(*taken_), published, {}, {}};
        if (published) brought.region = target();
        if (places_[landing_place]) brought.landed = places_[landing_place]->buffer;
        lowering_.brought.emplace(std::move(brought));
    }

    Lowering& lowering_;
    Beside beside_;
    std::optional<DirectMove> reads_arrays_;
    std::optional<DirectMove> writes_arrays_;
    std::optional<FusedMove> taken_;  ///< the redistribution behind it, if it is without packing
    FusedOp::Places places_;          ///< as FusedPlace; then of those it reads, ..
    std::size_t readers_ = 0;         ///< .. and so many further those it writes
};

/// Between the places of a redistribution and this rank's layout beside it.
void add_copies(const Lowering& lowering, int stage, bool in, const std::vector<PlacedCopies>& all,
                const FusedOp::Places& places) {
    for (const auto& [number, copies] : all) {
        const Place& place = *places[static_cast<std::size_t>(number)];
        const Place& from = in ? *places[source_place] : place;
        const Place& to = in ? place : *places[target_place];
        lowering.copy(stage, in ? Purpose::pack : Purpose::unpack, copies, from, to.buffer);
    }
}

}  // namespace

std::optional<std::string> why_not_direct(const Lowering& lowering, int stage) {
    if (is_direct(lowering.plan, static_cast<std::size_t>(stage))) return {};
    return "carrier=" + std::string(weft::to_string(lowering.redistribution(stage)->carrier));
}

int lower_direct(Lowering& /*lowering*/, int stage) { return stage + 1; }

std::optional<std::string> why_not_fused_copies(const Lowering& lowering, int stage) {
    if (is_fused(*lowering.redistribution(stage))) return {};
    return "pack=" + std::string(weft::to_string(lowering.redistribution(stage)->pack));
}

// The transforms beside it do all, where they can.
int lower_fused_copies(Lowering& lowering, int stage) {
    const auto copies = [&](bool in) {
        FusedStep step(lowering, in ? Beside{{}, stage} : Beside{stage, {}}, stage + 1);
        step.lower([&] {
            const FusedMove& move = in ? step.taken() : lowering.brought->move;
            add_copies(lowering, stage, in, in ? move.copies_in() : move.copies_out(),
                       step.places());
        });
    };
    if (!writes_taken(lowering, stage - 1)) copies(true);
    if (!reads_brought(lowering, stage + 1)) copies(false);
    return stage + 1;
}

std::optional<std::string> why_not_one_pass(const Lowering& lowering, int stage) {
    if (reads_brought(lowering, stage) || writes_taken(lowering, stage)) return {};
    return "it reads and writes layouts";
}

int lower_one_pass(Lowering& lowering, int stage) {
    const auto number = static_cast<std::size_t>(stage);
    Beside beside;
    if (reads_brought(lowering, stage)) beside.before = stage - 1;
    if (writes_taken(lowering, stage)) beside.behind = stage + 1;
    FusedStep step(lowering, beside, stage + 1);
    step.use_scratch(fused_scratch_bytes(lowering.plan, number, lowering.rank()) *
                     lowering.plan.choice.threads);
    step.lower([&] {
        if (lowering.outlines) {
            const bool works = lowering.bytes(stage + 1) > 0;
            if (works) lowering.add(stage, FusedOp{0, step.places(), {}});
            return;
        }
        for (FusedOp& pass :
             fused_transform(lowering.plan, number, lowering.rank(), step.ends(), step.places())) {
            lowering.add(stage, std::move(pass));
        }
    });
    return stage + 1;
}

}  // namespace weft::core
