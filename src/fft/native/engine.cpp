// The native engine: tasks axis by axis, each axis as lines.
#include "fft/engine.hpp"

#include <algorithm>

#include "fft/native/lines.hpp"

namespace weft::core {

namespace {

using native::Kernels;
using native::Lines;
using native::LinesTask;

/// One axis after the other: the first from the source to the destination, the others within the
/// destination; c2r with several axes starts within the source, which it may destroy.
template <class T>
class NativePlan : public FftPlan {
  public:
    NativePlan(const FftTask& task, const Kernels<T>& kernels) : task_(task) {
        const std::size_t last = task.transformed.size() - 1;
        if (empty()) return;
        if (task.kind == Kind::c2r) {
            for (std::size_t axis = 0; axis < last; ++axis) {
                add_within(axis, &Loop::from, kernels, before_);
            }
            add(last, kernels);
        } else {
            add(last, kernels);
            for (std::size_t axis = last; axis-- > 0;) {
                add_within(axis, &Loop::to, kernels, after_);
            }
        }
    }

    void execute(std::byte* from, std::byte* to) override {
        if (empty()) return;
        T* source = reinterpret_cast<T*>(from);
        T* target = reinterpret_cast<T*>(to);
        for (const auto& lines : before_) lines->execute(source, source);
        main_->execute(source, target);
        for (const auto& lines : after_) lines->execute(target, target);
    }

  private:
    [[nodiscard]] bool empty() const {
        const auto none = [](const Loop& loop) { return loop.extent == 0; };
        return std::any_of(task_.transformed.begin(), task_.transformed.end(), none) ||
               std::any_of(task_.looped.begin(), task_.looped.end(), none);
    }

    /// All loops but one axis; `halved` is the extent of the halved axis among them.
    [[nodiscard]] std::vector<Loop> loops_around(std::size_t axis) const {
        std::vector<Loop> loops = task_.looped;
        for (std::size_t other = 0; other < task_.transformed.size(); ++other) {
            if (other == axis) continue;
            loops.push_back(task_.transformed[other]);
            const bool halved = task_.kind != Kind::c2c && other + 1 == task_.transformed.size();
            if (halved) loops.back().extent = loops.back().extent / 2 + 1;
        }
        return loops;
    }

    void add(std::size_t axis, const Kernels<T>& kernels) {
        main_ = make_lines<T>({task_.kind, task_.sign, task_.transformed[axis], loops_around(axis)},
                              kernels);
    }

    /// A complex axis in place, in the array that `side` describes.
    void add_within(std::size_t axis, Index Loop::*side, const Kernels<T>& kernels,
                    std::vector<std::unique_ptr<Lines<T>>>& list) {
        const auto within = [&](const Loop& loop) {
            return Loop{loop.extent, loop.*side, loop.*side};
        };
        LinesTask task{Kind::c2c, task_.sign, within(task_.transformed[axis]), {}};
        if (task.line.extent == 1) return;
        for (const Loop& loop : loops_around(axis)) task.loops.push_back(within(loop));
        list.push_back(make_lines<T>(task, kernels));
    }

    FftTask task_;
    std::vector<std::unique_ptr<Lines<T>>> before_;
    std::unique_ptr<Lines<T>> main_;
    std::vector<std::unique_ptr<Lines<T>>> after_;
};

class NativeEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "native"; }

    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort /*effort*/,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        if (task.precision == Precision::f64) {
            return std::make_unique<NativePlan<double>>(task,
                                                        *native::all_kernels<double>().front());
        }
        return std::make_unique<NativePlan<float>>(task, *native::all_kernels<float>().front());
    }
};

}  // namespace

const FftEngine& native_engine() {
    static const NativeEngine engine;
    return engine;
}

}  // namespace weft::core
