#include "program/passes/out_of_core.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "program/pieces.hpp"

namespace weft::core {

namespace {

/// Of those for what comes, and of those for what goes.
constexpr int slots_each_way = 2;

/// Goes through the draft's steps in their order, and writes a new order.
class OutOfCore {
  public:
    OutOfCore(Draft& draft, Index slot_bytes)
        : draft_(draft), slot_bytes_(slot_bytes), steps_(std::exchange(draft.order, {})) {}

    void run() {
        take_scaling_along();
        for (std::size_t i = 0; i < steps_.size();) {
            const std::size_t end = end_of_transforms(i);
            if (end > i) {
                transform({steps_.begin() + static_cast<std::ptrdiff_t>(i),
                           steps_.begin() + static_cast<std::ptrdiff_t>(end)});
                i = end;
                continue;
            }
            leave_to_host(steps_[i++]);
        }
    }

  private:
    /// Where transforms go on between the same two values from there; there if it is none.
    [[nodiscard]] std::size_t end_of_transforms(std::size_t begin) const {
        const auto op_at = [&](std::size_t i) {
            return std::get_if<TransformOp>(&draft_.steps[steps_[i]].what);
        };
        const TransformOp* first = op_at(begin);
        std::size_t end = begin;
        for (; first != nullptr && end < steps_.size(); ++end) {
            const TransformOp* one = op_at(end);
            if (one == nullptr || one->from != first->from || one->to != first->to) break;
        }
        return end;
    }

    void leave_to_host(StepId step) {
        Operation& operation = draft_.steps[step];
        if (std::holds_alternative<FusedOp>(operation.what)) {
            throw std::logic_error("a fused pass on a device that has a piece of it at a time");
        }
        if (operation.queue == Queue::work) operation.queue = Queue::exchange;
        draft_.order.push_back(step);
    }

    /// Scales pieces where they are transformed, if nothing else makes what is scaled or reads it.
    void take_scaling_along() {
        const auto is_scale = [&](StepId step) {
            return std::holds_alternative<ScaleOp>(draft_.steps[step].what);
        };
        const auto found = std::find_if(steps_.begin(), steps_.end(), is_scale);
        if (found == steps_.end()) return;
        const ScaleOp scale = std::get<ScaleOp>(draft_.steps[*found].what);
        std::vector<TransformOp*> makers;
        for (const StepId step : steps_) {
            auto* maker = std::get_if<TransformOp>(&draft_.steps[step].what);
            const bool makes = maker != nullptr && maker->to == scale.from;
            if (makes) makers.push_back(maker);
            if (!makes && !is_scale(step) && uses(step, scale.from)) return;
        }
        if (makers.empty()) return;
        for (TransformOp* maker : makers) maker->to = scale.to;
        const Value& before = value(scale.from);
        value(scale.to).over = before.over;
        value(scale.to).same_elements = before.same_elements;
        value(scale.to).over_in_parts = before.over_in_parts;
        std::erase_if(steps_, is_scale);
        scale_ = scale;
    }
    [[nodiscard]] bool uses(StepId step, ValueId wanted) const {
        bool result = false;
        for_each_use(draft_, step, [&](ValueId one, Use /*use*/) { result |= one == wanted; });
        return result;
    }

