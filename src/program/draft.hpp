// A program while it is made: steps on named values, which have no buffers yet.
//
// Rules (program/rules) make values and add steps, passes (program/passes) cut and reorder steps.
// The last pass, assign(), gives values buffers and calls add_predecessors(). An operation of a
// draft names values where one of a program names buffers, and steps where that names operations;
// both names stay what they are whatever a pass does.
//
// Example: a slab transform by packed messages makes values 0 (the input), 1 (transformed), 2
// (packed), 3 (what has landed), 4 (the next layout), ..; its exchange is the step that starts with
// values 2 and 3, and the one that finishes it.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "program/program.hpp"

namespace weft::core {

using ValueId = int;
using StepId = std::size_t;

/// The first value of every draft: what is in the input array before the first step.
inline constexpr ValueId input_value = 0;

/// Where a value may lie.
enum class Home {
    anywhere,  ///< in work memory, or in an array that is free for it
    input,     ///< in the input array
    output,    ///< in the output array
    region,    ///< in memory that the ranks of the node share
    scratch,   ///< in memory that steps use within themselves, all of them the same
    slot,      ///< in memory of the device that such values take in turns
};

/// Some elements that steps read and write. It lives from the first step that names it to the last.
struct Value {
    Index bytes = 0;
    Home home = Home::anywhere;
    int region = 0;  ///< which one, if it is in a region or in a slot
    MemorySpace space = MemorySpace::host;
    /// The value in whose place it may be made: no element is needed any longer once another is
    /// written over it.
    std::optional<ValueId> over{};
    /// Value `over` lies only where elements of this value lie. So it may lie in the caller's
    /// output array as well, and padding there stays intact.
    bool same_elements = false;
    /// It is made part by part while others of value `over` are still to be read: no step writes
    /// where elements lie that a later one reads.
    bool over_in_parts = false;
};

/// What may be done to the caller's arrays.
struct ArrayUse {
    bool in_place = false;           ///< input and output are one array, which holds the larger
    bool may_destroy_input = false;  ///< the input array may serve as workspace
    /// The output array may serve as workspace; not where it has elements that are to stay.
    bool output_is_scratch = true;
};

/// The purpose of operations that have one only: of all but copies.
constexpr Purpose purpose_of(const TransformOp& /*op*/) { return Purpose::transform; }
constexpr Purpose purpose_of(const FusedOp& /*op*/) { return Purpose::transform; }
constexpr Purpose purpose_of(const ScaleOp& /*op*/) { return Purpose::scale; }
constexpr Purpose purpose_of(const ClearOp& /*op*/) { return Purpose::unpack; }
constexpr Purpose purpose_of(const PollOp& /*op*/) { return Purpose::poll; }
constexpr Purpose purpose_of(const HopOp& /*op*/) { return Purpose::hop; }
template <class Op>
constexpr Purpose purpose_of(const Op& /*op*/) {
    static_assert(!std::is_same_v<Op, CopyOp> && !std::is_same_v<Op, OnwardOp> &&
                      !std::is_same_v<Op, ConvertOp>,
                  "copies serve several purposes: name the one");
    return Purpose::exchange;
}

struct Draft {
    int rank = 0;
    std::vector<Value> values;     ///< by ValueId
    std::vector<Operation> steps;  ///< by StepId
    std::vector<StepId> order;     ///< those that are done, in order
    Index times = 1;               ///< of the steps that are added now

    ValueId add(const Value& value) {
        values.push_back(value);
        return static_cast<ValueId>(values.size()) - 1;
    }
    /// A step that is done after all that there are.
    StepId add(Operation step) {
        step.times *= times;
        steps.push_back(std::move(step));
        order.push_back(steps.size() - 1);
        return order.back();
    }
    /// Of the only purpose that such an operation has, for a stage of the plan.
    template <class Op>
    StepId add(int stage, Op op) {
        return add(Operation{stage, purpose_of(op), std::move(op)});
    }
    /// For the same stage and tile as another step.
    template <class Op>
    StepId add(const Operation& like, Purpose purpose, Op op) {
        return add(Operation{like.stage, purpose, std::move(op), like.tile});
    }
};

/// What an operation does with a value that it names.
enum class Use {
    read,
    write,
    update,  ///< read and write
    clear,   ///< write what others write some of later
    offer,   ///< wait for other ranks that read or write it, or let them write it
    reach    ///< use the memory of another rank, as the value that lies there on this one
};

/// Calls visit(int&, Use) wherever an operation names a value (buffer).
template <class Visit>
void for_each_value(Operation& operation, const Visit& visit) {
    const auto place = [&](BufferRef& one, Use use) {
        visit(one.buffer, one.rank ? Use::reach : use);
    };
    const auto of = [&](auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, FusedOp>) {
            for (BufferRef& one : op.places) place(one, Use::update);
            for (auto& work : op.work) {
                auto* batch = std::get_if<TransformOp>(&work);
                if (batch == nullptr) continue;
                visit(batch->from, Use::update);
                visit(batch->to, Use::update);
            }
            if (op.scratch) visit(*op.scratch, Use::update);
        } else if constexpr (std::is_same_v<Op, CopyOp>) {
            place(op.from, Use::read);
            visit(op.to, Use::write);
        } else if constexpr (std::is_same_v<Op, ClearOp>) {
            visit(op.to, Use::clear);
        } else if constexpr (std::is_same_v<Op, PublishOp>) {
            visit(op.region, op.task.access == RegionAccess::write ? Use::offer : Use::read);
        } else if constexpr (std::is_same_v<Op, ReclaimOp>) {
            visit(op.region, Use::offer);
        } else if constexpr (requires { op.from; }) {
            visit(op.from, Use::read);
            visit(op.to, Use::write);
        }
    };
    std::visit(of, operation.what);
}

/// Calls visit(ValueId, Use) for all values that a step uses. An arrival and a finish use those of
/// their exchange, which are the exchange's own while it is under way.
template <class Visit>
void for_each_use(Draft& draft, StepId step, const Visit& visit) {
    const auto of_exchange = [&](const auto* op) {
        if (op != nullptr) for_each_value(draft.steps[op->start], visit);
    };
    of_exchange(std::get_if<FinishOp>(&draft.steps[step].what));
    of_exchange(std::get_if<ArrivalOp>(&draft.steps[step].what));
    for_each_value(draft.steps[step], visit);
}

}  // namespace weft::core
