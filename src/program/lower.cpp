#include "program/lower.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "exchange/methods.hpp"
#include "exchange/transfers.hpp"
#include "program/storage.hpp"

namespace weft::core {

namespace {

template <class Op>
void append(std::vector<Operation>& operations, int stage, const Op& op) {
    Operation& operation = operations.emplace_back();
    operation.stage = stage;
    operation.what.emplace<Op>(op);
}

/// Collects the steps of a program as a chain of values; buffers are assigned at the end.
class Chain {
  public:
    using Emit = std::function<void(std::vector<Operation>&, int from, int to)>;

    explicit Chain(Index input_bytes) : bytes_{input_bytes} {}

    /// A step that makes a value of `bytes` from the last one.
    void add(Index bytes, bool in_place, Emit emit) {
        bytes_.push_back(bytes);
        needs_.push_back({in_place});
        emits_.push_back(std::move(emit));
    }
    [[nodiscard]] Program program(int rank, bool in_place) const {
        const Storage storage = place_values(bytes_, needs_, in_place);
        Program program{rank, storage.buffers, {}};
        for (std::size_t i = 0; i < emits_.size(); ++i) {
            emits_[i](program.operations, storage.buffer_of[i], storage.buffer_of[i + 1]);
        }
        return program;
    }

  private:
    std::vector<Index> bytes_;
    std::vector<StepNeeds> needs_;
    std::vector<Emit> emits_;
};

/// Adds what one stage does on one rank to the chain.
class StageLowering {
  public:
    StageLowering(const Plan& plan, int rank, int stage, Chain& chain)
        : in_place_(plan.problem.in_place),
          chunk_(plan.choice.chunk),
          rank_(rank),
          stage_(stage),
          chain_(chain),
          from_(plan.at[static_cast<std::size_t>(stage)]),
          to_(plan.at[static_cast<std::size_t>(stage) + 1]),
          from_box_(from_.where.box(rank)),
          to_box_(to_.where.box(rank)) {}

    void operator()(const TransformStage& transform) {
        // Multi-dimensional c2r transforms overwrite their input (FFTW's do, for good reason), so
        // where the input must stay the complex axes go first, into a value of their own.
        if (transform.kind == Kind::c2r && transform.axes.size() > 1 && stage_ == 0) {
            std::vector<int> complex_axes = transform.axes;
            complex_axes.pop_back();
            add_transform({complex_axes, Kind::c2c, transform.sign}, from_.format, from_.format);
            add_transform({{transform.axes.back()}, Kind::c2r, transform.sign}, from_.format,
                          to_.format);
        } else if (in_place_ && from_.format != to_.format) {
            // One array cannot be permuted into itself: transform into work, permute back.
            add_transform(transform, from_.format, from_.format);
            add_permutation();
        } else {
            add_transform(transform, from_.format, to_.format);
        }
    }

    void operator()(const MoveStage& move) {
        const Transfers all = transfers(from_.where, to_.where, rank_);
        // Elements of a message travel in the receiver's order of axes or in the sender's.
        const Format& travel = move.pack == Pack::receiver ? from_.format : to_.format;
        std::vector<Message> sends = messages(all.sends, from_box_, from_.format, travel);
        std::vector<Message> receives = messages(all.receives, to_box_, to_.format, travel);
        const bool packed = method(move.via).packed;
        const bool pack = packed && !all_contiguous(sends);
        const bool unpack = packed && !all_contiguous(receives);
        if (pack) {
            const std::vector<Message> packed_sends = dense(sends);
            chain_.add(from_.bytes(rank_), false, emit_copies(copies(sends, packed_sends)));
            sends = packed_sends;
        }
        std::vector<CopyTask> unpacking;
        if (unpack) {
            const std::vector<Message> packed_receives = dense(receives);
            unpacking = copies(packed_receives, receives);
            receives = packed_receives;
        }
        const std::vector<CopyTask> own = take_own_block(sends, receives);
        const ExchangeTask task{move.via,
                                group(from_.where, to_.where, rank_),
                                from_.scalar.bytes(),
                                chunk_,
                                std::max(from_.where.largest(), to_.where.largest()),
                                std::move(sends),
                                std::move(receives)};
        const int stage = stage_;
        chain_.add(to_.bytes(rank_), false,
                   [stage, task, own](std::vector<Operation>& operations, int from, int to) {
                       const std::size_t post = operations.size();
                       append(operations, stage, PostOp{task, from, to});
                       for (const CopyTask& copy : own) {
                           append(operations, stage, CopyOp{copy, from, to});
                       }
                       append(operations, stage, DrainOp{post});
                   });
        if (unpack) chain_.add(to_.bytes(rank_), false, emit_copies(unpacking));
    }

  private:
    void add_transform(const TransformStage& transform, const Format& before, const Format& after) {
        // The complex part of a split c2r keeps the shape of the source.
        const bool keeps_shape = transform.kind == Kind::c2c;
        const Box& to_box = keeps_shape ? from_box_ : to_box_;
        const Index bytes = keeps_shape ? from_.bytes(rank_) : to_.bytes(rank_);
        const FftTask task = fft_task(transform, before, after, to_box);
        const bool same_place = keeps_shape && before == after;
        const int stage = stage_;
        chain_.add(bytes, same_place,
                   [stage, task](std::vector<Operation>& operations, int from, int to) {
                       if (task.looped.empty() && task.transformed.empty()) return;
                       FftTask bound = task;
                       bound.in_place = from == to;
                       bound.may_destroy_input = from != 0;
                       append(operations, stage, TransformOp{bound, from, to});
                   });
    }

