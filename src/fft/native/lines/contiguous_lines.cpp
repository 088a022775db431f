// Lines that are contiguous on both sides, with vectors along them.
//
// n = r m, j = c + m i (i < r, c < m), k = e + r f (e < r, f < m):
//     X[e + r f] = sum_c exp(-2 pi i c f/m) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/r) x[c + m i]
// The inner sums are butterflies of adjacent columns c, which leave adjacent results e side by
// side; these are the lanes of tiles of m elements, whose transforms give adjacent frequencies.
#include <algorithm>
#include <cstdint>

#include "fft/native/lines/ahead.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// The columns of the pass along a line; of one that is read backwards they begin with element n,
/// which is element 0, so that its rows are contiguous, too.
class Columns {
  public:
    /// `exact`: column 0 is that of element 0, as where lines are lanes, and not of element n.
    Columns(int radix, Index count, bool backwards, bool exact)
        : radix_(radix), count_(count), backwards_(backwards), exact_(exact) {}
    /// What is in place `i` of a row.
    [[nodiscard]] Index column(Index i) const {
        if (i == 0 && exact_) return 0;
        return backwards_ ? count_ - i : i;
    }
    [[nodiscard]] Turn twiddle(Index i, Index k) const {
        const Index n = radix_ * count_;
        return turn(column(i) * k % n, n);
    }

  private:
    int radix_;
    Index count_;
    bool backwards_;
    bool exact_;
};

/// Where vectors begin that cover so many columns: the last one may overlap the one before.
std::vector<Index> vectors(Index columns, Index lanes) {
    std::vector<Index> first;
    first.reserve(static_cast<std::size_t>((columns + lanes - 1) / lanes));
    for (Index i = 0; i < columns; i += lanes) first.push_back(std::min(i, columns - lanes));
    return first;
}

/// How lines fill vectors.
template <class T>
struct Filling {
    int radix = 1;
    Index halves = 1;  ///< lines whose results share a vector: a call takes so many at least
    void (*kernel)(const AlongPass<T>&, const T*, Index, Index, Index, T*) = nullptr;
};

/// The kernel for rows of so many columns, if there is one that wastes little.
template <class T>
Filling<T> filling(const Kernels<T>& kernels, int radix, Index columns) {
    const auto index = static_cast<std::size_t>(radix);
    const Index lanes = kernels.lanes;
    const Index covered = (columns + lanes - 1) / lanes * lanes;
    if (columns < lanes || 2 * covered > 3 * columns) return {};
    if (2 * radix == lanes) return {radix, 2, kernels.along_halves[index]};
    return {radix, 1, kernels.along[index]};
}

/// The best one for lines of length n; `alone`: of those in which no lines share a vector.
template <class T>
Filling<T> best_filling(const Kernels<T>& kernels, Index n, bool alone) {
    Filling<T> best;
    double least = 0;
    for (int radix = 2; radix <= std::min<Index>(largest_radix, n / 2); ++radix) {
        if (n % radix != 0) continue;
        const Filling<T> one = filling(kernels, radix, n / radix);
        if (one.kernel == nullptr || (alone && one.halves > 1)) continue;
        const Factors rest = factorize(kernels.radices, n / radix);
        // Halves are only written by a butterfly.
        if (one.halves > 1 && !ends_with_butterfly(kernels.radices, rest)) continue;
        // Results of large butterflies spill; two lines are two butterflies for one tile.
        const double cost = rest.cost + (radix > 8 ? 4 : 0) + (one.halves > 1 ? 4 : 0);
        if (best.kernel != nullptr && cost >= least) continue;
        best = one;
        least = cost;
    }
    return best;
}

