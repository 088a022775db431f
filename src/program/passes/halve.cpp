#include <algorithm>
#include <map>
#include <utility>

#include "base/index.hpp"
#include "program/layout_tasks.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

class HalvePass {
  public:
    HalvePass(Draft& draft, Precision precision)
        : draft_(draft), precision_(precision), steps_(std::exchange(draft.order, {})) {}

    void run() {
        for (const StepId step : steps_) {
            const auto* finish = std::get_if<FinishOp>(&draft_.steps[step].what);
            if (std::holds_alternative<StartOp>(draft_.steps[step].what)) {
                start(step);
            } else {
                draft_.order.push_back(step);
                if (finish != nullptr) finished(step, landed_.at(finish->start));
            }
        }
    }

  private:
    /// What an exchange receives, and the value where it is to be whole again.
    struct Landed {
        std::vector<Message> messages;
        Index width = 0;
        ValueId from = 0;
        ValueId to = 0;
    };

    void start(StepId step) {
        const Operation like = draft_.steps[step];
        StartOp op = std::get<StartOp>(like.what);
        ExchangeTask& task = op.task;
        const Index number = precision_ == Precision::f64 ? 8 : 4;
        const Index width = task.element_bytes / number;
        task.element_bytes /= 2;
        const ValueId sent = value_for(task, task.sends);
        const ValueId received = value_for(task, task.receives);
        landed_[step] = {task.receives, width, received, op.to};
        convert(like, Purpose::pack, true, task.sends, width, op.from, sent);
        op.from = sent;
        op.to = received;
        draft_.steps[step].what = std::move(op);
        draft_.order.push_back(step);
    }
    void finished(StepId step, const Landed& landed) {
        const Operation like = draft_.steps[step];
        convert(like, Purpose::unpack, false, landed.messages, landed.width, landed.from,
                landed.to);
    }

    void convert(const Operation& like, Purpose purpose, bool halves,
                 const std::vector<Message>& messages, Index width, ValueId from, ValueId to) {
        for (const Message& message : messages) {
            for (const Slice& slice : message.slices) {
                if (slice.count() == 0) continue;
                const StepId added =
                    draft_.add(like, purpose,
                               ConvertOp{precision_, halves, real_numbers(slice, width), from, to});
                draft_.steps[added].times = like.times;
            }
        }
    }

    /// A value with room for the messages, or for all slots.
    ValueId value_for(const ExchangeTask& task, const std::vector<Message>& messages) {
        Index elements = 0;
        if (task.slot) elements = *task.slot * static_cast<Index>(task.group.ranks.size());
        for (const Message& message : messages) {
            for (const Slice& slice : message.slices) elements = std::max(elements, end_of(slice));
        }
        return draft_.add(Value{elements * task.element_bytes});
    }

    Draft& draft_;
    Precision precision_;
    std::vector<StepId> steps_;
    std::map<StepId, Landed> landed_;
};

}  // namespace

void halve_messages(Draft& draft, Precision precision) { HalvePass(draft, precision).run(); }

}  // namespace weft::core
