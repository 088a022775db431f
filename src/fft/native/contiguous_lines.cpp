// Lines that are contiguous on both sides, one at a time, with vectors along the line.
//
// n = r m, j = c + m i (i < r, c < m), k = e + r f (e < r, f < m):
//     X[e + r f] = sum_c exp(-2 pi i c f/m) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/r) x[c + m i]
// The inner sums are butterflies of adjacent columns c, which leave adjacent results e side by
// side; these are the lanes of tiles of m elements, whose transforms give adjacent frequencies.
#include <algorithm>

#include "fft/native/lines.hpp"
#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

/// The columns of the pass along a line; of one that is read backwards they begin with element n,
/// which is element 0, so that its rows are contiguous, too.
class Columns {
  public:
    Columns(int radix, Index count, bool backwards)
        : radix_(radix), count_(count), backwards_(backwards) {}
    /// What is in place `i` of a row.
    [[nodiscard]] Index column(Index i) const { return backwards_ ? count_ - i : i; }
    [[nodiscard]] Turn twiddle(Index i, Index k) const {
        const Index n = radix_ * count_;
        return turn(column(i) * k % n, n);
    }

  private:
    int radix_;
    Index count_;
    bool backwards_;
};

/// Where vectors begin that cover so many columns: the last one may overlap the one before.
std::vector<Index> vectors(Index columns, Index lanes) {
    if (columns < lanes) return {0};
    std::vector<Index> first;
    first.reserve(static_cast<std::size_t>((columns + lanes - 1) / lanes));
    for (Index i = 0; i < columns; i += lanes) first.push_back(std::min(i, columns - lanes));
    return first;
}

/// How many lines' columns make a vector; 0 if they do not fill it.
Index lines_in_vector(Index columns, Index lanes) {
    if (columns >= lanes) return 1;
    return 2 * columns == lanes ? 2 : 4 * columns == lanes ? 4 : 0;
}

/// Which of the kernels are for that.
std::size_t kernel(Index lines) { return lines == 4 ? 2 : lines == 2 ? 1 : 0; }

template <class T>
class ContiguousLines : public Lines<T> {
  public:
    ContiguousLines(const LinesTask& task, const Kernels<T>& kernels, int radix)
        : Lines<T>(task, kernels),
          dft_(make_tile_dft(kernels, task.line.extent / radix)),
          shared_(lines_in_vector(task.line.extent / radix, kernels.lanes)),
          count_(dft_->single() ? std::max(shared_, several / dft_->rows().length) : shared_) {
        pass_.radix = radix;
        pass_.count = task.line.extent / radix;
        pass_.columns = vectors(pass_.count, kernels.lanes);
        pass_.line_room = dft_->rows().room();
        pass_.group_step = count_ * pass_.line_room;
        fill_tables({radix, pass_.count, task.sign > 0});
        last_.radix = static_cast<int>(pass_.count);
        for (Index line = 0; line < count_; ++line) last_.base.push_back(line * pass_.line_room);
        tiles_ = Tile<T>(kernels, radix / kernels.lanes * pass_.group_step);
        if (!dft_->ends()) output_ = Tile<T>(kernels, pass_.count);
        const Index left = this->lane_.extent % shared_;
        if (left > 0) {
            rest_ = make_tiled_lines<T>({task.kind,
                                         task.sign,
                                         task.line,
                                         {{left, this->lane_.from / 2, this->lane_.to / 2}},
                                         false,
                                         false},
                                        kernels);
        }
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return count_; }

    void tile(const T* from, T* to, Index count) override {
        const Index whole = count - count % shared_;
        if (whole > 0) transform(from, to, whole);
        if (whole < count) {
            rest_->execute(from + whole * this->lane_.from, to + whole * this->lane_.to);
        }
    }

  private:
    /// Tile elements that are worked on together: enough that the latency of one line's steps is
    /// hidden by those of others.
    static constexpr Index several = 32;