template <class T>
class ContiguousLines : public Lines<T> {
  public:
    ContiguousLines(const FftTask& task, const Kernels<T>& kernels, const Filling<T>& filling)
        : Lines<T>(task, kernels),
          filling_(filling),
          dft_(make_tile_dft(kernels, task.line.length / filling.radix)) {
        pass_.radix = filling.radix;
        pass_.count = task.line.length / filling.radix;
        pass_.columns = vectors(pass_.count, kernels.lanes);
        pass_.line_room = dft_->rows().room();
        exact_ = task.line.reproducible && task.line.sign > 0;
        Index tiles = exact_ ? brought : 1;
        if (dft_->single()) tiles = std::max(tiles, several / pass_.count);
        count_ = tiles * filling.halves;
        pass_.group_step = tiles * pass_.line_room;
        fill_tables({filling.radix, pass_.count, task.line.sign > 0, exact_});
        if (exact_) part_first_columns();
        last_.radix = static_cast<int>(pass_.count);
        last_.base.reserve(static_cast<std::size_t>(tiles));
        for (Index tile = 0; tile < tiles; ++tile) last_.base.push_back(tile * pass_.line_room);
        tiles_ = Tile<T>(kernels, groups() * pass_.group_step);
        if (!dft_->ends()) output_ = Tile<T>(kernels, pass_.count);
        if (!this->stream_) return;
        constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
        straight_ = 2 * kernels.lanes % cache_line == 0 && this->lane_.to % cache_line == 0 &&
                    2 * filling.radix % cache_line == 0 && dft_->ends() && filling.halves == 1;
        if (!straight_) lines_ = Tile<T>(kernels, (count_ * this->n_ - 1) / kernels.lanes + 1);
        results_.resize(static_cast<std::size_t>(tiles * pass_.count));
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return count_; }

    /// Results that do not fill cache lines as they come go past the caches a line at a time.
    void tile(const T* from, T* to, Index count) override {
        if (this->stream_ && !straight_) {
            some(from, lines_.data(), count, 2 * this->n_);
            this->stream_lines(lines_.data(), 2 * this->n_, to, count);
            return;
        }
        some(from, to, count, this->lane_.to);
    }

  private:
    void some(const T* from, T* to, Index count, Index to_step) {
        const Index whole = count - count % filling_.halves;
        if (whole > 0) transform(from, to, whole, this->lane_.from, to_step);
        // One that is left shares its vectors with itself.
        for (Index line = whole; line < count; ++line) {
            transform(from + line * this->lane_.from, to + line * to_step, 1, 0, 0);
        }
    }

    /// Tile elements that are worked on together: enough that the latency of one line's steps is
    /// hidden by those of others.
    static constexpr Index several = 32;
    /// Lines whose first columns are brought together: a vector that is loaded just after its parts
    /// were stored waits for these stores.
    static constexpr Index brought = 4;

    /// Tiles that a line's results lie in.
    [[nodiscard]] Index groups() const {
        return std::max<Index>(pass_.radix / this->kernels_.lanes, 1);
    }

    void transform(const T* from, T* to, Index count, Index from_step, Index to_step) {
        const Index row = 2 * pass_.count;
        const bool backwards = this->sign_ > 0;
        const Range all = {0, this->n_};
        const bool streams = this->stream_ && straight_ && is_aligned(to);
        pass_.ahead = this->ahead(count);
        if (exact_) transform_first_columns(from, count, from_step);
        filling_.kernel(pass_, backwards ? from + (pass_.radix - 1) * row : from,
                        backwards ? -row : row, from_step, std::max(count, filling_.halves),
                        tiles_.data());
        if (this->far_to_ && !this->stream_) ask_for(to + count * to_step, to_step, count, all);
        const Index lanes = this->kernels_.lanes;
        const Index tiles = (count + filling_.halves - 1) / filling_.halves;
        const Index step = filling_.halves * to_step;
        const Index half_step = filling_.halves > 1 ? to_step : lanes;
        for (Index group = 0; group < groups(); ++group) {
            T* tile = tiles_.data() + group * pass_.group_step * 2 * lanes;
            T* results = to + group * 2 * lanes;
            if (streams) {
                stream(tile, tiles, results, step);
                continue;
            }
            if (dft_->single()) {
                this->kernels_.last[static_cast<std::size_t>(last_.radix)](
                    last_, {0, tiles}, tile, results, step, 2 * Index{pass_.radix}, half_step);
                continue;
            }
            for (Index i = 0; i < tiles; ++i) {
                finish(tile + i * pass_.line_room * 2 * lanes, results + i * step, half_step);
            }
        }
    }

    /// The first vector of columns by itself, which place 0 is brought to from element 0.
    void part_first_columns() {
        const auto lanes = static_cast<std::ptrdiff_t>(this->kernels_.lanes);
        first_ = pass_;
        first_.columns.resize(1);
        first_.position.resize(static_cast<std::size_t>(lanes));
        pass_.columns.erase(pass_.columns.begin());
        pass_.position.erase(pass_.position.begin(), pass_.position.begin() + lanes);
        pass_.twiddles += (pass_.radix - 1) * 2 * lanes;
        rows_ = Tile<T>(this->kernels_, count_ * pass_.radix);
    }
    void transform_first_columns(const T* from, Index count, Index from_step) {
        const Index width = 2 * this->kernels_.lanes;
        const Index radix = pass_.radix;
        const Index row = 2 * pass_.count;
        T* columns = rows_.data();
        for (Index line = 0; line < count; ++line, from += from_step) {
            for (Index i = 0; i < radix; ++i, columns += width) {
                std::copy_n(from + (i == 0 ? 0 : radix - i) * row, 2, columns);
                std::copy_n(from + (radix - 1 - i) * row + 2, width - 2, columns + 2);
            }
        }
        filling_.kernel(first_, rows_.data(), width, radix * width, count, tiles_.data());
    }

