// Complex lines, tile by tile: whatever their strides.
#include <algorithm>

#include "fft/native/lines/ahead.hpp"
#include "fft/native/lines/element_table.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::core::native {

namespace {

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
          dft_(make_line_dft(kernels, task.line)),
          rows_(dft_->rows()),
          tiles_(tiles_in_row()),
          input_(kernels, tiles_ * rows_.room()),
          output_(kernels, task.line.length),
          from_({{0, task.line.length, task.from_step, 1}}),
          to_({{0, task.line.length, task.to_step, 1}}),
          sources_(from_, tiles_ > 1 ? task.line.length : 0, task.line.sign > 0),
          places_(to_, tiles_ > 1 ? task.line.length : 0, false) {
        const Index line_bytes = task.line.length * 2 * static_cast<Index>(sizeof(T));
        const bool worth_it = line_bytes >= 256 && line_bytes * kernels.lanes <= Index{1} << 17;
        if (this->stream_ && task.to_step == 1 && worth_it) {
            lines_ = Tile<T>(kernels, task.line.length);
        }
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return tiles_ * this->kernels_.lanes; }

    /// Lines that are contiguous, neither short nor very long, go past the caches one after the
    /// other.
    void tile(const T* from, T* to, Index count) override {
        const Index lanes = this->kernels_.lanes;
        const Index whole = count / lanes;
        if (count > lanes) {
            transform_row(from, to, whole);
            count -= whole * lanes;
            from += whole * lanes * this->lane_.from;
            to += whole * lanes * this->lane_.to;
        }
        if (count == 0) return;
        T* lines = lines_.data();
        transform(from, lines != nullptr ? lines : to, count);
        if (lines != nullptr) this->stream_lines(lines, 2 * this->n_, to, count);
    }

  private:
    /// How many tiles are worked on together. Adjacent lanes a cache line at a time are slow where
    /// elements are a large power of two of bytes apart, since all of them then meet in the same
    /// few sets of the nearest cache; 256 bytes of them at a time are not. The tiles have to stay
    /// in that cache.
    [[nodiscard]] Index tiles_in_row() const {
        constexpr Index run_bytes = 256;
        constexpr Index most_bytes = Index{1} << 15;
        if (!dft_->begins() || !dft_->ends() || this->stream_) return 1;
        const auto number = static_cast<Index>(sizeof(T));
        const auto meet = [&](Index step, Index lane_step) {
            return lane_step == 2 && meet_in_cache(step * number);
        };
        if (!meet(this->line_.from, this->lane_.from) && !meet(this->line_.to, this->lane_.to)) {
            return 1;
        }
        const Index element_bytes = 2 * this->kernels_.lanes * number;
        const Index most =
            std::min(run_bytes / element_bytes, most_bytes / (this->n_ * element_bytes));
        return std::max<Index>(most, 1);
    }
    [[nodiscard]] T* input(Index tile) const {
        return input_.data() + tile * rows_.room() * 2 * this->kernels_.lanes;
    }
    template <class U>
    [[nodiscard]] TileRow<U> row(Index tiles) const {
        return {input_.data(), tiles, rows_.room() * 2 * this->kernels_.lanes};
    }
    /// Whole tiles of lanes that are adjacent on one side at least.
    void transform_row(const T* from, T* to, Index tiles) {
        const Index lanes = this->kernels_.lanes;
        if (this->lane_.from == 2) {
            const auto* const begin = reinterpret_cast<const std::byte*>(from);
            sources_.look_up(&begin);
            const Places<const T> here = sources_.at(&begin);
            const Index ahead = this->ahead(tile_lines());
            dft_->begin_gathered(here, ahead != 0 ? here.beyond(ahead) : Places<const T>{}, {},
                                 row<T>(tiles));
        } else {
            for (Index t = 0; t < tiles; ++t) {
                begin_in_portions(from + t * lanes * this->lane_.from, lanes, input(t));
            }
        }
        if (this->lane_.to == 2) {
            auto* const begin = reinterpret_cast<std::byte*>(to);
            places_.look_up(&begin);
            dft_->end_scattered(row<const T>(tiles), places_.at(&begin), false);
        } else {
            for (Index t = 0; t < tiles; ++t) {
                end_in_portions(to + t * lanes * this->lane_.to, lanes, input(t));
            }
        }
    }

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
            begin_in_portions(from, count, input_.data());
        }
        if (writes && dft_->ends()) {
            dft_->end(input_.data(), to, this->line_.to);
        } else {
            end_in_portions(to, count, input_.data());
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
            read(from, count, {0, rows_.length}, input_.data());
            if (dft_->single() && writes) {
                dft_->end(input_.data(), to, this->line_.to);
                return;
            }
            dft_->run(input_.data(), output_.data(), 1);
        }
        this->kernels_.write(output_.data(), one_run(this->n_), results(to, count));
    }

    // Portions stay in the nearest cache between the copy and the butterflies.
    void begin_in_portions(const T* from, Index count, T* tile) {
        for_portions<T>(rows_.length, [&](Range some) {
            read(from, count, some, tile);
            dft_->begin_some(some, tile);
        });
        dft_->begin_rest(tile);
    }

    void end_in_portions(T* to, Index count, T* tile) {
        if (!dft_->ends()) {
            dft_->end_in_tile(tile, output_.data(), 1);
            this->kernels_.write(output_.data(), one_run(this->n_), results(to, count));
            return;
        }
        const Index blocks = dft_->last_blocks();
        for_portions<T>(blocks, [&](Range some) {
            if (this->far_to_ && this->line_.to == 2 && lines_.data() == nullptr) {
                ask_for(to + count * this->lane_.to, this->lane_.to, count, share(some, blocks));
            }
            const Index length = some.end - some.first;
            dft_->end_some(some, tile, output_.data(), 1, length);
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
    void read(const T* from, Index count, Range some, T* tile) {
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
                                tile + some.first * width);
            return;
        }
        // Element j of the line read backwards is n - j, 0 its own opposite.
        Runs runs = {rows_.count, length, rows_.stride, -rows_.length * step, -1};
        T* target = tile + (some.end - 1) * width;
        Index first = this->n_ - some.end + 1;
        if (some.first == 0) {
            this->kernels_.read(lanes(0), one_run(1), tile);
            this->kernels_.read(lanes(first), {1, length - 1, 0, 0, -1}, target);
            --runs.count;
            target += rows_.stride * width;
            first -= rows_.length;
        }
        this->kernels_.read(lanes(first), runs, target);
    }

    std::unique_ptr<MixedRadix<T>> dft_;
    Rows rows_;
    Index tiles_;  ///< that input_ has room for
    Tile<T> input_;
    Tile<T> output_;
    Tile<T> lines_;  ///< of results that go past the caches a line at a time
    // Where the elements of several tiles are.
    std::vector<LineSegment> from_;
    std::vector<LineSegment> to_;
    Elements<const T> sources_;
    Elements<T> places_;
};

}  // namespace

template <class T>
const char* why_not_complex_lines(const LineCase<T>& /*one*/) {
    return nullptr;
}

template <class T>
std::unique_ptr<Lines<T>> make_complex_lines(const LineCase<T>& one) {
    return std::make_unique<ComplexLines<T>>(one.task, one.kernels);
}

WEFT_LINES_RULE_FOR_ALL(complex_lines)

}  // namespace weft::core::native