    void add_permutation() {
        const Slice from = slice_of(from_box_, from_box_, from_.format, to_.format);
        const Slice to = slice_of(to_box_, to_box_, to_.format, to_.format);
        chain_.add(to_.bytes(rank_), false, emit_copies({copy_task(from, to)}));
    }

    /// Empty for a rank that owns nothing.
    [[nodiscard]] FftTask fft_task(const TransformStage& transform, const Format& before,
                                   const Format& after, const Box& to_box) const {
        FftTask task;
        task.kind = transform.kind;
        task.sign = transform.sign;
        task.precision = from_.scalar.precision;
        if (from_box_.empty()) return task;
        const auto from_strides = strides(before, from_box_);
        const auto to_strides = strides(after, to_box);
        const auto loop = [&](int axis, Index extent) {
            const auto a = static_cast<std::size_t>(axis);
            return Loop{extent, from_strides[a], to_strides[a]};
        };
        for (const int axis : transform.axes) {
            // The logical length of a halved axis is that of the real side.
            task.transformed.push_back(
                loop(axis, std::max(from_box_.extent(axis),
                                    keeps_length(transform, axis) ? 0 : to_box.extent(axis))));
        }
        for (const int axis : before.order) {
            if (std::count(transform.axes.begin(), transform.axes.end(), axis) != 0) continue;
            task.looped.push_back(loop(axis, from_box_.extent(axis)));
        }
        return task;
    }

    static bool keeps_length(const TransformStage& transform, int axis) {
        return transform.kind == Kind::c2c || axis != transform.axes.back();
    }

    static std::vector<Message> messages(const std::vector<Transfer>& transfers, const Box& stored,
                                         const Format& format, const Format& travel) {
        std::vector<Message> result;
        result.reserve(transfers.size());
        for (const Transfer& transfer : transfers) {
            result.push_back({transfer.peer, slice_of(transfer.box, stored, format, travel)});
        }
        return result;
    }

    static bool all_contiguous(const std::vector<Message>& messages) {
        return std::all_of(messages.begin(), messages.end(),
                           [](const Message& message) { return contiguous(message.slice); });
    }

    /// The same messages laid end to end, elements in the order in which they travel.
    static std::vector<Message> dense(std::vector<Message> messages) {
        Index offset = 0;
        for (Message& message : messages) {
            Index stride = message.slice.count();
            message.slice.offset = offset;
            offset += stride;
            for (Run& run : message.slice.runs) {
                stride /= run.extent;
                run.stride = stride;
            }
        }
        return messages;
    }

    /// From one slice to another with the same extents.
    [[nodiscard]] CopyTask copy_task(const Slice& from, const Slice& to) const {
        CopyTask copy{{}, from_.scalar.bytes(), from.offset, to.offset};
        for (std::size_t i = 0; i < from.runs.size(); ++i) {
            copy.loops.push_back({from.runs[i].extent, from.runs[i].stride, to.runs[i].stride});
        }
        return copy;
    }

    [[nodiscard]] std::vector<CopyTask> copies(const std::vector<Message>& from,
                                               const std::vector<Message>& to) const {
        std::vector<CopyTask> result;
        for (std::size_t i = 0; i < from.size(); ++i) {
            result.push_back(copy_task(from[i].slice, to[i].slice));
        }
        return result;
    }

    /// What a rank keeps is copied from buffer to buffer and never handed to the net.
    [[nodiscard]] std::vector<CopyTask> take_own_block(std::vector<Message>& sends,
                                                       std::vector<Message>& receives) const {
        const auto own = [this](const Message& message) { return message.peer == rank_; };
        const auto source = std::find_if(sends.begin(), sends.end(), own);
        const auto target = std::find_if(receives.begin(), receives.end(), own);
        if (source == sends.end()) return {};
        const CopyTask copy = copy_task(source->slice, target->slice);
        sends.erase(source);
        receives.erase(target);
        return {copy};
    }

    [[nodiscard]] Chain::Emit emit_copies(const std::vector<CopyTask>& copies) const {
        const int stage = stage_;
        return [stage, copies](std::vector<Operation>& operations, int from, int to) {
            for (const CopyTask& copy : copies) {
                append(operations, stage, CopyOp{copy, from, to});
            }
        };
    }

    bool in_place_;
    Index chunk_;
    int rank_;
    int stage_;
    Chain& chain_;
    const Layout& from_;
    const Layout& to_;
    Box from_box_;
    Box to_box_;
};

void add_scale(const Plan& plan, int rank, Chain& chain) {
    const Layout& last = plan.at.back();
    const double factor = plan.scale();
    const Index count = last.count(rank) * (last.scalar.complex ? 2 : 1);
    if (factor == 1 || count == 0) return;
    const int stage = static_cast<int>(plan.stages.size()) - 1;
    const Precision precision = last.scalar.precision;
    chain.add(last.bytes(rank), true, [=](std::vector<Operation>& operations, int from, int to) {
        append(operations, stage, ScaleOp{precision, count, factor, from, to});
    });
}

}  // namespace

Program lower(const Plan& plan, int rank) {
    Chain chain(plan.at.front().bytes(rank));
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        StageLowering lowering(plan, rank, static_cast<int>(i), chain);
        std::visit(lowering, plan.stages[i]);
    }
    add_scale(plan, rank, chain);
    return chain.program(rank, plan.problem.in_place);
}

}  // namespace weft::core
