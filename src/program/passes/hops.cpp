#include "program/passes/hops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plan/device_memory.hpp"

namespace weft::core {

namespace {

std::vector<CopyTask> copies_of(const std::vector<Slice>& slices, Index element_bytes) {
    std::vector<CopyTask> result;
    result.reserve(slices.size());
    for (const Slice& slice : slices) result.push_back(copy_task(slice, slice, element_bytes));
    return result;
}

std::vector<CopyTask> copies_of(const std::vector<Message>& messages, Index element_bytes) {
    std::vector<CopyTask> result;
    for (const Message& message : messages) {
        for (const Slice& slice : message.slices) {
            if (slice.count() > 0) result.push_back(copy_task(slice, slice, element_bytes));
        }
    }
    return result;
}

/// Past the last element.
Index end_of(const Slice& slice) {
    Index last = slice.offset;
    for (const Run& run : slice.runs) last += (run.extent - 1) * run.stride;
    return slice.count() > 0 ? last + 1 : 0;
}

std::vector<int> peers_of(const std::vector<Message>& messages) {
    std::vector<int> result;
    result.reserve(messages.size());
    for (const Message& message : messages) result.push_back(message.peer);
    return result;
}

/// Goes through the draft's steps in their order, and writes a new order with hops between them.
class HopPass {
  public:
    HopPass(Draft& draft, const Hops& hops)
        : draft_(draft), hops_(hops), steps_(std::exchange(draft.order, {})) {}

    ValueId run(ValueId output) {
        if (hops_.computes) {
            for (Value& value : draft_.values) value.space = MemorySpace::device;
        }
        if (hops_.arrays) output = take_input(output);
        for (const StepId step : steps_) {
            if (std::holds_alternative<StartOp>(draft_.steps[step].what)) {
                start(step);
            } else if (std::holds_alternative<FinishOp>(draft_.steps[step].what)) {
                finish(step);
            } else {
                draft_.order.push_back(step);
            }
        }
        return hops_.arrays ? give_output(output) : output;
    }

  private:
    struct Ends {
        ValueId from;
        ValueId to;
    };
    /// Of an exchange that was started: all of it, or those pieces of its messages.
    struct Part {
        StepId start;
        std::vector<Message> receives;
        Index element_bytes;
        ValueId host;    ///< where messages land if they are staged
        ValueId device;  ///< where they go from there
        bool on_arrival;
        std::vector<int> whole;  ///< the peers of all receives of the exchange
    };
    /// The copies that unpack a message, by receive of a part; none: nothing is unpacked.
    using Unpacked = std::vector<std::vector<CopyTask>>;

    /// The input's elements go to a value of the device, which all steps use instead.
    ValueId take_input(ValueId output) {
        const ValueId copy = add(value(input_value).bytes, MemorySpace::device);
        value(input_value).space = MemorySpace::host;
        for (Value& one : draft_.values) {
            if (one.over == input_value) one.over = copy;
        }
        for (const StepId step : steps_) {
            for_each_value(draft_.steps[step], [&](int& named, Use /*use*/) {
                if (named == input_value) named = copy;
            });
        }
        hop({0, Purpose::hop, {}},
            {copies_of(hops_.input, hops_.input_element), input_value, copy});
        return output == input_value ? copy : output;
    }
    ValueId give_output(ValueId output) {
        const ValueId array = add(value(output).bytes, MemorySpace::host);
        const int last_stage = static_cast<int>(hops_.strided.size()) - 1;
        hop({last_stage, Purpose::hop, {}},
            {copies_of(hops_.output, hops_.output_element), output, array});
        return array;
    }

    void start(StepId step) {
        const Operation whole = draft_.steps[step];
        StartOp op = std::get<StartOp>(whole.what);
        const bool strided = hops_.strided[static_cast<std::size_t>(whole.stage)];
        const Index count = hops_.staged && !strided ? pieces_of(op.task, hops_.piece) : Index{1};
        if (!hops_.computes && count == 1) {
            draft_.order.push_back(step);
            return;
        }
        std::vector<Part>& parts = started_[step];
        const Ends device{op.from, op.to};
        const bool staged = hops_.computes && hops_.staged;
        if (staged) {
            op.from = staging(sent_, op.from, reach_of(op.task, op.task.sends, op.from));
            op.to = staging(received_, op.to, reach_of(op.task, op.task.receives, op.to));
        }
        for (Index i = 0; i < count; ++i) {
            StartOp part = op;
            if (count > 1) part.task = part_of(op.task, i, count);
            if (staged) {
                hop(whole,
                    {copies_of(part.task.sends, part.task.element_bytes), device.from, op.from});
            }
            Part started{step,      part.task.receives,   part.task.element_bytes,   op.to,
                         device.to, part.task.on_arrival, peers_of(op.task.receives)};
            // The first part stays the step that others name.
            const StepId id = i == 0 ? step : add(whole);
            if (i == 0) draft_.order.push_back(step);
            draft_.steps[id].what = std::move(part);
            started.start = id;
            parts.push_back(std::move(started));
        }
    }

    void finish(StepId step) {
        const Operation whole = draft_.steps[step];
        auto op = std::get<FinishOp>(whole.what);
        const auto started = started_.find(op.start);
        if (started == started_.end()) {
            draft_.order.push_back(step);
            return;
        }
        const std::vector<Part>& parts = started->second;
        if (!hops_.computes) {
            finish_on_host(whole, parts);
            return;
        }
        std::vector<Unpacked> unpacked = unpacked_by_part(parts, op);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Part& part = parts[i];
            const bool one_by_one = part.on_arrival && (hops_.staged || !unpacked[i].empty());
            if (one_by_one) take_arrivals(whole, part, unpacked[i], {op.from, op.to});
            Operation one = whole;
            one.what = FinishOp{part.start};
            add(std::move(one));
            if (!hops_.staged || one_by_one) continue;
            hop(whole, {copies_of(part.receives, part.element_bytes), part.host, part.device});
        }
    }

