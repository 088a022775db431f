#include "program/lower.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "program/direct_move.hpp"
#include "program/fused.hpp"
#include "program/fused_move.hpp"
#include "program/move.hpp"
#include "program/storage.hpp"
#include "program/transform_task.hpp"

namespace weft::core {

namespace {

template <class Op>
void append(std::vector<Operation>& operations, int stage, const Op& op) {
    Operation& operation = operations.emplace_back();
    operation.stage = stage;
    operation.what.emplace<Op>(op);
}

/// Whether an end's array has elements that are not the transform's.
bool has_gaps(const LayoutRequest& request) {
    return !request.padding.empty() || !request.strides.empty();
}

ArrayUse array_use(const Plan& plan) {
    const Problem& problem = plan.problem;
    const bool in_gaps = has_gaps(plan.backward ? problem.out : problem.in);
    const bool out_gaps = has_gaps(plan.backward ? problem.in : problem.out);
    return {problem.in_place, problem.may_destroy_input && !in_gaps,
            !out_gaps && !(problem.in_place && in_gaps)};
}

/// The buffers of a step: of the value it makes, and of those before it, the newest first.
struct Places {
    int to = 0;
    int from = 0;
    int second = 0;
    int third = 0;
    int scratch = 0;  ///< what steps use within themselves
};

/// The bytes that are copied in a time that the latency of a message does not dwarf.
constexpr Index little = Index{1} << 14;

/// Collects the steps of a program as a chain of values; buffers are assigned at the end.
class Chain {
  public:
    using Emit = std::function<void(std::vector<Operation>&, const Places&)>;

    Chain(Index input_bytes, const ArrayUse& use) : use_(use), bytes_{input_bytes} {}

    /// A step that makes a value of `bytes` from the last one.
    void add(Index bytes, const StepNeeds& needs, Emit emit) {
        bytes_.push_back(bytes);
        needs_.push_back(needs);
        emits_.push_back(std::move(emit));
    }
    void need_scratch(Index bytes) { scratch_bytes_ = std::max(scratch_bytes_, bytes); }
    [[nodiscard]] Program program(int rank) const {
        const Storage storage = place_values(bytes_, needs_, use_);
        Program program{rank, storage.buffers, {}};
        const int scratch = static_cast<int>(program.buffers.size());
        if (scratch_bytes_ > 0) program.buffers.push_back({Role::work, scratch_bytes_});
        for (std::size_t i = 0; i < emits_.size(); ++i) {
            const auto ago = [&](std::size_t values) {
                return storage.buffer_of[i + 1 - std::min(values, i + 1)];
            };
            emits_[i](program.operations, {ago(0), ago(1), ago(2), ago(3), scratch});
        }
        return program;
    }

