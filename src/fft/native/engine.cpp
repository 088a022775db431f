// The native engine: tasks axis by axis, each axis as lines.
#include "fft/native/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "fft/kept_lines.hpp"
#include "fft/native/lines/lines.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/reduced_lines.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using native::Kernels;
using native::Lines;

/// What a core's second cache holds, roughly; half of it is for what is worked on.
constexpr Index cache_bytes = Index{1} << 20;
/// What the last cache holds, roughly.
constexpr Index last_cache_bytes = Index{1} << 25;

/// One axis after the other: the first from the source to the destination, the others within the
/// destination; c2r with several axes starts within the source, which it may destroy.
///
/// An array that exceeds the cache is worked on in slices along its slowest axis: all other axes of
/// a slice, then the next slice. If that axis is itself transformed, it comes after (c2r: before)
/// all slices. So memory is passed over twice, not once for each axis.
template <class T>
class NativePlan : public FftPlan {
  public:
    NativePlan(const FftTask& task, const Kernels<T>& kernels) : task_(task), kernels_(kernels) {
        if (is_empty(task_)) return;
        cut();
        const bool begins = task.line.kind == Kind::c2r;
        const Side side = begins ? &Loop::from : &Loop::to;
        auto& before = begins ? before_ : after_;
        auto& around = begins ? slice_before_ : slice_after_;
        if (buffered()) scratch_ = Buffer(slice_bytes());
        for (std::size_t axis = task.complex_axes.size(); axis-- > 0;) {
            if (sliced_axis_ == static_cast<int>(axis)) {
                add_within(axis, side, 0, before);
            } else {
                add_within(axis, side, slice_, around);
            }
        }
        // In place, what is written has just been read and lies in the cache.
        main_ = make_lines<T>(main_task(), kernels);
    }

    /// The lines along the first axis.
    [[nodiscard]] FftTask main_task() const {
        FftTask lines{.line = task_.line,
                      .from_step = task_.from_step,
                      .to_step = task_.to_step,
                      .looped = loops_around_line(slice_)};
        lines.caches.far_from = large_ || task_.caches.far_from;
        lines.caches.far_to =
            (large_ || task_.caches.far_to) && scratch_.bytes() == 0 && !task_.in_place;
        lines.caches.stream =
            (large_ || task_.caches.stream) && slice_after_.empty() && !task_.in_place;
        return lines;
    }

    void execute(std::byte* from, std::byte* to) override {
        if (is_empty(task_)) return;
        T* source = reinterpret_cast<T*>(from);
        T* target = reinterpret_cast<T*>(to);
        const Index from_step = slice_ * sliced_.from * task_.line.source().numbers();
        const Index to_step = slice_ * sliced_.to * task_.line.target().numbers();
        for (const auto& lines : before_) lines->execute(source, source);
        for (Index i = 0; i < sliced_.extent / slice_; ++i) {
            T* slice = source + i * from_step;
            T* result = target + i * to_step;
            T* between = scratch_.bytes() > 0 ? reinterpret_cast<T*>(scratch_.data()) : result;
            for (const auto& lines : slice_before_) lines->execute(slice, slice);
            main_->execute(slice, between);
            for (const auto& lines : slice_after_) {
                lines->execute(between, lines == slice_after_.back() ? result : between);
            }
        }
        for (const auto& lines : after_) lines->execute(target, target);
    }

  private:
    using Side = Index Loop::*;

