// Adjacent lanes whose results are contiguous lines.
//
// n = r m, j = c + m i (i < r, c < m), k = e + r f (e < r, f < m):
//     X[e + r f] = sum_c exp(-2 pi i c f/m) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/r) x[c + m i]
// The inner sums are butterflies of vectors of lines. Adjacent results e of a line become the lanes
// of tiles of m elements, whose transforms give adjacent frequencies, whole vectors of a line.
#include <algorithm>

#include "base/index.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// What a radix of the first pass costs.
template <class T>
double cost(const Kernels<T>& kernels, Index n, int radix) {
    if (n % radix != 0 || n == radix) return HUGE_VAL;
    if (kernels.transposed[usize(radix)] == nullptr) return HUGE_VAL;
    const Factors rest = factorize(kernels.radices, n / radix);
    // The tiles that results fill, the last one in part.
    const Index tiles = (radix + kernels.lanes - 1) / kernels.lanes;
    const double waste = static_cast<double>(tiles * kernels.lanes) / radix;
    if (waste > 1.2 || !ends_with_butterfly(kernels.radices, rest)) return HUGE_VAL;
    return factorize(kernels.radices, radix).cost + rest.cost * waste;
}

template <class T>
class TransposedLines : public LineTile<T> {
  public:
    TransposedLines(const LineCase<T>& one, int radix)
        : kernels_(one.kernels),
          backwards_(one.task.line.sign > 0),
          radix_(radix),
          dft_(make_tile_dft(one.kernels, one.length() / radix)) {
        const Index lanes = kernels_.lanes;
        this->most_ = lanes;
        this->together_ = lanes;
        pass_.count = one.length() / radix;
        // Lines that are a power of two of bytes apart would meet in the same sets of a cache.
        const Index line_room = dft_->rows().room() + 1;
        pass_.line_step = line_room * 2 * lanes;
        pass_.group_step = lanes * line_room;
        fill_tables();
        last_.radix = static_cast<int>(pass_.count);
        last_.base.reserve(usize(lanes));
        for (Index line = 0; line < lanes; ++line) last_.base.push_back(line * line_room);
        tiles_ = Tile<T>(kernels_, groups() * pass_.group_step);
    }

    /// A backward transform reads rows in reverse, whose columns then are those of fill_tables.
    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        const Index lanes = kernels_.lanes;
        const Index row = pass_.count * from.step;
        kernels_.transposed[usize(radix_)](
            pass_, backwards_ ? from.data + (radix_ - 1) * row : from.data, backwards_ ? -row : row,
            from.step, lanes, tiles_.data());
        for (Index group = 0; group < groups(); ++group) {
            const Index first = std::min(group * lanes, radix_ - lanes);
            end(tiles_.data() + group * pass_.group_step * 2 * lanes, to.data + 2 * first,
                to.lane_step);
        }
    }

  private:
    /// Tiles that a line's results lie in.
    [[nodiscard]] Index groups() const { return (radix_ + kernels_.lanes - 1) / kernels_.lanes; }

    /// The other passes, of one tile of each line.
    void end(T* tiles, T* to, Index line_step) {
        const Index step = 2 * Index{radix_};
        const Index lanes = kernels_.lanes;
        if (dft_->single()) {
            kernels_.last[usize(last_.radix)](last_, {0, lanes}, tiles, to, line_step, step, lanes);
            return;
        }
        for (Index line = 0; line < lanes; ++line) {
            T* tile = tiles + line * pass_.line_step;
            dft_->begin_in_tile(tile);
            dft_->end(tile, to + line * line_step, step, lanes);
        }
    }

    /// Of columns in the order in which they are read; a line that is read backwards begins with
    /// element n, which is element 0.
    void fill_tables() {
        const Index n = radix_ * pass_.count;
        pass_.twiddles.reserve(usize(2 * n));
        for (Index c = 0; c < pass_.count; ++c) {
            const Index column = backwards_ ? pass_.count - c : c;
            pass_.element.push_back(dft_->rows().position(column % pass_.count));
            for (Index k = 1; k < radix_; ++k) {
                append(pass_.twiddles, turn(column * k % n, n));
            }
        }
    }

    const Kernels<T>& kernels_;
    bool backwards_;
    int radix_;
    std::unique_ptr<MixedRadix<T>> dft_;
    TransposedPass<T> pass_;
    Pass<T> last_;  ///< of all lines, where one pass is left
    Tile<T> tiles_;
};

}  // namespace

template <class T>
LinesOffer<T> transposed_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return {reasons::reproducible};
    if (one.length() > longest_tile) return {reasons::too_long};
    if (one.from_lines() || !one.to_lines()) return {"lines do not become contiguous"};
    if (one.far()) return {reasons::far};
    const Loop lanes = lane_loop(one.task, one.kernels.lanes);
    if (lanes.from != 1) return {"lanes are not adjacent"};
    if (lanes.extent < one.kernels.lanes) return {"lines fill no vector"};
    const int radix = cheapest_radix(
        largest_radix, [&](int radix) { return cost(one.kernels, one.length(), radix); });
    if (radix == 0) return {reasons::no_kernel};
    return offer<TransposedLines<T>>(one, radix);
}

WEFT_LINES_RULE_FOR_ALL(transposed_lines)

}  // namespace weft::core::native