    /// Steps between the same two values.
    void transform(const std::vector<StepId>& steps) {
        const Operation like = draft_.steps[steps.front()];
        std::vector<FftTask> tasks;
        for (const StepId step : steps) {
            const FftTask& task = std::get<TransformOp>(draft_.steps[step].what).task;
            if (!is_empty(task)) tasks.push_back(task);
        }
        const auto& [first, from, to, from_step, to_step] = std::get<TransformOp>(like.what);
        const bool whole = std::all_of(tasks.begin(), tasks.end(), [&](const FftTask& task) {
            return fits(task, slot_bytes_);
        });
        if (whole) return go(like, tasks, {from, to, true});
        if (first.line.kind == Kind::c2r && !first.complex_axes.empty()) {
            go_to_reals(like, tasks, from, to);
        } else {
            by_axes(like, tasks, from, to, from, 0);
        }
    }
    /// What is complex is transformed beside what is read, or over it where it may be.
    void go_to_reals(const Operation& like, const std::vector<FftTask>& tasks, ValueId from,
                     ValueId to) {
        // Of tiles they may be a part of what is read.
        const auto [begin, end] = elements_read(tasks);
        const bool over = tasks.front().may_destroy_input;
        const Index skipped = over ? 0 : begin;
        Value made{(end - skipped) * tasks.front().line.source().bytes()};
        if (over) made.over = from;
        made.same_elements = true;
        const ValueId complex = draft_.add(made);
        if (value(to).over == from) value(to).over = complex;
        by_axes(like, tasks, from, to, complex, skipped);
    }
    /// From the first to behind the last, as places in the source; there is one.
    static std::pair<Index, Index> elements_read(const std::vector<FftTask>& tasks) {
        Index begin = tasks.front().from_offset;
        Index end = begin;
        for (const FftTask& task : tasks) {
            Index last = task.from_offset + (task.line.source_length() - 1) * task.from_step;
            for (const auto* loops : {&task.complex_axes, &task.looped}) {
                for (const Loop& loop : *loops) last += (loop.extent - 1) * loop.from;
            }
            begin = std::min(begin, task.from_offset);
            end = std::max(end, last + 1);
        }
        return {begin, end};
    }
    /// `complex`: where axes are transformed before the step to `to`; the elements of `from` that
    /// it holds are those behind the first `skipped` ones.
    void by_axes(const Operation& like, const std::vector<FftTask>& tasks, ValueId from, ValueId to,
                 ValueId complex, Index skipped) {
        using Side = FftSide;
        const auto all = mapped(tasks, axis_by_axis);
        for (std::size_t pass = 0; pass < all.front().size(); ++pass) {
            std::vector<FftTask> now =
                mapped(all, [&](const auto& of_task) { return of_task[pass].task; });
            const Side side = all.front()[pass].side;
            const ValueId target = side == Side::source ? complex : to;
            for (FftTask& task : now) {
                if (pass > 0) task.from_offset -= skipped;
                if (side == Side::source) task.to_offset -= skipped;
            }
            go(like, now,
               {side == Side::target ? to : from, target, pass + 1 == all.front().size()});
            if (side == Side::source) from = complex;
        }
    }

    /// From one value to another, or in place.
    struct Way {
        ValueId from;
        ValueId to;
        bool ends = true;  ///< no other axis of the lines follows
    };
    /// Of lines (planes) that fit.
    void go(const Operation& like, const std::vector<FftTask>& tasks, const Way& way) {
        const auto [from, to, ends] = way;
        std::vector<Piece> pieces;
        for (const FftTask& task : tasks) {
            for (Piece& piece : pieces_of(task, slot_bytes_)) pieces.push_back(std::move(piece));
        }
        if (pieces.empty()) return;
        std::vector<ValueId> sources;
        std::vector<ValueId> targets;
        const auto bring = [&, from = from, to = to](std::size_t k) {
            sources.push_back(slot(k, 0, pieces[k].from_bytes()));
            draft_.add(like, Purpose::hop, HopOp{{pieces[k].bring}, from, sources.back()});
            if (value(to).over == from) value(to).over_in_parts = true;
        };
        const auto take = [&, to = to](std::size_t k) {
            const StepId step =
                draft_.add(like, Purpose::hop, HopOp{{pieces[k].take}, targets[k], to});
            draft_.steps[step].queue = Queue::hop_back;
        };
        bring(0);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (k + 1 < pieces.size()) bring(k + 1);
            targets.push_back(slot(k, slots_each_way, pieces[k].to_bytes()));
            draft_.add(like, Purpose::transform,
                       TransformOp{pieces[k].task, sources[k], targets[k]});
            if (ends && scale_ && scale_->to == to) add_scale(like, targets[k]);
            if (k > 0) take(k - 1);
        }
        take(pieces.size() - 1);
    }
    void add_scale(const Operation& like, ValueId piece) {
        const Index number = scale_->precision == Precision::f64 ? 8 : 4;
        const Slice all{0, {{value(piece).bytes / number, 1}}};
        draft_.add(like, Purpose::scale,
                   ScaleOp{scale_->precision, all, scale_->factor, piece, piece});
    }
    /// Room for piece k in its turn, in the slots from number `first` on.
    ValueId slot(std::size_t k, int first, Index bytes) {
        Value one{bytes};
        one.home = Home::slot;
        one.region = first + static_cast<int>(k % slots_each_way);
        one.space = MemorySpace::device;
        return draft_.add(one);
    }
    [[nodiscard]] Value& value(ValueId id) { return draft_.values[usize(id)]; }

    Draft& draft_;
    Index slot_bytes_;
    std::vector<StepId> steps_;
    std::optional<ScaleOp> scale_;  ///< what is done on the device
};

}  // namespace

void go_out_of_core(Draft& draft, Index slot_bytes) { OutOfCore(draft, slot_bytes).run(); }

}  // namespace weft::core