  private:
    ArrayUse use_;
    std::vector<Index> bytes_;
    std::vector<StepNeeds> needs_;
    std::vector<Emit> emits_;
    Index scratch_bytes_ = 0;
};

/// Whether a task may write where it reads: every element of the result lies where the line it
/// comes from does. For real data complex numbers then cover pairs of real ones.
bool fits_in_place(const FftTask& task) {
    const Index from_unit = task.kind == Kind::c2r ? 2 : 1;
    const Index to_unit = task.kind == Kind::r2c ? 2 : 1;
    const auto same = [&](Index from, Index to) { return from * from_unit == to * to_unit; };
    const auto fits = [&](const Loop& loop) {
        return loop.extent == 1 || same(loop.from, loop.to);
    };
    if (!same(task.from_offset, task.to_offset)) return false;
    if (!std::all_of(task.looped.begin(), task.looped.end(), fits)) return false;
    if (task.kind == Kind::c2c) {
        return std::all_of(task.transformed.begin(), task.transformed.end(), fits);
    }
    const Loop& halved = task.transformed.back();
    return std::all_of(task.transformed.begin(), task.transformed.end() - 1, fits) &&
           (halved.extent == 1 || (halved.from == 1 && halved.to == 1));
}

/// The reals of a rank's elements, as few runs as they make.
std::vector<Slice> real_slices(const Layout& layout, int rank) {
    const Index width = layout.scalar.complex ? 2 : 1;
    std::vector<Slice> result;
    for (const StoredBox& stored : layout.stored(rank)) {
        Slice all = slice_of(stored.box, stored, layout.format.order);
        all.offset *= width;
        for (Run& run : all.runs) run.stride *= width;
        if (width == 2) all.runs.push_back({2, 1});
        result.push_back({all.offset, {}});
        std::vector<Run>& runs = result.back().runs;
        for (const Run& run : all.runs) {
            if (run.extent == 1) continue;
            if (!runs.empty() && runs.back().stride == run.extent * run.stride) {
                runs.back() = {runs.back().extent * run.extent, run.stride};
            } else {
                runs.push_back(run);
            }
        }
    }
    return result;
}

/// Adds what one stage does on one rank to the chain.
class StageLowering {
  public:
    StageLowering(const Plan& plan, const Circumstances& circumstances, const ArrayUse& use,
                  int rank, int stage, Chain& chain)
        : plan_(plan),
          topology_(circumstances.topology),
          direct_(circumstances.shown_output && stores_in_outputs(plan, circumstances.topology)),
          use_(use),
          alone_(plan.stages.size() == 1),
          chunk_(plan.choice.chunk),
          rank_(rank),
          stage_(stage),
          chain_(chain),
          from_(plan.at[static_cast<std::size_t>(stage)]),
          to_(plan.at[static_cast<std::size_t>(stage) + 1]) {}

