#include "fft/reduced_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/index.hpp"
#include "fft/reduced_lanes.hpp"
#include "fft/reduction.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

namespace {

/// One axis: its lines in the order of the loops, the shortest steps innermost.
template <class T>
class AxisPlan : public FftPlan {
  public:
    AxisPlan(const FftEngine& engine, const FftTask& task, Effort effort)
        : task_(task), loops_(sorted(task.looped)), count_(count_of(loops_)) {
        if (is_empty(task)) return;
        reduced_.emplace(engine, task.line, count_, effort);
        rows_ = Buffer(task.line.length * reduced_->lanes() * static_cast<Index>(sizeof(T)));
        from_.resize(usize(reduced_->lanes()));
        to_.resize(from_.size());
    }

    void execute(std::byte* from, std::byte* to) override {
        if (!reduced_) return;
        const Index lanes = reduced_->lanes();
        for (Index begin = 0; begin < count_; begin += lanes) {
            const Index count = std::min(lanes, count_ - begin);
            for (Index l = 0; l < count; ++l) place(begin + l, usize(l));
            run_noted(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to), count);
        }
    }

  private:
    static std::vector<Loop> sorted(std::vector<Loop> loops) {
        std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
            const auto reach = [](const Loop& loop) {
                return std::max(std::abs(loop.from), std::abs(loop.to));
            };
            return reach(a) > reach(b);
        });
        return loops;
    }
    /// Where line number `line` begins, noted as that of a lane.
    void place(Index line, std::size_t lane) {
        from_[lane] = to_[lane] = 0;
        for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
            const Index i = line % loop->extent;
            line /= loop->extent;
            from_[lane] += i * loop->from;
            to_[lane] += i * loop->to;
        }
    }
    static bool side_by_side(const std::vector<Index>& begins, Index count) {
        for (std::size_t l = 1; l < usize(count); ++l) {
            if (begins[l] != begins[l - 1] + 1) return false;
        }
        return true;
    }

    /// Transforms the lines that place() has noted.
    void run_noted(const T* from, T* to, Index count) {
        const Index lanes = reduced_->lanes();
        const Index n = task_.line.length;
        T* rows = reinterpret_cast<T*>(rows_.data());
        LaneRows<const T> source{from + from_.front(), task_.from_step};
        LaneRows<T> target{to + to_.front(), task_.to_step};
        if (!side_by_side(from_, count)) {
            for (Index e = 0; e < n; ++e) {
                const T* element = from + e * task_.from_step;
                T* row = rows + e * lanes;
                for (Index l = 0; l < count; ++l) row[l] = element[from_[usize(l)]];
            }
            source = {rows, lanes};
        }
        const bool scatters = !side_by_side(to_, count);
        if (scatters) target = {rows, lanes};
        reduced_->run(source, target, count);
        if (!scatters) return;
        for (Index e = 0; e < n; ++e) {
            const T* row = rows + e * lanes;
            T* element = to + e * task_.to_step;
            for (Index l = 0; l < count; ++l) element[to_[usize(l)]] = row[l];
        }
    }

    FftTask task_;
    std::vector<Loop> loops_;
    Index count_;
    std::optional<ReducedLanes<T>> reduced_{};
    Buffer rows_{};
    std::vector<Index> from_{};
    std::vector<Index> to_{};
};

/// Several axes, one after the other.
class AxesPlan : public FftPlan {
  public:
    AxesPlan(const FftEngine& engine, const FftTask& task, Effort effort) {
        for (const AxisTask& pass : axis_by_axis(task)) {
            // (The engine may have a way of its own along one axis.)
            passes_.push_back({engine.plan(pass.task, effort, nullptr, nullptr), pass.side});
        }
    }
    void execute(std::byte* from, std::byte* to) override {
        for (const Pass& pass : passes_) {
            pass.plan->execute(pass.side == FftSide::target ? to : from,
                               pass.side == FftSide::source ? from : to);
        }
    }

  private:
    struct Pass {
        std::unique_ptr<FftPlan> plan;
        FftSide side;
    };
    std::vector<Pass> passes_;
};

/// Lines in segments.
template <class T>
class ReducedTiles : public TilePlan {
  public:
    ReducedTiles(const FftEngine& engine, const TileTask& task)
        : task_(task),
          reduced_(engine, task.line, most_lines, Effort::estimate),
          rows_(task.line.length * reduced_.lanes() * static_cast<Index>(sizeof(T))) {}

    [[nodiscard]] Index lines() const override { return reduced_.lanes(); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        T* rows = reinterpret_cast<T*>(rows_.data());
        const Index lanes = reduced_.lanes();
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            const LineSegment& segment = task_.from[i];
            const T* begin = reinterpret_cast<const T*>(from[i]);
            for (Index e = 0; e < segment.extent; ++e) {
                T* row = rows + (segment.first + e) * lanes;
                const T* element = begin + e * segment.step;
                for (Index l = 0; l < count; ++l) row[l] = element[l * segment.lane_step];
            }
        }
        reduced_.run({rows, lanes}, {rows, lanes}, count);
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            const LineSegment& segment = task_.to[i];
            T* begin = reinterpret_cast<T*>(to[i]);
            for (Index e = 0; e < segment.extent; ++e) {
                const T* row = rows + (segment.first + e) * lanes;
                T* element = begin + e * segment.step;
                for (Index l = 0; l < count; ++l) element[l * segment.lane_step] = row[l];
            }
        }
    }

  private:
    static constexpr Index most_lines = 64;
    TileTask task_;
    ReducedLanes<T> reduced_;
    Buffer rows_;
};

}  // namespace

std::unique_ptr<FftPlan> reduced_plan(const FftEngine& engine, const FftTask& task, Effort effort) {
    if (!task.complex_axes.empty()) return std::make_unique<AxesPlan>(engine, task, effort);
    if (task.line.precision == Precision::f64) {
        return std::make_unique<AxisPlan<double>>(engine, task, effort);
    }
    return std::make_unique<AxisPlan<float>>(engine, task, effort);
}

std::unique_ptr<TilePlan> reduced_tiles(const FftEngine& engine, const TileTask& task) {
    if (task.line.precision == Precision::f64) {
        return std::make_unique<ReducedTiles<double>>(engine, task);
    }
    return std::make_unique<ReducedTiles<float>>(engine, task);
}

}  // namespace weft::core