    static bool is_aligned(const T* data) {
        return reinterpret_cast<std::uintptr_t>(data) % 64 == 0;
    }

    /// The last pass of some tiles past the caches.
    void stream(T* tile, Index tiles, T* to, Index step) {
        const Index next = 2 * Index{pass_.radix};
        if (dft_->single()) {
            Pass<T>& last = last_;
            last.blocks = tiles;
            for (Index i = 0; i < tiles; ++i) {
                for (Index k = 0; k < pass_.count; ++k)
                    result(i + tiles * k) = to + i * step + k * next;
            }
            this->kernels_.last_streamed[static_cast<std::size_t>(last.radix)](last, {tile},
                                                                               {results_.data()});
            return;
        }
        for (Index i = 0; i < tiles; ++i) {
            for (Index k = 0; k < pass_.count; ++k) result(k) = to + i * step + k * next;
            T* one = tile + i * pass_.line_room * 2 * this->kernels_.lanes;
            dft_->begin_in_tile(one);
            dft_->end_scattered({one}, {results_.data()}, true);
        }
    }
    T*& result(Index number) { return results_[static_cast<std::size_t>(number)]; }

    /// The transform of one tile.
    void finish(T* tile, T* to, Index half_step) {
        const Index step = 2 * Index{pass_.radix};
        dft_->begin_in_tile(tile);
        if (dft_->ends()) {
            dft_->end(tile, to, step, half_step);
            return;
        }
        dft_->end_in_tile(tile, output_.data(), 1);
        this->kernels_.write(output_.data(), one_run(pass_.count),
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
                const Index element =
                    dft_->rows().position(columns.column(place(lane)) % pass_.count);
                pass_.position.push_back(element * 2 * lanes);
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

    Filling<T> filling_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Index count_ = 1;  ///< lines that are worked on together
    AlongPass<T> pass_;
    bool exact_ = false;  ///< reproducible and backward: ..
    AlongPass<T> first_;  ///< .. the first vector of columns, ..
    Tile<T> rows_;        ///< .. and its rows
    Pass<T> last_;        ///< of all these lines, where one pass is left
    Tile<T> twiddles_;
    Tile<T> tiles_;
    Tile<T> output_;
    bool straight_ = false;    ///< results can be streamed as they come
    Tile<T> lines_;            ///< of those that cannot
    std::vector<T*> results_;  ///< where vectors of results go that are streamed
};

}  // namespace

template <class T>
const char* why_not_contiguous_lines(const LineCase<T>& one) {
    const Index n = one.length();
    const bool reproducible = one.task.line.reproducible;
    if (!one.from_lines() || !one.to_lines()) return reasons::not_contiguous;
    const Index lanes = one.kernels.lanes;
    if (n > longest_tile && (!reproducible || short_factor(n, lanes, lanes) > 1)) {
        return reasons::too_long;
    }
    return best_filling(one.kernels, n, reproducible).kernel == nullptr ? reasons::no_kernel
                                                                        : nullptr;
}

template <class T>
std::unique_ptr<Lines<T>> make_contiguous_lines(const LineCase<T>& one) {
    const auto filling = best_filling(one.kernels, one.length(), one.task.line.reproducible);
    return std::make_unique<ContiguousLines<T>>(one.task, one.kernels, filling);
}

WEFT_LINES_RULE_FOR_ALL(contiguous_lines)

template <class T>
Factors reproducible_factors(const Kernels<T>& kernels, Index n) {
    const Filling<T> filling = best_filling(kernels, n, true);
    if (filling.kernel == nullptr) return factorize(kernels.radices, n);
    Factors result = factorize(kernels.radices, n / filling.radix);
    result.radices.insert(result.radices.begin(), filling.radix);
    return result;
}

template Factors reproducible_factors(const Kernels<float>&, Index);
template Factors reproducible_factors(const Kernels<double>&, Index);

}  // namespace weft::core::native
