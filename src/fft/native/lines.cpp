#include "fft/native/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "fft/native/ahead.hpp"
#include "fft/native/real_dft.hpp"

namespace weft::core::native {

namespace {

/// Loops without those of one step, slowest first, those that are one loop joined.
std::vector<Loop> simplified(std::vector<Loop> loops) {
    loops.erase(std::remove_if(loops.begin(), loops.end(),
                               [](const Loop& loop) { return loop.extent == 1; }),
                loops.end());
    std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        return std::pair(std::abs(a.to), std::abs(a.from)) >
               std::pair(std::abs(b.to), std::abs(b.from));
    });
    std::vector<Loop> result;
    result.reserve(loops.size());
    for (const Loop& loop : loops) {
        Loop* last = result.empty() ? nullptr : &result.back();
        if (last != nullptr && last->from == loop.extent * loop.from &&
            last->to == loop.extent * loop.to) {
            *last = {last->extent * loop.extent, loop.from, loop.to};
        } else {
            result.push_back(loop);
        }
    }
    return result;
}

/// How well the steps of a loop serve as lanes: full tiles first, then adjacent ones.
double lane_quality(const Loop& loop, Index lanes) {
    const Index tiles = (loop.extent + lanes - 1) / lanes;
    const double filled = static_cast<double>(loop.extent) / static_cast<double>(tiles * lanes);
    const double adjacent = (loop.from == 1 ? 0.25 : 0) + (loop.to == 1 ? 0.25 : 0);
    return filled + adjacent;
}

Loop take_lane_loop(std::vector<Loop>& loops, Index lanes) {
    if (loops.empty()) return {};
    const auto best =
        std::max_element(loops.begin(), loops.end(), [&](const Loop& a, const Loop& b) {
            return lane_quality(a, lanes) < lane_quality(b, lanes);
        });
    const Loop result = *best;
    loops.erase(best);
    return result;
}

/// body(Range) for portions of `count` elements: what a cache line holds. The last one takes a rest
/// of less than half of that, which is too small to be transposed in registers.
template <class T, class Body>
void for_portions(Index count, const Body& body) {
    constexpr Index portion = 64 / static_cast<Index>(2 * sizeof(T));
    for (Range some; some.end < count; some.first = some.end) {
        some.end += portion;
        if (count - some.end < portion / 2) some.end = count;
        body(some);
    }
}

