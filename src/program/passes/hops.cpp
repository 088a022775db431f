#include "program/passes/hops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/index.hpp"
#include "plan/device_memory.hpp"

namespace weft::core {

namespace {

std::vector<CopyTask> copies_of(const std::vector<Message>& messages, Index element_bytes) {
    std::vector<CopyTask> result;
    for (const Message& message : messages) {
        const std::vector<CopyTask> copies = same_place_copies(message.slices, element_bytes);
        result.insert(result.end(), copies.begin(), copies.end());
    }
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
            } else if (Exchange* exchange = exchange_of(step)) {
                take(step, *exchange);
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
    /// The copies that unpack a message, by receive; none: nothing is unpacked.
    using Unpacked = std::vector<std::vector<CopyTask>>;
    /// An exchange that was started: all at once, or pieces of its messages one after the other.
    struct Exchange {
        std::vector<StepId> parts;
        ValueId host;       ///< where messages land if they are staged
        ValueId device;     ///< where they go from there
        Unpacked unpacked;  ///< on the host, once all parts have come
        Ends onward{};      ///< from where to where messages are unpacked
    };

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
        hop({0, Purpose::hop, {}}, {hops_.input, input_value, copy});
        return output == input_value ? copy : output;
    }
    ValueId give_output(ValueId output) {
        const ValueId array = add(value(output).bytes, MemorySpace::host);
        const int last_stage = static_cast<int>(hops_.strided.size()) - 1;
        hop({last_stage, Purpose::hop, {}}, {hops_.output, output, array});
        return array;
    }

    void start(StepId step) {
        const Index count = count_of(draft_.steps[step]);
        if (!hops_.computes && count == 1) {
            draft_.order.push_back(step);
            return;
        }
        Operation whole = draft_.steps[step];
        StartOp op = std::move(std::get<StartOp>(whole.what));
        const Ends device{op.from, op.to};
        const bool staged = hops_.computes && hops_.staged;
        if (staged) {
            op.from = staging(sent_, op.from, reach_of(op.task, op.task.sends, op.from));
            op.to = staging(received_, op.to, reach_of(op.task, op.task.receives, op.to));
        }
        std::vector<StartOp> cut = parts_of(op, count);
        Exchange& exchange = started_[step];
        exchange = {{}, op.to, device.to, {}};
        if (!hops_.computes) exchange.unpacked = std::move(op.arrivals);
        if (hops_.computes) divide(std::move(op), cut);
        for (StartOp& part : cut) {
            if (staged) {
                hop(whole,
                    {copies_of(part.task.sends, part.task.element_bytes), device.from, part.from});
            }
            // The first part stays the step that others name.
            const bool first = exchange.parts.empty();
            exchange.parts.push_back(first ? step : draft_.add(whole));
            if (first) draft_.order.push_back(step);
            draft_.steps[exchange.parts.back()].what = std::move(part);
        }
    }
    /// The parts of an exchange.
    [[nodiscard]] Index count_of(const Operation& start) const {
        const bool strided = hops_.strided[usize(start.stage)];
        if (!hops_.staged || strided) return 1;
        return pieces_of(std::get<StartOp>(start.what).task, hops_.piece);
    }
    /// Without what is unpacked.
    static std::vector<StartOp> parts_of(const StartOp& op, Index count) {
        std::vector<StartOp> result(usize(count), {op.task, op.from, op.to});
        for (Index i = 0; count > 1 && i < count; ++i) {
            result[usize(i)].task = part_of(op.task, i, count);
        }
        return result;
    }
    /// What is unpacked with each part of an exchange: messages of which no later part has a piece.
    static void divide(StartOp whole, std::vector<StartOp>& parts) {
        if (whole.arrivals.empty()) return;
        std::map<int, std::size_t> receive_of;  // By peer, of those that are not unpacked yet.
        for (std::size_t i = 0; i < whole.arrivals.size(); ++i) {
            receive_of[whole.task.receives[i].peer] = i;
        }
        for (auto part = parts.rbegin(); part != parts.rend() && !receive_of.empty(); ++part) {
            const std::vector<Message>& receives = part->task.receives;
            for (std::size_t i = 0; i < receives.size(); ++i) {
                const auto found = receive_of.extract(receives[i].peer);
                if (found.empty()) continue;
                part->arrivals.resize(receives.size());
                part->arrivals[i] = std::move(whole.arrivals[found.mapped()]);
            }
        }
    }

    /// The exchange that a step is about, if it was cut or comes from a device.
    Exchange* exchange_of(StepId step) {
        const std::size_t* named = named_step(draft_.steps[step]);
        const auto found = named == nullptr ? started_.end() : started_.find(*named);
        return found == started_.end() ? nullptr : &found->second;
    }
    /// Its arrivals, and what goes onward, are taken along with its end.
    void take(StepId step, Exchange& exchange) {
        const Operation one = draft_.steps[step];
        if (const auto* onward = std::get_if<OnwardOp>(&one.what)) {
            exchange.onward = {onward->from, onward->to};
        } else if (std::holds_alternative<FinishOp>(one.what)) {
            finish(one, exchange);
        }
    }
    void finish(const Operation& whole, const Exchange& exchange) {
        for (const StepId part : exchange.parts) {
            const StartOp op = std::get<StartOp>(draft_.steps[part].what);
            const bool hops = hops_.computes && hops_.staged;
            const bool one_by_one =
                hops_.computes && op.task.on_arrival && (hops_.staged || !op.arrivals.empty());
            if (one_by_one) take_arrivals(whole, part, op, exchange);
            draft_.add(whole, Purpose::exchange, FinishOp{part});
            if (!hops || one_by_one) continue;
            hop(whole, {copies_of(op.task.receives, op.task.element_bytes), exchange.host,
                        exchange.device});
        }
        // On a rank of the host, when all parts have come.
        const auto& [from, to] = exchange.onward;
        for (const std::vector<CopyTask>& of_message : exchange.unpacked) {
            for (const CopyTask& task : of_message) {
                draft_.add(whole, Purpose::unpack, CopyOp{task, {from}, to});
            }
        }
    }

    /// Each message goes onward when it has arrived, while the host waits for the next one.
    void take_arrivals(const Operation& whole, StepId part, const StartOp& op,
                       const Exchange& exchange) {
        const auto& [from, to] = exchange.onward;
        for (std::size_t turn = 0; turn < op.task.receives.size(); ++turn) {
            draft_.add(whole, Purpose::exchange, ArrivalOp{part, turn});
            if (hops_.staged) {
                draft_.add(whole, Purpose::hop,
                           OnwardOp{part, turn, exchange.host, exchange.device});
            }
            if (!op.arrivals.empty())
                draft_.add(whole, Purpose::unpack, OnwardOp{part, turn, from, to});
        }
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
    Value& value(ValueId id) { return draft_.values[usize(id)]; }
    /// Nothing if there is nothing to copy.
    void hop(const Operation& beside, HopOp op) {
        if (!op.copies.empty()) draft_.add(beside, Purpose::hop, std::move(op));
    }

    Draft& draft_;
    const Hops& hops_;
    std::vector<StepId> steps_;
    std::map<ValueId, ValueId> sent_;
    std::map<ValueId, ValueId> received_;
    std::map<StepId, Exchange> started_;
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
