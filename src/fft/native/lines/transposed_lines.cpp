// Adjacent lanes whose results are contiguous lines.
//
// n = r m, j = c + m i (i < r, c < m), k = e + r f (e < r, f < m):
//     X[e + r f] = sum_c exp(-2 pi i c f/m) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/r) x[c + m i]
// The inner sums are butterflies of vectors of lines. Adjacent results e of a line become the lanes
// of tiles of m elements, whose transforms give adjacent frequencies, whole vectors of a line.
#include <algorithm>

#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// The cheapest radix of the first pass, or 0.
template <class T>
int best_radix(const Kernels<T>& kernels, Index n) {
    int best = 0;
    double least = 0;
    for (const int radix : kernels.radices) {
        const bool possible = n % radix == 0 && n > radix &&
                              kernels.transposed[static_cast<std::size_t>(radix)] != nullptr;
        if (!possible) continue;
        const Factors rest = factorize(kernels.radices, n / radix);
        if (!ends_with_butterfly(kernels.radices, rest)) continue;
        // The tiles that results fill, the last one in part.
        const Index tiles = (radix + kernels.lanes - 1) / kernels.lanes;
        const double waste = static_cast<double>(tiles * kernels.lanes) / radix;
        if (waste > 1.2) continue;
        const double cost = factorize(kernels.radices, radix).cost + rest.cost * waste;
        if (best != 0 && cost >= least) continue;
        best = radix;
        least = cost;
    }
    return best;
}

template <class T>
class TransposedLines : public Lines<T> {
  public:
    TransposedLines(const FftTask& task, const Kernels<T>& kernels, int radix)
        : Lines<T>(task, kernels),
          radix_(radix),
          kernel_(kernels.transposed[static_cast<std::size_t>(radix)]),
          dft_(make_tile_dft(kernels, task.line.length / radix)),
          rest_(kernels, task.line.length) {
        const Index lanes = kernels.lanes;
        pass_.count = this->n_ / radix;
        // Lines that are a power of two of bytes apart would meet in the same sets of a cache.
        const Index line_room = dft_->rows().room() + 1;
        pass_.line_step = line_room * 2 * lanes;
        pass_.group_step = lanes * line_room;
        fill_tables();
        last_.radix = static_cast<int>(pass_.count);
        last_.base.reserve(static_cast<std::size_t>(lanes));
        for (Index line = 0; line < lanes; ++line) last_.base.push_back(line * line_room);
        tiles_ = Tile<T>(kernels, groups() * pass_.group_step);
        std::fill_n(rest_.data(), this->n_ * 2 * lanes, T(0));
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return this->kernels_.lanes; }

    void tile(const T* from, T* to, Index count) override {
        const Index lanes = this->kernels_.lanes;
        if (count == lanes) {
            begin(from, this->line_.from);
        } else {
            // Lanes that others would share.
            for (Index j = 0; j < this->n_; ++j) {
                std::copy_n(from + j * this->line_.from, 2 * count, rest_.data() + j * 2 * lanes);
            }
            begin(rest_.data(), 2 * lanes);
        }
        for (Index group = 0; group < groups(); ++group) {
            const Index first = std::min(group * lanes, radix_ - lanes);
            end(tiles_.data() + group * pass_.group_step * 2 * lanes, to + 2 * first, count);
        }
    }

  private:
    /// Tiles that a line's results lie in.
    [[nodiscard]] Index groups() const {
        return (radix_ + this->kernels_.lanes - 1) / this->kernels_.lanes;
    }

    /// The first pass, of elements that are `step` numbers apart; a backward transform reads rows
    /// in reverse, whose columns then are those of fill_tables.
    void begin(const T* from, Index step) {
        const Index row = pass_.count * step;
        const bool backwards = this->sign_ > 0;
        kernel_(pass_, backwards ? from + (radix_ - 1) * row : from, backwards ? -row : row, step,
                this->kernels_.lanes, tiles_.data());
    }

    /// The other passes, of one tile of each line.
    void end(T* tiles, T* to, Index count) {
        const Index step = 2 * Index{radix_};
        const Index lanes = this->kernels_.lanes;
        if (dft_->single()) {
            this->kernels_.last[static_cast<std::size_t>(last_.radix)](last_, {0, count}, tiles, to,
                                                                       this->lane_.to, step, lanes);
            return;
        }
        for (Index line = 0; line < count; ++line) {
            T* tile = tiles + line * pass_.line_step;
            dft_->begin_in_tile(tile);
            dft_->end(tile, to + line * this->lane_.to, step, lanes);
        }
    }

    /// Of columns in the order in which they are read; a line that is read backwards begins with
    /// element n, which is element 0.
    void fill_tables() {
        pass_.twiddles.reserve(static_cast<std::size_t>(2 * this->n_));
        for (Index c = 0; c < pass_.count; ++c) {
            const Index column = this->sign_ > 0 ? pass_.count - c : c;
            pass_.element.push_back(dft_->rows().position(column % pass_.count));
            for (Index k = 1; k < radix_; ++k) {
                const Turn w = turn(column * k % this->n_, this->n_);
                pass_.twiddles.push_back(static_cast<T>(w.cos));
                pass_.twiddles.push_back(static_cast<T>(w.sin));
            }
        }
    }

    int radix_;
    typename Kernels<T>::Transposed::value_type kernel_;
    std::unique_ptr<MixedRadix<T>> dft_;
    TransposedPass<T> pass_;
    Pass<T> last_;  ///< of all lines, where one pass is left
    Tile<T> tiles_;
    Tile<T> rest_;  ///< lines that fill no vector
};

}  // namespace

template <class T>
const char* why_not_transposed_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return reasons::reproducible;
    if (one.length() > longest_tile) return reasons::too_long;
    if (one.from_lines() || !one.to_lines()) return "lines do not become contiguous";
    if (one.far()) return reasons::far;
    const Loop lanes = lane_loop(one.task, one.kernels.lanes);
    if (lanes.from != 1) return "lanes are not adjacent";
    if (lanes.extent < one.kernels.lanes) return "lines fill no vector";
    return best_radix(one.kernels, one.length()) == 0 ? reasons::no_kernel : nullptr;
}

template <class T>
std::unique_ptr<Lines<T>> make_transposed_lines(const LineCase<T>& one) {
    const int radix = best_radix(one.kernels, one.length());
    return std::make_unique<TransposedLines<T>>(one.task, one.kernels, radix);
}

WEFT_LINES_RULE_FOR_ALL(transposed_lines)

}  // namespace weft::core::native