template <class T>
class ComplexLines : public Lines<T> {
  public:
    ComplexLines(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          dft_(make_tile_dft(kernels, task.line.length)),
          rows_(dft_->rows()),
          input_(kernels, rows_.room()),
          output_(kernels, task.line.length) {
        const Index line_bytes = task.line.length * 2 * static_cast<Index>(sizeof(T));
        const bool worth_it = line_bytes >= 256 && line_bytes * kernels.lanes <= Index{1} << 17;
        if (this->stream_ && task.to_step == 1 && worth_it) {
            lines_ = Tile<T>(kernels, task.line.length);
        }
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return this->kernels_.lanes; }

    /// Lines that are contiguous, neither short nor very long, go past the caches one after the
    /// other.
    void tile(const T* from, T* to, Index count) override {
        T* lines = lines_.data();
        transform(from, lines != nullptr ? lines : to, count);
        if (lines != nullptr) this->stream_lines(lines, 2 * this->n_, to, count);
    }

  private:
    void transform(const T* from, T* to, Index count) {
        const bool whole = count == this->kernels_.lanes;
        const bool reads = whole && this->lane_.from == 2;
        const bool writes = whole && this->lane_.to == 2 && !results(to, count).stream;
        if (!dft_->begins()) {
            run_whole(from, to, count, reads, writes);
            return;
        }
        if (reads) {
            dft_->begin(line(from), input_.data());
        } else {
            begin_in_portions(from, count);
        }
        if (writes && dft_->ends()) {
            dft_->end(input_.data(), to, this->line_.to);
        } else {
            end_in_portions(to, count);
        }
    }
    /// Where a tile's results are written first.
    [[nodiscard]] Lanes<T> results(T* to, Index count) const {
        if (lines_.data() == nullptr) return this->target(to, count);
        return {to, 2, 2 * this->n_, count};
    }

    /// What is a single pass, or begins with one that has no butterfly.
    void run_whole(const T* from, T* to, Index count, bool reads, bool writes) {
        if (dft_->single() && reads && writes) {
            dft_->run_single(line(from), to, this->line_.to);
            return;
        }
        if (dft_->single() && reads) {
            dft_->begin(line(from), output_.data());
        } else {
            read(from, count, {0, rows_.length});
            if (dft_->single() && writes) {
                dft_->end(input_.data(), to, this->line_.to);
                return;
            }
            dft_->run(input_.data(), output_.data(), 1);
        }
        this->kernels_.write(output_.data(), one_run(this->n_), results(to, count));
    }

    // Portions stay in the nearest cache between the copy and the butterflies.
    void begin_in_portions(const T* from, Index count) {
        for_portions<T>(rows_.length, [&](Range some) {
            read(from, count, some);
            dft_->begin_some(some, input_.data());
        });
        dft_->begin_rest(input_.data());
    }

    void end_in_portions(T* to, Index count) {
        if (!dft_->ends()) {
            dft_->end_in_tile(input_.data(), output_.data(), 1);
            this->kernels_.write(output_.data(), one_run(this->n_), results(to, count));
            return;
        }
        const Index blocks = dft_->last_blocks();
        for_portions<T>(blocks, [&](Range some) {
            if (this->far_to_ && this->line_.to == 2 && lines_.data() == nullptr) {
                ask_for(to + count * this->lane_.to, this->lane_.to, count, share(some, blocks));
            }
            const Index length = some.end - some.first;
            dft_->end_some(some, input_.data(), output_.data(), 1, length);
            this->kernels_.write(output_.data(),
                                 {dft_->last_radix(), length, length, blocks * this->line_.to, 1},
                                 results(to + some.first * this->line_.to, count));
        });
    }

    /// The part of a line that is `some` of `count`.
    [[nodiscard]] Range share(Range some, Index count) const {
        return {this->n_ * some.first / count, this->n_ * some.end / count};
    }

    /// A backward transform is a forward one of the line read backwards.
    [[nodiscard]] Line<T> line(const T* from) const {
        const Index step = this->line_.from;
        const Index ahead = this->ahead(tile_lines());
        if (this->sign_ < 0) return {from, from, step, ahead};
        return {from, from + this->n_ * step, -step, ahead};
    }

    /// Some elements of each row.
    void read(const T* from, Index count, Range some) {
        const Index step = this->line_.from;
        const Index width = 2 * this->kernels_.lanes;
        const Index length = some.end - some.first;
        const auto lanes = [&](Index first) {
            return Lanes<const T>{from + first * step, step, this->lane_.from, count, false,
                                  this->ahead(count)};
        };
        if (this->sign_ < 0) {
            this->kernels_.read(lanes(some.first),
                                {rows_.count, length, rows_.stride, rows_.length * step, 1},
                                input_.data() + some.first * width);
            return;
        }
        // Element j of the line read backwards is n - j, 0 its own opposite.
        Runs runs = {rows_.count, length, rows_.stride, -rows_.length * step, -1};
        T* target = input_.data() + (some.end - 1) * width;
        Index first = this->n_ - some.end + 1;
        if (some.first == 0) {
            this->kernels_.read(lanes(0), one_run(1), input_.data());
            this->kernels_.read(lanes(first), {1, length - 1, 0, 0, -1}, target);
            --runs.count;
            target += rows_.stride * width;
            first -= rows_.length;
        }
        this->kernels_.read(lanes(first), runs, target);
    }

    std::unique_ptr<MixedRadix<T>> dft_;
    Rows rows_;
    Tile<T> input_;
    Tile<T> output_;
    Tile<T> lines_;  ///< of results that go past the caches a line at a time
};

template <class T>
class RealToComplex : public Lines<T> {
  public:
    RealToComplex(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(kernels, task.line.length, Kind::r2c, this->lane_.from == 1) {}

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_.lines(); }

    void tile(const T* from, T* to, Index count) override {
        tile_.read_reals(this->source(from, count), {0, this->n_});
        tile_.run(count);
        tile_.write_spectrum(this->target(to, count), {0, this->n_ / 2 + 1});
    }