    void operator()(const TransformStage& transform) {
        if (fused_at(stage_ - 1) || fused_at(stage_ + 1)) return add_fused();
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

    void operator()(const MoveStage& move) {
        if (fused_at(stage_)) return add_fused_move();
        const MoveTasks tasks =
            move_tasks(from_, to_, move, chunk_, rank_, use_.in_place && alone_);
        const Index unit = from_.scalar.bytes();
        if (tasks.packs) {
            chain_.add(tasks.steps.front().source * unit, {}, emit_copies(tasks.pack));
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
    /// The buffer of each FusedPlace of this rank; -1: it is not used.
    using FusedBuffers = std::array<int, first_peer_place>;
    using FusedWork = std::function<void(std::vector<Operation>&, const FusedBuffers&)>;

    [[nodiscard]] bool fused_at(int stage) const {
        return stage >= 0 && is_fused(plan_, static_cast<std::size_t>(stage));
    }
    /// The move of that stage if it is one without packing.
    [[nodiscard]] std::optional<FusedMove> fused_move(int stage) const {
        if (!fused_at(stage)) return std::nullopt;
        return FusedMove(plan_, static_cast<std::size_t>(stage), rank_, topology_);
    }

    [[nodiscard]] bool is_direct(int stage) const {
        return direct_ && stage + 1 == static_cast<int>(plan_.stages.size());
    }

    /// Reads what the move before has brought, or writes what the next one takes along, or both.
    void add_fused() {
        const std::optional<FusedMove> before = fused_move(stage_ - 1);
        if (is_direct(stage_ + 1)) return add_direct(before);
        const std::optional<FusedMove> next = fused_move(stage_ + 1);
        FusedEnds ends;
        if (before) ends.from = before->read();
        if (next) ends.to = next->written();
        const std::vector<int> peers = before ? before->peers() : std::vector<int>{};
        const std::vector<FusedOp> passes = passes_between(ends, peers, {});
        add_between(before, next, stage_ + 1,
                    [passes, stage = stage_](std::vector<Operation>& operations,
                                             const FusedBuffers& buffers) {
                        append_passes(operations, stage, passes, buffers);
                    });
    }

    [[nodiscard]] std::vector<FusedOp> passes_between(const FusedEnds& ends,
                                                      const std::vector<int>& peers,
                                                      const std::vector<int>& readers) {
        std::vector<FusedOp> passes =
            fused_transform(plan_, static_cast<std::size_t>(stage_), rank_, ends, peers, readers);
        for (const FusedOp& pass : passes) {
            chain_.need_scratch(pass.scratch_bytes * plan_.choice.threads);
        }
        return passes;
    }

    /// The transform before a last move that stores in the readers' output arrays. These are
    /// offered when nothing is read or kept there any longer, and claimed back once all have
    /// written.
    void add_direct(const std::optional<FusedMove>& before) {
        const DirectMove move(plan_, static_cast<std::size_t>(stage_) + 1, rank_);
        const std::vector<int> peers = before ? before->peers() : std::vector<int>{};
        FusedEnds ends;
        if (before) ends.from = before->read();
        ends.to = move.written(first_peer_place + static_cast<int>(peers.size()));
        const std::vector<FusedOp> passes = passes_between(ends, peers, move.readers());
        StepNeeds needs;
        needs.output = true;
        const Layout& last = plan_.at.back();
        chain_.add(last.bytes(rank_), needs,
                   [=, offers = move.offers(), reads = before.has_value(), stage = stage_](
                       std::vector<Operation>& operations, const Places& places) {
                       const std::size_t offer = operations.size();
                       append(operations, stage + 1, PostOp{offers, places.to, -1});
                       const std::size_t post = reads ? append_drain(operations, offer) : 0;
                       append(operations, stage + 1, DrainOp{offer});
                       FusedBuffers buffers{};
                       buffers.fill(-1);
                       buffers[source_place] = places.from;
                       buffers[target_place] = places.to;
                       buffers[scratch_place] = places.scratch;
                       append_passes(operations, stage, passes, buffers);
                       if (reads) append(operations, operations[post].stage, ReleaseOp{post});
                       append(operations, stage + 1, ReleaseOp{offer});
                       append(operations, stage + 1, ClaimOp{places.to});
                   });
    }

    static void append_passes(std::vector<Operation>& operations, int stage,
                              const std::vector<FusedOp>& passes, const FusedBuffers& buffers) {
        for (FusedOp pass : passes) {
            for (Place& place : pass.places) {
                place.buffer = buffers[static_cast<std::size_t>(place.buffer)];
            }
            append(operations, stage, pass);
        }
    }

    /// What the stages beside it do not do: it copies what no transform has made to where it is
    /// read or sent, and from there what no transform reads.
    void add_fused_move() {
        if (is_direct(stage_)) return;
        const FusedMove move = *fused_move(stage_);
        const auto transforms = [&](int stage) {
            return stage >= 0 && stage < static_cast<int>(plan_.stages.size()) &&
                   std::holds_alternative<TransformStage>(
                       plan_.stages[static_cast<std::size_t>(stage)]);
        };
        const auto copies_between = [&](const std::vector<PlacedCopies>& all, bool in) {
            return [=, peers = move.peers(), stage = stage_](std::vector<Operation>& operations,
                                                             const FusedBuffers& buffers) {
                for (const auto& [number, copies] : all) {
                    const bool own = number < first_peer_place;
                    const auto place = static_cast<std::size_t>(own ? number : source_place);
                    const int from = in ? buffers[source_place] : buffers[place];
                    const int to = in ? buffers[place] : buffers[target_place];
                    const int peer =
                        own ? -1 : peers[static_cast<std::size_t>(number - first_peer_place)];
                    for (const CopyTask& copy : copies) {
                        append(operations, stage, CopyOp{copy, from, to, peer});
                    }
                }
            };
        };
        if (!transforms(stage_ - 1)) {
            add_between(std::nullopt, move, stage_, copies_between(move.copies_in(), true));
        }
        if (!transforms(stage_ + 1)) {
            add_between(move, std::nullopt, stage_, copies_between(move.copies_out(), false));
        }
    }

    /// `work` between two moves without packing, of which there is at least one: it reads what the
    /// one before has brought and writes what the next one, stage number `next_stage`, takes along.
    void add_between(const std::optional<FusedMove>& before, const std::optional<FusedMove>& next,
                     int next_stage, const FusedWork& work) {
        const bool reads = before && before->window() != -1;
        const bool arrived = before && before->sends();
        const bool shows = next && next->window() != -1;
        const bool sends = next && next->sends();
        StepNeeds needs;
        Index bytes = to_.bytes(rank_);
        if (next) {
            needs.window = next->window();
            bytes = next->written_bytes();
        }
        if (sends) {
            // What stays with this rank is written to where the messages will land: both values are
            // made by one step, and lie apart from what it reads.
            chain_.add(bytes, needs, emit_nothing());
            needs = {};
            needs.reads_second = true;
            bytes = next->landed_bytes();
        }
        chain_.add(bytes, needs, [=](std::vector<Operation>& operations, const Places& places) {
            const std::array<int, 4> newest = {places.to, places.from, places.second, places.third};
            std::size_t ago = 0;
            FusedBuffers buffers{};
            buffers.fill(-1);
            buffers[scratch_place] = places.scratch;
            if (sends) buffers[landing_place] = newest[ago++];
            buffers[target_place] = newest[ago++];
            if (arrived) buffers[arrived_place] = newest[ago++];
            if (reads || !before) buffers[source_place] = newest[ago];
            const std::size_t post = reads ? append_drain(operations, operations.size()) : 0;
            if (shows) append(operations, next_stage, ClaimOp{buffers[target_place]});
            work(operations, buffers);
            if (shows) {
                append(operations, next_stage, PostOp{next->reading(), buffers[target_place], -1});
            }
            if (reads) append(operations, operations[post].stage, ReleaseOp{post});
            if (!sends) return;
            const std::size_t sent = operations.size();
            append(operations, next_stage,
                   PostOp{next->messages(), buffers[target_place], buffers[landing_place]});
            append(operations, next_stage, DrainOp{sent});
        });
    }

    /// Of the window that was posted last before operation `end`; returns the number of the post.
    static std::size_t append_drain(std::vector<Operation>& operations, std::size_t end) {
        const auto of_window = [&](std::size_t number) {
            const auto* post = std::get_if<PostOp>(&operations[number].what);
            return post != nullptr && post->task.window != -1;
        };
        std::size_t post = end - 1;
        while (!of_window(post)) --post;
        append(operations, operations[post].stage, DrainOp{post});
        return post;
    }

    [[nodiscard]] bool fits(const TransformStage& transform) const {
        const std::vector<FftTask> tasks = fft_tasks(transform, from_, to_);
        return std::all_of(tasks.begin(), tasks.end(), fits_in_place);
    }

    void add_transform(const TransformStage& transform, const Layout& from, const Layout& to) {
        const std::vector<FftTask> tasks = fft_tasks(transform, from, to);
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
        const std::vector<StoredBox> from = from_.stored(rank_);
        const std::vector<StoredBox> to = copied.stored(rank_);
        const std::vector<int>& order = copied.format.order;
        std::vector<CopyTask> copies;
        for (std::size_t i = 0; i < from.size(); ++i) {
            copies.push_back(copy_task(slice_of(from[i].box, from[i], order),
                                       slice_of(to[i].box, to[i], order), from_.scalar.bytes()));
        }
        chain_.add(copied.bytes(rank_), {}, emit_copies(copies));
    }

    /// One task for each box of the rank.
    [[nodiscard]] std::vector<FftTask> fft_tasks(const TransformStage& transform,
                                                 const Layout& from, const Layout& to) const {
        const std::vector<StoredBox> sources = from.stored(rank_);
        const std::vector<StoredBox> targets = to.stored(rank_);
        std::vector<FftTask> tasks;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            tasks.push_back(fft_task(transform, from_.scalar.precision, sources[i], targets[i],
                                     from.format.order));
        }
        return tasks;
    }

    static void append_copies(std::vector<Operation>& operations, int stage,
                              const std::vector<CopyTask>& copies, int from, int to) {
        for (const CopyTask& copy : copies) append(operations, stage, CopyOp{copy, from, to});
    }

    [[nodiscard]] Chain::Emit emit_copies(const std::vector<CopyTask>& copies) const {
        const int stage = stage_;
        return [stage, copies](std::vector<Operation>& operations, const Places& places) {
            append_copies(operations, stage, copies, places.from, places.to);
        };
    }

    static Chain::Emit emit_nothing() {
        return [](std::vector<Operation>&, const Places&) {};
    }

    /// What goes past the values between source and target.
    [[nodiscard]] Chain::Emit emit_past(const std::vector<CopyTask>& copies, bool past_both) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            const int source = past_both ? places.third : places.second;
            append_copies(operations, stage, copies, source, places.to);
        };
    }

