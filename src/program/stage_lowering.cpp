#include "program/stage_lowering.hpp"

#include <algorithm>
#include <utility>

#include "program/move.hpp"
#include "program/transform_task.hpp"

namespace weft::core {

namespace {

/// The bytes that are copied in a time that the latency of a message does not dwarf.
constexpr Index little = Index{1} << 14;

/// Whether a task may write where it reads: every element of the result lies where the line it
/// comes from does. For real data complex numbers then cover pairs of real ones.
bool fits_in_place(const FftTask& task) {
    const Index from_unit = task.line.source().numbers();
    const Index to_unit = task.line.target().numbers();
    const auto same = [&](Index from, Index to) { return from * from_unit == to * to_unit; };
    const auto fits = [&](const Loop& loop) {
        return loop.extent == 1 || same(loop.from, loop.to);
    };
    if (!same(task.from_offset, task.to_offset)) return false;
    if (!std::all_of(task.looped.begin(), task.looped.end(), fits)) return false;
    if (!std::all_of(task.complex_axes.begin(), task.complex_axes.end(), fits)) return false;
    const Loop line = task.line_axis();
    if (task.line.kind == Kind::c2c) return fits(line);
    return line.extent == 1 || (line.from == 1 && line.to == 1);
}

/// Adds what one stage does on one rank to the chain.
class StageLowering {
  public:
    StageLowering(const Plan& plan, const ArrayUse& use, int rank, int stage, FusedLowering& fused,
                  Chain& chain)
        : fused_(fused),
          use_(use),
          alone_(plan.stages.size() == 1),
          chunk_(plan.choice.chunk),
          rank_(rank),
          stage_(stage),
          chain_(chain),
          from_(plan.at[static_cast<std::size_t>(stage)]),
          to_(plan.at[static_cast<std::size_t>(stage) + 1]) {}

    void operator()(const TransformStage& transform) {
        if (fused_.is_fused_transform(stage_)) return fused_.add_transform(stage_);
        // Multi-dimensional c2r transforms overwrite their input (FFTW's do, for good reason), so
        // where the input must stay the complex axes go first, into a value of their own.
        const bool keeps_input = stage_ == 0 && !use_.in_place && !use_.may_destroy_input;
        const Layout dense_from{from_.where, dense(from_.format), from_.scalar};
        if (transform.kind == Kind::c2r && transform.axes.size() > 1 && keeps_input) {
            std::vector<int> complex_axes = transform.axes;
            complex_axes.pop_back();
            add_transform({complex_axes, Kind::c2c, transform.sign}, from_, dense_from);
            add_transform({{transform.axes.back()}, Kind::c2r, transform.sign}, dense_from, to_);
        } else if (use_.in_place && alone_ && !fits(transform)) {
            // One step cannot turn an array into itself in another order: it starts from a copy.
            add_copy(dense_from);
            add_transform(transform, dense_from, to_);
        } else {
            add_transform(transform, from_, to_);
        }
    }

    void operator()(const RedistributionStage& move) {
        if (fused_.moves_at(stage_)) return fused_.add_move(stage_);
        const MoveTasks tasks =
            move_tasks(from_, to_, move, chunk_, rank_, use_.in_place && alone_);
        const Index unit = from_.scalar.bytes();
        if (tasks.packs) {
            chain_.add(tasks.steps.front().source * unit, {},
                       emit_copies(Purpose::pack, tasks.pack));
        }
        for (std::size_t i = 0; i < tasks.steps.size(); ++i) {
            const MoveStep& step = tasks.steps[i];
            const bool last = i + 1 == tasks.steps.size();
            const bool goes_on = !last || tasks.unpacks;
            const Index landing = goes_on ? step.landing * unit : to_.bytes(rank_);
            const Index onward = last ? to_.bytes(rank_) : tasks.steps[i + 1].source * unit;
            const bool past_both = tasks.packs && tasks.unpacks;
            // The messages land in one value while the next is made, of them or past them; the
            // room that this may take is little where latency matters.
            const bool beside = tasks.some || (!tasks.past.empty() && step.source * unit <= little);
            StepNeeds needs;  // Of the step that makes the target.
            needs.reads_third = !tasks.past.empty() && past_both;
            needs.reads_second = (!tasks.past.empty() && !past_both) || (goes_on && beside);
            const auto past = emit_past(tasks.past, past_both);
            if (!goes_on) {
                chain_.add(landing, needs, emit_exchange(step, past));
            } else if (beside) {
                chain_.add(landing, {}, emit_nothing());
                chain_.add(onward, needs, emit_beside(step, past, tasks.some));
            } else {
                chain_.add(landing, {}, emit_exchange(step, emit_nothing()));
                chain_.add(onward, needs, emit_onward(step, past));
            }
        }
    }

  private:
    [[nodiscard]] bool fits(const TransformStage& transform) const {
        const std::vector<FftTask> tasks = fft_tasks(transform, from_, to_, rank_);
        return std::all_of(tasks.begin(), tasks.end(), fits_in_place);
    }