    /// Chooses the slowest axis and how many of its steps make a slice, if it pays.
    void cut() {
        const Index elements =
            task_.line.length * count_of(task_.complex_axes) * count_of(task_.looped);
        bytes_ = elements * 2 * static_cast<Index>(sizeof(T));
        large_ = bytes_ > native::large_bytes;
        if (bytes_ <= cache_bytes / 2 || task_.complex_axes.empty()) return;
        Loop slowest;
        int axis = -1;
        bool found = false;
        const auto consider = [&](const Loop& loop, int transformed) {
            if (loop.extent == 1 || (found && loop.to <= slowest.to)) return;
            slowest = loop;
            axis = transformed;
            found = true;
        };
        // The sliced axis comes after the others (c2r: before them), which may not be its turn.
        const std::size_t end = task_.complex_axes.size();
        const bool any = !task_.line.reproducible;
        const bool begins = task_.line.kind == Kind::c2r;
        const std::size_t first = any || !begins ? 0 : end - 1;
        for (std::size_t a = first; a < (any || begins ? end : 1); ++a) {
            consider(task_.complex_axes[a], static_cast<int>(a));
        }
        for (const Loop& loop : task_.looped) consider(loop, -1);
        // The other axes of a slice need lines enough to fill tiles. Its source and its result
        // are in the cache together.
        const Index step_bytes = bytes_ / slowest.extent * (task_.in_place ? 1 : 2);
        const Index lines = elements / slowest.extent / task_.line.length;
        Index slice = slowest.extent;
        for (Index size = 1; size < slowest.extent; ++size) {
            if (slowest.extent % size != 0) continue;
            if (size > 1 && size * step_bytes > cache_bytes / 2) break;
            if (size * lines >= 2 * kernels_.lanes) slice = size;
        }
        if (slice == slowest.extent) return;
        sliced_ = slowest;
        sliced_axis_ = axis;
        slice_ = slice;
    }

    /// Whether slices lie in a buffer until their last axis is written past the caches, which
    /// takes aligned lanes.
    [[nodiscard]] bool buffered() const {
        const int axis = last_within_slice();
        // The source passes through the last cache as well.
        if (axis < 0 || task_.in_place || 2 * bytes_ <= last_cache_bytes) return false;
        constexpr Index number = 2 * static_cast<Index>(sizeof(T));
        const Index step = task_.complex_axes[static_cast<std::size_t>(axis)].to * number;
        return step % 64 == 0 && slice_bytes() <= cache_bytes;
    }
    /// From the first element of a slice of the result to its last.
    [[nodiscard]] Index slice_bytes() const {
        Index elements = 1 + (task_.line.length - 1) * task_.to_step;
        for (const Loop& loop : loops_around_line(slice_)) elements += (loop.extent - 1) * loop.to;
        return elements * 2 * static_cast<Index>(sizeof(T));
    }
    /// The axis that comes last within a slice, if there are some after the first one.
    [[nodiscard]] int last_within_slice() const {
        if (task_.line.kind == Kind::c2r) return -1;
        for (int axis = 0; axis < static_cast<int>(task_.complex_axes.size()); ++axis) {
            const Index extent = task_.complex_axes[static_cast<std::size_t>(axis)].extent;
            if (axis != sliced_axis_ && extent > 1) return axis;
        }
        return -1;
    }

    /// All loops but those along complex axis number `without` and along the line. Of the sliced
    /// loop `slice` steps, or all of them for 0.
    [[nodiscard]] std::vector<Loop> loops_around(std::optional<std::size_t> without,
                                                 Index slice) const {
        std::vector<Loop> loops;
        const auto add = [&](const Loop& loop, bool cut) {
            loops.push_back(loop);
            if (cut && slice > 0) loops.back().extent = slice;
        };
        bool cut_loop = sliced_.extent > 1 && sliced_axis_ < 0;
        for (const Loop& loop : task_.looped) {
            const bool cut = cut_loop && loop == sliced_;
            add(loop, cut);
            if (cut) cut_loop = false;
        }
        for (std::size_t axis = 0; axis < task_.complex_axes.size(); ++axis) {
            if (axis == without) continue;
            add(task_.complex_axes[axis], static_cast<int>(axis) == sliced_axis_);
        }
        return loops;
    }
    [[nodiscard]] std::vector<Loop> loops_around_line(Index slice) const {
        return loops_around(std::nullopt, slice);
    }