  private:
    RealTile<T> tile_;
};

template <class T>
class ComplexToReal : public Lines<T> {
  public:
    ComplexToReal(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(kernels, task.line.length, Kind::c2r, this->lane_.to == 1) {
        this->stream_ = this->stream_ && this->line_.to == 1;
        if (this->stream_) lines_ = Tile<T>(kernels, tile_.lines() / kernels.lanes * this->n_);
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_.lines(); }

    void tile(const T* from, T* to, Index count) override {
        tile_.read_spectrum(this->source(from, count), {0, this->n_ / 2 + 1});
        tile_.run(count);
        if (!this->stream_) {
            tile_.write_reals({to, this->line_.to, this->lane_.to, count}, {0, this->n_});
            return;
        }
        tile_.write_reals({lines_.data(), 1, this->n_, count}, {0, this->n_});
        this->stream_lines(lines_.data(), this->n_, to, count);
    }

  private:
    RealTile<T> tile_;
    Tile<T> lines_;  ///< of results that go past the caches a line at a time
};

Loop in_numbers(const Loop& loop, const LineTransform& line) {
    return {loop.extent, loop.from * line.source().numbers(), loop.to * line.target().numbers()};
}

}  // namespace

template <class T>
Lines<T>::Lines(const FftTask& task, const Kernels<T>& kernels)
    : kernels_(kernels),
      n_(task.line.length),
      sign_(task.line.sign),
      far_from_(task.caches.far_from),
      far_to_(task.caches.far_to),
      stream_(task.caches.stream),
      line_(in_numbers(task.line_axis(), task.line)) {
    std::vector<Loop> loops = simplified(task.looped);
    lane_ = in_numbers(take_lane_loop(loops, kernels.lanes), task.line);
    outer_.reserve(loops.size());
    for (const Loop& loop : loops) outer_.push_back(in_numbers(loop, task.line));
}

template <class T>
bool can_stream(const Kernels<T>& kernels, const Lanes<T>& to) {
    constexpr Index line = 64;
    const auto aligned = [](Index bytes) { return bytes % line == 0; };
    const Index vector = kernels.lanes * static_cast<Index>(sizeof(T));
    return to.lanes >= kernels.lanes && to.lane_step == 2 && aligned(vector) &&
           aligned(to.step * static_cast<Index>(sizeof(T))) &&
           aligned(static_cast<Index>(reinterpret_cast<std::uintptr_t>(to.data)));
}

template <class T>
void Lines<T>::execute(const T* from, T* to) {
    const Index most = tile_lines();
    // An odometer over the outer loops, whose digits live in the recursion.
    const auto run = [&](const auto& self, std::size_t depth, const T* source, T* target) -> void {
        if (depth < outer_.size()) {
            const Loop& loop = outer_[depth];
            for (Index i = 0; i < loop.extent; ++i) {
                self(self, depth + 1, source + i * loop.from, target + i * loop.to);
            }
            return;
        }
        for (Index i = 0; i < lane_.extent; i += most) {
            tile(source + i * lane_.from, target + i * lane_.to, std::min(most, lane_.extent - i));
        }
    };
    run(run, 0, from, to);
    if (stream_) kernels_.fence();
}

template <class T>
void Lines<T>::some(const T* from, T* to, Index count, const T* next) {
    const Index most = tile_lines();
    // They may be another process's.
    const auto distance =
        reinterpret_cast<std::intptr_t>(next) - reinterpret_cast<std::intptr_t>(from);
    told_ahead_ =
        far_from_ && next != nullptr ? distance / static_cast<std::intptr_t>(sizeof(T)) : 0;
    for (Index i = 0; i < count; i += most) {
        tile(from + i * lane_.from, to + i * lane_.to, std::min(most, count - i));
    }
    told_ahead_.reset();
}

Index most_lines(const FftTask& task) {
    Index lines = 1;
    for (const Loop& loop : task.looped) lines = std::max(lines, loop.extent);
    return lines;
}

template <class T>
std::unique_ptr<Lines<T>> make_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c) {
        if (auto real = make_long_real_lines<T>(task, kernels)) return real;
        if (task.line.kind == Kind::r2c) return std::make_unique<RealToComplex<T>>(task, kernels);
        return std::make_unique<ComplexToReal<T>>(task, kernels);
    }
    if (auto short_lines = make_short_lines<T>(task, kernels)) return short_lines;
    if (task.line.length <= longest_tile) {
        if (auto contiguous = make_contiguous_lines<T>(task, kernels)) return contiguous;
    }
    const Index factor = short_factor(task.line.length, most_lines(task), kernels.lanes);
    if (factor > 1) return make_long_lines<T>(task, kernels, factor);
    return std::make_unique<ComplexLines<T>>(task, kernels);
}

template bool can_stream(const Kernels<float>&, const Lanes<float>&);
template bool can_stream(const Kernels<double>&, const Lanes<double>&);
template class Lines<float>;
template class Lines<double>;
template std::unique_ptr<Lines<float>> make_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