    void add_transform(const TransformStage& transform, const Layout& from, const Layout& to) {
        const std::vector<FftTask> tasks = fft_tasks(transform, from, to, rank_);
        const bool in_place = std::all_of(tasks.begin(), tasks.end(), fits_in_place);
        const bool input_is_free = use_.in_place || use_.may_destroy_input;
        const bool same_elements = transform.kind == Kind::c2c;
        chain_.add(to.bytes(rank_), {in_place, same_elements},
                   [stage = stage_, tasks, input_is_free](std::vector<Operation>& operations,
                                                          const Places& places) {
                       for (FftTask task : tasks) {
                           task.in_place = places.from == places.to;
                           task.may_destroy_input = places.from != 0 || input_is_free;
                           append(operations, stage, TransformOp{task, places.from, places.to});
                       }
                   });
    }

    /// From the source to the same elements stored in another format.
    void add_copy(const Layout& copied) {
        chain_.add(copied.bytes(rank_), {},
                   emit_copies(Purpose::reorder, copies_between(from_, copied, rank_)));
    }

    [[nodiscard]] Chain::Emit emit_copies(Purpose purpose,
                                          const std::vector<CopyTask>& copies) const {
        const int stage = stage_;
        return [stage, purpose, copies](std::vector<Operation>& operations, const Places& places) {
            append_copies(operations, stage, purpose, copies, places.from, places.to);
        };
    }

    static Chain::Emit emit_nothing() {
        return [](std::vector<Operation>&, const Places&) {};
    }

    /// What goes past the values between source and target.
    [[nodiscard]] Chain::Emit emit_past(const std::vector<CopyTask>& copies, bool past_both) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            const int source = past_both ? places.third : places.second;
            append_copies(operations, stage, Purpose::keep, copies, source, places.to);
        };
    }

    /// Window by window; what is kept is copied beside the first.
    [[nodiscard]] Chain::Emit emit_exchange(const MoveStep& step, const Chain::Emit& past) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            for (const Window& window : step.windows) {
                const std::size_t post = operations.size();
                append(operations, stage, PostOp{window.exchange, places.from, places.to});
                if (&window == &step.windows.front()) {
                    append_copies(operations, stage, Purpose::keep, step.kept, places.from,
                                  places.to);
                    past(operations, places);
                }
                append(operations, stage, DrainOp{post});
            }
        };
    }

    /// The same where the value after the one in which messages land is made at once, of some of
    /// them as they arrive, or window by window.
    [[nodiscard]] Chain::Emit emit_beside(const MoveStep& step, const Chain::Emit& past,
                                          bool some) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            for (const Window& window : step.windows) {
                const std::size_t post = operations.size();
                append(operations, stage, PostOp{window.exchange, places.second, places.from});
                if (&window == &step.windows.front()) {
                    append_copies(operations, stage, Purpose::keep, step.kept, places.second,
                                  places.from);
                    append_copies(operations, stage, Purpose::keep, step.kept_onward, places.from,
                                  places.to);
                    past(operations, places);
                }
                if (some) {
                    append(operations, stage, DrainOp{post, window.onward, places.from, places.to});
                } else {
                    append(operations, stage, DrainOp{post});
                    append_onward(operations, stage, window, places);
                }
            }
        };
    }

    /// All that has landed, to where it belongs.
    [[nodiscard]] Chain::Emit emit_onward(const MoveStep& step, const Chain::Emit& past) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            append_copies(operations, stage, Purpose::keep, step.kept_onward, places.from,
                          places.to);
            for (const Window& window : step.windows) {
                append_onward(operations, stage, window, places);
            }
            past(operations, places);
        };
    }

    static void append_onward(std::vector<Operation>& operations, int stage, const Window& window,
                              const Places& places) {
        for (const auto& copies : window.onward) {
            append_copies(operations, stage, Purpose::unpack, copies, places.from, places.to);
        }
    }

    FusedLowering& fused_;
    ArrayUse use_;
    bool alone_;  ///< the plan has no other stage
    Index chunk_;
    int rank_;
    int stage_;
    Chain& chain_;
    const Layout& from_;
    const Layout& to_;
};

}  // namespace

void lower_stage(const Plan& plan, const ArrayUse& use, int rank, int stage, FusedLowering& fused,
                 Chain& chain) {
    StageLowering lowering(plan, use, rank, stage, fused, chain);
    std::visit(lowering, plan.stages[static_cast<std::size_t>(stage)]);
}

void lower_stages(const Plan& plan, const ArrayUse& use, int rank, FusedLowering& fused,
                  Chain& chain) {
    for (int stage = 0; stage < static_cast<int>(plan.stages.size()); ++stage) {
        lower_stage(plan, use, rank, stage, fused, chain);
    }
}

}  // namespace weft::core