    /// A complex axis in place, in the array that `side` describes.
    void add_within(std::size_t axis, Side side, Index slice,
                    std::vector<std::unique_ptr<Lines<T>>>& list) {
        const auto within = [&](const Loop& loop) {
            return Loop{loop.extent, loop.*side, loop.*side};
        };
        FftTask task{.line = task_.line};
        task.line.kind = Kind::c2c;
        task.set_axes({within(task_.complex_axes[axis])});
        if (task.line.length == 1) return;
        task.caches.far_from = large_ && slice == 0;
        task.caches.stream = scratch_.bytes() > 0 && static_cast<int>(axis) == last_within_slice();
        for (const Loop& loop : loops_around(axis, slice)) task.looped.push_back(within(loop));
        Loop line = within(task_.line_axis());
        line.extent = task_.line.complex_length();
        task.looped.push_back(line);
        list.push_back(make_lines<T>(task, kernels_));
    }

    FftTask task_;
    const Kernels<T>& kernels_;
    Index bytes_ = 0;       ///< of the larger side, complex
    bool large_ = false;    ///< more than the caches hold
    Loop sliced_;           ///< by default all is one slice
    int sliced_axis_ = -1;  ///< if it is a transformed one
    Index slice_ = 1;
    Buffer scratch_;  ///< of a slice
    std::vector<std::unique_ptr<Lines<T>>> before_;
    std::vector<std::unique_ptr<Lines<T>>> slice_before_;
    std::unique_ptr<Lines<T>> main_;
    std::vector<std::unique_ptr<Lines<T>>> slice_after_;
    std::vector<std::unique_ptr<Lines<T>>> after_;
};

}  // namespace

template <class T>
std::unique_ptr<FftPlan> native::make_plan(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind == Kind::r2r && !takes_real_to_real(task, kernels)) return nullptr;
    return std::make_unique<NativePlan<T>>(task, kernels);
}

template std::unique_ptr<FftPlan> native::make_plan(const FftTask&, const Kernels<float>&);
template std::unique_ptr<FftPlan> native::make_plan(const FftTask&, const Kernels<double>&);

namespace {

/// Why the first axis's complex lines are transformed as they are.
template <class T>
std::string why_lines(const FftTask& task) {
    const auto& kernels = native::best_kernels<T>();
    return native::why_lines<T>(NativePlan<T>(task, kernels).main_task(), kernels);
}

class NativeEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "native"; }

    [[nodiscard]] std::string description() const override {
        return fmt::format("vectors of {}", native_instruction_set());
    }

    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        if (!task.line.is_whole()) return kept_plan(*this, task);
        auto plan = task.line.precision == Precision::f64
                        ? native::make_plan(task, native::best_kernels<double>())
                        : native::make_plan(task, native::best_kernels<float>());
        return plan != nullptr ? std::move(plan) : reduced_plan(*this, task, effort);
    }

    [[nodiscard]] std::string why(const FftTask& task) const override {
        if (task.line.kind != Kind::c2c || is_empty(task)) return {};
        return task.line.precision == Precision::f64 ? why_lines<double>(task)
                                                     : why_lines<float>(task);
    }

    void learn(Precision precision, std::span<const Index> lengths, double seconds) const override {
        precision == Precision::f64 ? native::learn_fastest<double>(lengths, seconds)
                                    : native::learn_fastest<float>(lengths, seconds);
    }
    [[nodiscard]] std::string export_wisdom() const override { return native::learned_text(); }
    [[nodiscard]] bool import_wisdom(const std::string& text) const override {
        return native::learn_text(text);
    }

    [[nodiscard]] std::unique_ptr<TilePlan> tiles(const TileTask& task) const override {
        if (!task.line.is_whole()) return kept_tiles(*this, task);
        if (task.line.length > native::longest_tile) {
            return task.line.kind == Kind::r2r ? reduced_tiles(*this, task)
                                               : FftEngine::tiles(task);
        }
        if (task.line.precision == Precision::f64) {
            return native::make_tiles(task, native::best_kernels<double>());
        }
        return native::make_tiles(task, native::best_kernels<float>());
    }
};

}  // namespace

std::string native_instruction_set() { return native::best_kernels<double>().target; }

const FftEngine& native_engine() {
    static const NativeEngine engine;
    return engine;
}

}  // namespace weft::core
