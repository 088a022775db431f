// A redistribution by messages that lie packed, or as they are in a layout: pack, exchange (as many
// times as the schedule has steps), unpack. What a rank keeps is copied beside the first messages.
#include "program/move.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Copying up to so many bytes takes less time than the latency of a message.
constexpr Index little = Index{1} << 14;

class PackedMessages {
  public:
    PackedMessages(Lowering& lowering, int stage)
        : lowering_(lowering),
          stage_(stage),
          unit_(lowering.part.at(stage).scalar.bytes()),
          before_(lowering.here),
          tasks_(move_tasks(part().at(stage), part().at(stage + 1), *part().redistribution(stage),
                            part().plan.choice.chunk, part().rank,
                            part().in_place && part().is_alone())) {}

    void lower() {
        if (tasks_.packs) {
            const ValueId source = value(tasks_.steps.front().source * unit_);
            lowering_.copy(stage_, Purpose::pack, tasks_.pack, before_, source);
            lowering_.here = source;
        }
        for (std::size_t i = 0; i < tasks_.steps.size(); ++i) add_step(i);
    }

  private:
    [[nodiscard]] const Part& part() const { return lowering_.part; }
    [[nodiscard]] ValueId value(Index bytes) const { return lowering_.draft.add(Value{bytes}); }

    void add_step(std::size_t number) {
        const MoveStep& step = tasks_.steps[number];
        const bool last = number + 1 == tasks_.steps.size();
        if (last && !tasks_.unpacks) {
            const ValueId target = lowering_.make(stage_ + 1);
            add_exchanges(step, target, target);
            lowering_.here = target;
            return;
        }
        const ValueId landing = value(step.landing * unit_);
        const ValueId onward =
            last ? lowering_.make(stage_ + 1) : value(tasks_.steps[number + 1].source * unit_);
        // The messages land in one value while the next is made, of them or past them; the room
        // that this may take is little where latency matters.
        if (tasks_.some || (!tasks_.past.empty() && step.source * unit_ <= little)) {
            add_exchanges(step, landing, onward);
        } else {
            add_exchanges(step, landing, landing);
            copy(Purpose::keep, step.kept_onward, landing, onward);
            for (const Window& window : step.windows) unpack(window, landing, onward);
            copy(Purpose::keep, tasks_.past, before_, onward);
        }
        lowering_.here = onward;
    }

    /// Window by window; what is kept is copied beside the first. Of what lands `onward` is made at
    /// once, if that is another value.
    void add_exchanges(const MoveStep& step, ValueId landing, ValueId onward) const {
        const bool goes_on = onward != landing;
        const bool arrives = goes_on || !tasks_.unpacks;
        for (const Window& window : step.windows) {
            const StepId start =
                lowering_.add(stage_, StartOp{window.exchange, lowering_.here, landing});
            if (&window == &step.windows.front()) {
                copy(Purpose::keep, step.kept, lowering_.here, landing);
                if (goes_on) copy(Purpose::keep, step.kept_onward, landing, onward);
                if (arrives) copy(Purpose::keep, tasks_.past, before_, onward);
            }
            if (goes_on && tasks_.some) {
                lowering_.add(stage_, FinishOp{start, window.onward, landing, onward});
                continue;
            }
            lowering_.add(stage_, FinishOp{start});
            if (goes_on) unpack(window, landing, onward);
        }
    }
    void unpack(const Window& window, ValueId landing, ValueId onward) const {
        for (const std::vector<CopyTask>& copies : window.onward) {
            copy(Purpose::unpack, copies, landing, onward);
        }
    }
    void copy(Purpose purpose, const std::vector<CopyTask>& copies, ValueId from,
              ValueId to) const {
        lowering_.copy(stage_, purpose, copies, from, to);
    }

    Lowering& lowering_;
    int stage_;
    Index unit_;
    ValueId before_;  ///< in the layout before the stage
    MoveTasks tasks_;
};

}  // namespace

std::optional<std::string> why_not_packed(const Part& /*part*/, int /*stage*/) { return {}; }

int lower_packed(Lowering& lowering, int stage) {
    PackedMessages(lowering, stage).lower();
    return stage + 1;
}

}  // namespace weft::core
