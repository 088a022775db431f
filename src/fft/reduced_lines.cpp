#include "fft/reduced_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "fft/reduction.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

namespace {

/// Elements of lines side by side: element e of line l at e*step + l.
template <class T>
struct Rows {
    T* first;
    Index step;
    [[nodiscard]] T* at(Index element) const { return first + element * step; }
};

/// How many lines are transformed together, so that they stay in a core's second cache.
Index lines_together(const Reduction& reduction, Index element_bytes, Index lines) {
    constexpr Index cache_bytes = Index{1} << 18;
    constexpr Index most = 64;
    constexpr Index vector = 16;  // elements of the widest vectors, or a multiple
    const auto numbers = static_cast<Index>(reduction.before.size() + 3 * reduction.after.size());
    Index result = std::clamp<Index>(cache_bytes / (numbers * element_bytes), 1, most);
    if (result > vector) result = result / vector * vector;
    return std::min(result, std::max<Index>(lines, 1));
}

/// `lanes` lines at a time: what the DFT reads is made of rows, then the DFT runs over all lanes,
/// then rows are made of what it wrote.
template <class T>
class ReducedLines {
  public:
    ReducedLines(const FftEngine& engine, const LineTransform& line, Index lines, Effort effort)
        : reduction_(reduction_of(line.axis, line.length, line.precision)),
          lanes_(lines_together(reduction_, sizeof(T), lines)),
          source_(bytes(reduction_.dft.source_length(), reduction_.dft.source())),
          target_(bytes(reduction_.dft.target_length(), reduction_.dft.target())) {
        std::memset(source_.data(), 0, static_cast<std::size_t>(source_.bytes()));
        LineTransform dft = reduction_.dft;
        dft.reproducible = line.reproducible;
        const FftTask task{.line = dft,
                           .from_step = lanes_,
                           .to_step = lanes_,
                           .looped = {{lanes_, 1, 1}},
                           .may_destroy_input = true};
        plan_ = engine.plan(task, effort, source_.data(), target_.data());
    }

    [[nodiscard]] Index lanes() const { return lanes_; }

    /// `count` lines, at most lanes(). Everything is read before anything is written.
    void run(const Rows<const T>& from, const Rows<T>& to, Index count) {
        const bool complex = reduction_.dft.source().complex;
        T* source = reinterpret_cast<T*>(source_.data());
        if (complex) {
            for (std::size_t i = 0; i < reduction_.before.size(); i += 2) {
                fill_complex(reduction_.before[i], reduction_.before[i + 1], from,
                             source + static_cast<Index>(i) * lanes_, count);
            }
        } else {
            for (std::size_t i = 0; i < reduction_.before.size(); ++i) {
                const TwoTerms& terms = reduction_.before[i];
                fill(from.at(terms.first), static_cast<T>(terms.a),
                     source + static_cast<Index>(i) * lanes_, count);
            }
        }
        plan_->execute(source_.data(), target_.data());
        const T* target = reinterpret_cast<const T*>(target_.data());
        const bool from_complex = reduction_.dft.target().complex;
        for (std::size_t k = 0; k < reduction_.after.size(); ++k) {
            const TwoTerms& terms = reduction_.after[k];
            T* row = to.at(static_cast<Index>(k));
            if (from_complex) {
                take_complex(terms, target, row, count);
            } else {
                fill(target + terms.first * lanes_, static_cast<T>(terms.a), row, count);
            }
        }
    }

  private:
    [[nodiscard]] Index bytes(Index length, const Scalar& scalar) const {
        return length * lanes_ * scalar.bytes();
    }

    static void fill(const T* row, T factor, T* result, Index count) {
        for (Index l = 0; l < count; ++l) result[l] = factor * row[l];
    }
    /// Both terms of the real part and of the imaginary part are of the same two rows.
    static void fill_complex(const TwoTerms& re, const TwoTerms& im, const Rows<const T>& from,
                             T* result, Index count) {
        const T* first = from.at(re.first);
        const T* second = from.at(re.second);
        const T re_a = static_cast<T>(re.a);
        const T re_b = static_cast<T>(re.b);
        const T im_a = static_cast<T>(im.a);
        const T im_b = static_cast<T>(im.b);
        for (Index l = 0; l < count; ++l) {
            const T x = first[l];
            const T y = second[l];
            result[2 * l] = re_a * x + re_b * y;
            result[2 * l + 1] = im_a * x + im_b * y;
        }
    }
    /// Both terms are of one complex number, or there is only one.
    void take_complex(const TwoTerms& terms, const T* target, T* row, Index count) const {
        const T* numbers = target + terms.first / 2 * 2 * lanes_;
        const bool imaginary = terms.first % 2 != 0;
        const T re = static_cast<T>(imaginary ? terms.b : terms.a);
        const T im = static_cast<T>(imaginary ? terms.a : terms.b);
        for (Index l = 0; l < count; ++l) row[l] = re * numbers[2 * l] + im * numbers[2 * l + 1];
    }

    Reduction reduction_;
    Index lanes_;
    Buffer source_;
    Buffer target_;
    std::unique_ptr<FftPlan> plan_;
};

/// One axis: its lines in the order of the loops, the shortest steps innermost.
template <class T>
class AxisPlan : public FftPlan {
  public:
    AxisPlan(const FftEngine& engine, const FftTask& task, Effort effort)
        : task_(task), loops_(sorted(task.looped)), count_(lines_of(loops_)) {
        if (is_empty(task)) return;
        reduced_.emplace(engine, task.line, count_, effort);
        rows_ = Buffer(task.line.length * reduced_->lanes() * static_cast<Index>(sizeof(T)));
        from_.resize(static_cast<std::size_t>(reduced_->lanes()));
        to_.resize(from_.size());
    }

    void execute(std::byte* from, std::byte* to) override {
        if (!reduced_) return;
        const Index lanes = reduced_->lanes();
        for (Index begin = 0; begin < count_; begin += lanes) {
            const Index count = std::min(lanes, count_ - begin);
            for (Index l = 0; l < count; ++l) place(begin + l, static_cast<std::size_t>(l));
            run(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to), count);
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
    static Index lines_of(const std::vector<Loop>& loops) {
        Index lines = 1;
        for (const Loop& loop : loops) lines *= loop.extent;
        return lines;
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
        for (std::size_t l = 1; l < static_cast<std::size_t>(count); ++l) {
            if (begins[l] != begins[l - 1] + 1) return false;
        }
        return true;
    }

    /// The lines that are noted.
    void run(const T* from, T* to, Index count) {
        const Index lanes = reduced_->lanes();
        const Index n = task_.line.length;
        T* rows = reinterpret_cast<T*>(rows_.data());
        Rows<const T> source{from + from_.front(), task_.from_step};
        Rows<T> target{to + to_.front(), task_.to_step};
        if (!side_by_side(from_, count)) {
            for (Index e = 0; e < n; ++e) {
                const T* element = from + e * task_.from_step;
                T* row = rows + e * lanes;
                for (Index l = 0; l < count; ++l)
                    row[l] = element[from_[static_cast<std::size_t>(l)]];
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
            for (Index l = 0; l < count; ++l) element[to_[static_cast<std::size_t>(l)]] = row[l];
        }
    }

    FftTask task_;
    std::vector<Loop> loops_;
    Index count_;
    std::optional<ReducedLines<T>> reduced_{};
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
    ReducedLines<T> reduced_;
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