    /// Window by window; what is kept is copied beside the first.
    [[nodiscard]] Chain::Emit emit_exchange(const MoveStep& step, const Chain::Emit& past) const {
        return [=, stage = stage_](std::vector<Operation>& operations, const Places& places) {
            for (const Window& window : step.windows) {
                const std::size_t post = operations.size();
                append(operations, stage, PostOp{window.exchange, places.from, places.to});
                if (&window == &step.windows.front()) {
                    append_copies(operations, stage, step.kept, places.from, places.to);
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
                    append_copies(operations, stage, step.kept, places.second, places.from);
                    append_copies(operations, stage, step.kept_onward, places.from, places.to);
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
            append_copies(operations, stage, step.kept_onward, places.from, places.to);
            for (const Window& window : step.windows) {
                append_onward(operations, stage, window, places);
            }
            past(operations, places);
        };
    }

    static void append_onward(std::vector<Operation>& operations, int stage, const Window& window,
                              const Places& places) {
        for (const auto& copies : window.onward) {
            append_copies(operations, stage, copies, places.from, places.to);
        }
    }

    const Plan& plan_;
    const Topology& topology_;
    bool direct_;  ///< the last move stores in the readers' output arrays
    ArrayUse use_;
    bool alone_;  ///< the plan has no other stage
    Index chunk_;
    int rank_;
    int stage_;
    Chain& chain_;
    const Layout& from_;
    const Layout& to_;
};

void add_scale(const Plan& plan, int rank, Chain& chain) {
    const Layout& last = plan.at.back();
    const double factor = plan.scale();
    if (factor == 1) return;
    const int stage = static_cast<int>(plan.stages.size()) - 1;
    const Precision precision = last.scalar.precision;
    const std::vector<Slice> slices = real_slices(last, rank);
    chain.add(last.bytes(rank), {true, true},
              [=](std::vector<Operation>& operations, const Places& places) {
                  for (const Slice& slice : slices) {
                      append(operations, stage,
                             ScaleOp{precision, slice, factor, places.from, places.to});
                  }
              });
}

}  // namespace

bool stores_in_outputs(const Plan& plan, const Topology& topology) {
    const std::size_t stages = plan.stages.size();
    if (stages < 2 || !topology.one_node() || !reads_windows(plan, stages - 1)) return false;
    if (!std::holds_alternative<TransformStage>(plan.stages[stages - 2])) return false;
    // What the transform reads must not lie in the arrays that are written.
    return stages == 2 ? !plan.problem.in_place : reads_windows(plan, stages - 3);
}

Program lower(const Plan& plan, int rank, const Circumstances& circumstances) {
    const ArrayUse use = array_use(plan);
    Chain chain(plan.at.front().bytes(rank), use);
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        StageLowering lowering(plan, circumstances, use, rank, static_cast<int>(i), chain);
        std::visit(lowering, plan.stages[i]);
    }
    add_scale(plan, rank, chain);
    Program program = chain.program(rank);
    const bool direct =
        circumstances.shown_output && stores_in_outputs(plan, circumstances.topology);
    for (BufferSpec& buffer : program.buffers) {
        buffer.shown = direct && (buffer.role == Role::output || buffer.role == Role::both);
    }
    return program;
}

}  // namespace weft::core
