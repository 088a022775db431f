#include "fft/kept_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "fft/native/engine.hpp"
#include "fft/whole_side.hpp"

namespace weft::core {

namespace {

template <class T>
class KeptTiles : public TilePlan {
  public:
    KeptTiles(const FftEngine& engine, const TileTask& task)
        : from_(task.line, task.line.from, task.line.source(), task.line.whole().source_length(),
                task.line.source_length(), task.from, true),
          to_(task.line, task.line.to, task.line.target(), task.line.whole().target_length(),
              task.line.target_length(), task.to, false),
          far_from_(task.caches.far_from),
          stream_(task.caches.stream && to_.has_rows()) {
        TileTask whole = task;
        whole.line = task.line.whole();
        whole.from = from_.lines();
        whole.to = to_.lines();
        // Memory of its own is near, and read again at once.
        whole.caches.far_from = task.caches.far_from && !from_.has_rows();
        whole.caches.far_to = task.caches.far_to && !to_.has_rows();
        whole.caches.stream = task.caches.stream && !stream_;
        plan_ = engine.tiles(whole);
        lines_ = std::min({plan_->lines(), from_.near_lines(), to_.near_lines()});
        from_.allocate(lines_);
        to_.allocate(lines_);
    }

    [[nodiscard]] Index lines() const override { return lines_; }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        const auto writable = [](const std::byte* const* begins) {
            return const_cast<std::byte* const*>(begins);
        };
        std::byte* const* asked = far_from_ ? writable(next) : nullptr;
        plan_->execute(from_.source(writable(from), count, asked), to_.target(to), count,
                       from_.next(writable(next)));
        to_.keep(to, count, stream_);
    }
    void complete() override {
        plan_->complete();
        if (stream_) native::best_kernels<T>().fence();
    }

  private:
    WholeSide<T> from_;
    WholeSide<T> to_;
    bool far_from_;
    bool stream_;  ///< rows are copied past the caches
    Index lines_ = 0;
    std::unique_ptr<TilePlan> plan_;
};

/// A batch in one array, a tile along one of its loops at a time.
class KeptPlan : public FftPlan {
  public:
    KeptPlan(const FftEngine& engine, const FftTask& task)
        : loops_(task.looped),
          from_bytes_(task.line.source().bytes()),
          to_bytes_(task.line.target().bytes()) {
        if (is_empty(task)) return;
        if (loops_.empty()) loops_.push_back({});
        std::stable_sort(loops_.begin(), loops_.end(),
                         [](const Loop& a, const Loop& b) { return goodness(a) < goodness(b); });
        lanes_ = loops_.back();
        loops_.pop_back();
        count_ = count_of(loops_);
        const LineTransform& line = task.line;
        // What is larger than a core's second cache is far from it.
        constexpr Index cache_bytes = Index{1} << 20;
        const Index lines = count_ * lanes_.extent;
        CacheHints caches = task.caches;
        caches.far_from |= lines * line.source_length() * from_bytes_ > cache_bytes;
        caches.far_to |= lines * line.target_length() * to_bytes_ > cache_bytes;
        caches.stream |=
            lines * line.target_length() * to_bytes_ > native::large_bytes && !task.in_place;
        tiles_ =
            kept_tiles(engine, {.line = line,
                                .from = {{0, line.source_length(), task.from_step, lanes_.from}},
                                .to = {{0, line.target_length(), task.to_step, lanes_.to}},
                                .caches = caches});
    }

    void execute(std::byte* from, std::byte* to) override {
        if (tiles_ == nullptr) return;
        const Index most = tiles_->lines();
        Loop begin = begin_of(0);
        for (Index step = 0; step < count_; ++step) {
            const Loop next_begin = begin_of(step + 1);
            for (Index lane = 0; lane < lanes_.extent; lane += most) {
                const std::byte* source = from + begin.from + lane * lanes_.from * from_bytes_;
                std::byte* target = to + begin.to + lane * lanes_.to * to_bytes_;
                const bool within = lane + most < lanes_.extent;
                const std::byte* next =
                    within ? source + most * lanes_.from * from_bytes_ : from + next_begin.from;
                tiles_->execute(&source, &target, std::min(most, lanes_.extent - lane),
                                within || step + 1 < count_ ? &next : nullptr);
            }
            begin = next_begin;
        }
        tiles_->complete();
    }

  private:
    /// Lanes are as many as vectors have, and side by side.
    static std::pair<bool, Index> goodness(const Loop& loop) {
        constexpr Index enough = 8;
        return {loop.extent >= enough, -std::abs(loop.from) - std::abs(loop.to)};
    }
    /// How many bytes from the start of the arrays lines begin in that step of the loops.
    [[nodiscard]] Loop begin_of(Index step) const {
        Loop begin{1, 0, 0};
        for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
            const Index i = step % loop->extent;
            step /= loop->extent;
            begin.from += i * loop->from * from_bytes_;
            begin.to += i * loop->to * to_bytes_;
        }
        return begin;
    }

    std::vector<Loop> loops_;
    Index from_bytes_;
    Index to_bytes_;
    Loop lanes_{};
    Index count_ = 0;
    std::unique_ptr<TilePlan> tiles_;
};

}  // namespace

std::unique_ptr<FftPlan> kept_plan(const FftEngine& engine, const FftTask& task) {
    return std::make_unique<KeptPlan>(engine, task);
}

std::unique_ptr<TilePlan> kept_tiles(const FftEngine& engine, const TileTask& task) {
    if (task.line.precision == Precision::f64) {
        return std::make_unique<KeptTiles<double>>(engine, task);
    }
    return std::make_unique<KeptTiles<float>>(engine, task);
}

}  // namespace weft::core