    void transform(const T* from, T* to, Index count) {
        const Index row = 2 * pass_.count;
        const bool backwards = this->sign_ > 0;
        this->kernels_.along[kernel(shared_)][static_cast<std::size_t>(pass_.radix)](
            pass_, backwards ? from + (pass_.radix - 1) * row : from, backwards ? -row : row,
            this->lane_.from, count, tiles_.data());
        const Index lanes = this->kernels_.lanes;
        for (Index group = 0; group < pass_.radix / lanes; ++group) {
            T* tile = tiles_.data() + group * pass_.group_step * 2 * lanes;
            T* results = to + group * 2 * lanes;
            if (dft_->single()) {
                this->kernels_.last[static_cast<std::size_t>(last_.radix)](
                    last_, {0, count}, tile, results, this->lane_.to, 2 * Index{pass_.radix});
                continue;
            }
            for (Index line = 0; line < count; ++line) {
                finish(tile + line * pass_.line_room * 2 * lanes, results + line * this->lane_.to);
            }
        }
    }

    /// The transform of one tile.
    void finish(T* tile, T* to) {
        const Index step = 2 * Index{pass_.radix};
        dft_->begin_in_tile(tile);
        if (dft_->ends()) {
            dft_->end(tile, to, step);
            return;
        }
        dft_->end_in_tile(tile, output_.data(), 1);
        this->kernels_.write(output_.data(), {1, pass_.count, 0, 0, 1},
                             {to, step, 2, this->kernels_.lanes, false});
    }

    void fill_tables(const Columns& columns) {
        const auto& order = this->kernels_.order;
        const Index lanes = this->kernels_.lanes;
        twiddles_ =
            Tile<T>(this->kernels_, static_cast<Index>(pass_.columns.size()) * (pass_.radix - 1));
        T* twiddle = twiddles_.data();
        for (const Index first : pass_.columns) {
            const auto place = [&](Index lane) {
                return (first + order[static_cast<std::size_t>(lane)]) % pass_.count;
            };
            for (Index lane = 0; lane < lanes; ++lane) {
                const Index line = order[static_cast<std::size_t>(lane)] / pass_.count;
                const Index element =
                    dft_->rows().position(columns.column(place(lane)) % pass_.count);
                pass_.position.push_back(((shared_ > 1 ? line * pass_.line_room : 0) + element) *
                                         2 * lanes);
            }
            for (Index k = 1; k < pass_.radix; ++k, twiddle += 2 * lanes) {
                for (Index lane = 0; lane < lanes; ++lane) {
                    const Turn w = columns.twiddle(place(lane), k);
                    twiddle[lane] = static_cast<T>(w.cos);
                    twiddle[lanes + lane] = static_cast<T>(w.sin);
                }
            }
        }
        pass_.twiddles = twiddles_.data();
    }

    std::unique_ptr<MixedRadix<T>> dft_;
    Index shared_;  ///< lines of a vector
    Index count_;   ///< lines that are worked on together
    AlongPass<T> pass_;
    Pass<T> last_;  ///< of all these lines, where one pass is left
    Tile<T> twiddles_;
    Tile<T> tiles_;
    Tile<T> output_;
    std::unique_ptr<Lines<T>> rest_;  ///< lines that do not fill a vector
};

}  // namespace

template <class T>
int along_radix(const LinesTask& task, const Kernels<T>& kernels) {
    const Index n = task.line.extent;
    if (task.kind != Kind::c2c || task.line.from != 1 || task.line.to != 1) return 1;
    int best = 1;
    double least = 0;
    for (std::size_t radix = 2; radix <= largest_radix; ++radix) {
        if (n % static_cast<Index>(radix) != 0) continue;
        const Index count = n / static_cast<Index>(radix);
        const Index lines = lines_in_vector(count, kernels.lanes);
        if (lines == 0 || count == 1 || kernels.along[kernel(lines)][radix] == nullptr) continue;
        const double cost = factorize(kernels.radices, count).cost + (radix > 8 ? 4 : 0);
        if (best > 1 && cost >= least) continue;
        best = static_cast<int>(radix);
        least = cost;
    }
    return best;
}

template <class T>
std::unique_ptr<Lines<T>> make_contiguous_lines(const LinesTask& task, const Kernels<T>& kernels,
                                                int radix) {
    return std::make_unique<ContiguousLines<T>>(task, kernels, radix);
}

template int along_radix(const LinesTask&, const Kernels<float>&);
template int along_radix(const LinesTask&, const Kernels<double>&);
template std::unique_ptr<Lines<float>> make_contiguous_lines(const LinesTask&,
                                                             const Kernels<float>&, int);
template std::unique_ptr<Lines<double>> make_contiguous_lines(const LinesTask&,
                                                              const Kernels<double>&, int);

}  // namespace weft::core::native