    /// A rank of the host: what an exchange in parts brings is unpacked when all have come.
    void finish_on_host(const Operation& whole, const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            Operation one = whole;
            one.what = FinishOp{part.start};
            add(std::move(one));
        }
        const auto& op = std::get<FinishOp>(whole.what);
        for (const std::vector<CopyTask>& of_message : op.onward) {
            for (const CopyTask& task : of_message) {
                add({whole.stage, Purpose::unpack, CopyOp{task, {op.from}, op.to}, whole.tile});
            }
        }
    }

    /// Each message goes onward when it has arrived, while the host waits for the next one.
    void take_arrivals(const Operation& whole, const Part& part, Unpacked& unpacked, Ends ends) {
        for (std::size_t turn = 0; turn < part.receives.size(); ++turn) {
            add({whole.stage, Purpose::exchange, ArrivalOp{part.start, turn}, whole.tile});
            if (hops_.staged) {
                OnwardOp onward{part.start, turn,
                                copies_of({part.receives[turn]}, part.element_bytes), part.host,
                                part.device};
                add({whole.stage, Purpose::hop, std::move(onward), whole.tile});
            }
            if (unpacked.empty()) continue;
            OnwardOp onward{part.start, turn, std::move(unpacked[turn]), ends.from, ends.to};
            add({whole.stage, Purpose::unpack, std::move(onward), whole.tile});
        }
    }
    /// What is unpacked with each part of an exchange: messages of which no later part has a piece.
    static std::vector<Unpacked> unpacked_by_part(const std::vector<Part>& parts, FinishOp& op) {
        std::vector<Unpacked> result(parts.size());
        if (op.onward.empty()) return result;
        std::map<int, std::size_t> receive_of;  // By peer, of those that are not unpacked yet.
        for (std::size_t i = 0; i < op.onward.size(); ++i) receive_of[parts.front().whole[i]] = i;
        for (std::size_t part = parts.size(); part-- > 0 && !receive_of.empty();) {
            const std::vector<Message>& receives = parts[part].receives;
            for (std::size_t turn = 0; turn < receives.size(); ++turn) {
                const auto found = receive_of.extract(receives[turn].peer);
                if (found.empty()) continue;
                result[part].resize(receives.size());
                result[part][turn] = std::move(op.onward[found.mapped()]);
            }
        }
        return result;
    }

    /// The bytes of a value up to the last one that the exchange touches.
    Index reach_of(const ExchangeTask& task, const std::vector<Message>& messages, ValueId id) {
        if (task.matrix) return value(id).bytes;
        Index elements = 0;
        if (task.slot) elements = *task.slot * static_cast<Index>(task.group.ranks.size());
        for (const Message& message : messages) {
            for (const Slice& slice : message.slices) elements = std::max(elements, end_of(slice));
        }
        return elements * task.element_bytes;
    }
    /// The host's value beside one of the device, the same for all exchanges that use it so.
    ValueId staging(std::map<ValueId, ValueId>& known, ValueId device, Index reach) {
        const auto [place, is_new] = known.try_emplace(device, 0);
        if (is_new) place->second = add(0, MemorySpace::host);
        Index& bytes = value(place->second).bytes;
        bytes = std::max(bytes, reach);
        return place->second;
    }
    ValueId add(Index bytes, MemorySpace space) {
        Value one{bytes};
        one.space = space;
        return draft_.add(one);
    }
    Value& value(ValueId id) { return draft_.values[static_cast<std::size_t>(id)]; }
    StepId add(Operation step) { return draft_.add(std::move(step)); }
    /// For the same stage and tile as another step; nothing if there is nothing to copy.
    void hop(const Operation& beside, HopOp op) {
        if (op.copies.empty()) return;
        add({beside.stage, Purpose::hop, std::move(op), beside.tile});
    }

    Draft& draft_;
    const Hops& hops_;
    std::vector<StepId> steps_;
    std::map<ValueId, ValueId> sent_;
    std::map<ValueId, ValueId> received_;
    std::map<StepId, std::vector<Part>> started_;
};

/// The part of a contiguous message from element `begin` of n up to element `end`.
Message cut(const Message& message, Index i, Index n) {
    const Index count = message.count();
    if (count == 0) return message;
    const Index begin = part_begin(count, n, i);
    const Index end = part_begin(count, n, i + 1);
    return {message.peer, {{message.offset() + begin, {{end - begin, 1}}}}};
}

}  // namespace

Index pieces_of(const ExchangeTask& task, Index piece_bytes) {
    const bool strided = transport(task.transport).packing == Packing::never;
    if (piece_bytes == 0 || task.slot || strided) return 1;
    return pieces_in(task.largest * task.element_bytes, piece_bytes);
}

ExchangeTask part_of(const ExchangeTask& task, Index i, Index n) {
    ExchangeTask part = task;
    for (std::vector<Message>* messages : {&part.sends, &part.receives}) {
        for (Message& message : *messages) message = cut(message, i, n);
        std::erase_if(*messages, [](const Message& message) { return message.count() == 0; });
    }
    return part;
}

ValueId add_hops(Draft& draft, ValueId output, const Hops& hops) {
    return HopPass(draft, hops).run(output);
}

}  // namespace weft::core
