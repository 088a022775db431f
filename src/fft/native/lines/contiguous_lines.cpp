// Lines that are contiguous on both sides, with vectors along them.
//
// n = r m, j = c + m i (i < r, c < m), k = e + r f (e < r, f < m):
//     X[e + r f] = sum_c exp(-2 pi i c f/m) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/r) x[c + m i]
// The inner sums are butterflies of adjacent columns c, which leave adjacent results e side by
// side; these are the lanes of tiles of m elements, whose transforms give adjacent frequencies.
#include <algorithm>
#include <cstdint>

#include "base/index.hpp"
#include "fft/native/lines/ahead.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// The columns of the pass along a line; of one that is read backwards they begin with element n,
/// which is element 0, so that its rows are contiguous, too.
struct Columns {
    int radix;
    Index count;
    bool backwards;
    bool exact;  ///< column 0 is that of element 0, as where lines are lanes, and not of element n

    /// What is in place `i` of a row.
    [[nodiscard]] Index column(Index i) const {
        if (i == 0 && exact) return 0;
        return backwards ? count - i : i;
    }
    [[nodiscard]] Turn twiddle(Index i, Index k) const {
        const Index n = radix * count;
        return turn(column(i) * k % n, n);
    }
};

/// Where vectors begin that cover so many columns: the last one may overlap the one before.
std::vector<Index> vectors(Index columns, Index lanes) {
    std::vector<Index> first;
    first.reserve(usize((columns + lanes - 1) / lanes));
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
    const auto index = usize(radix);
    const Index lanes = kernels.lanes;
    const Index covered = (columns + lanes - 1) / lanes * lanes;
    if (columns < lanes || 2 * covered > 3 * columns) return {};
    if (2 * radix == lanes) return {radix, 2, kernels.along_halves[index]};
    return {radix, 1, kernels.along[index]};
}

/// The best one for lines of length n; `alone`: of those in which no lines share a vector.
template <class T>
Filling<T> best_filling(const Kernels<T>& kernels, Index n, bool alone) {
    const int radix = cheapest_radix(std::min<Index>(largest_radix, n / 2), [&](int radix) {
        if (n % radix != 0) return HUGE_VAL;
        const Filling<T> one = filling(kernels, radix, n / radix);
        if (one.kernel == nullptr || (alone && one.halves > 1)) return HUGE_VAL;
        const Factors rest = factorize(kernels.radices, n / radix);
        // Halves are only written by a butterfly.
        if (one.halves > 1 && !ends_with_butterfly(kernels.radices, rest)) return HUGE_VAL;
        // Results of large butterflies spill; two lines are two butterflies for one tile.
        return rest.cost + (radix > 8 ? 4 : 0) + (one.halves > 1 ? 4 : 0);
    });
    return radix == 0 ? Filling<T>{} : filling(kernels, radix, n / radix);
}

template <class T>
class ContiguousLines : public LineTile<T> {
  public:
    ContiguousLines(const LineCase<T>& one, const Filling<T>& filling)
        : kernels_(one.kernels),
          backwards_(one.task.line.sign > 0),
          caches_(one.task.caches),
          filling_(filling),
          dft_(make_tile_dft(one.kernels, one.length() / filling.radix)) {
        pass_.radix = filling.radix;
        pass_.count = one.length() / filling.radix;
        pass_.columns = vectors(pass_.count, kernels_.lanes);
        pass_.line_room = dft_->rows().room();
        exact_ = one.task.line.reproducible && backwards_;
        Index tiles = exact_ ? brought : 1;
        if (dft_->single()) tiles = std::max(tiles, several / pass_.count);
        this->together_ = filling.halves;
        this->most_ = tiles * filling.halves;
        pass_.group_step = tiles * pass_.line_room;
        fill_tables({filling.radix, pass_.count, backwards_, exact_});
        if (exact_) part_first_columns();
        last_.radix = static_cast<int>(pass_.count);
        last_.base.reserve(usize(tiles));
        for (Index tile = 0; tile < tiles; ++tile) last_.base.push_back(tile * pass_.line_room);
        tiles_ = Tile<T>(kernels_, groups() * pass_.group_step);
        if (!dft_->ends()) output_ = Tile<T>(kernels_, pass_.count);
        if (!caches_.stream) return;
        constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
        const Index line_step = 2 * lane_loop(one.task, kernels_.lanes).to;
        straight_ = 2 * kernels_.lanes % cache_line == 0 && line_step % cache_line == 0 &&
                    2 * filling.radix % cache_line == 0 && dft_->ends() && filling.halves == 1;
        this->is_staged_ = !straight_;
        results_.resize(usize(tiles * pass_.count));
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        const Index count = from.lanes;
        begin(from);
        const bool streams = straight_ && is_aligned(to.data);
        const Index to_step = to.lane_step;
        if (caches_.far_to && !caches_.stream) {
            ask_for(to.data + count * to_step, to_step, count, {0, pass_.radix * pass_.count});
        }
        const Index lanes = kernels_.lanes;
        const Index tiles = count / filling_.halves;
        const Index step = filling_.halves * to_step;
        const Index half_step = filling_.halves > 1 ? to_step : lanes;
        for (Index group = 0; group < groups(); ++group) {
            T* tile = tiles_.data() + group * pass_.group_step * 2 * lanes;
            T* results = to.data + group * 2 * lanes;
            if (streams) {
                stream(tile, tiles, results, step);
                continue;
            }
            if (dft_->single()) {
                kernels_.last[usize(last_.radix)](last_, {0, tiles}, tile, results, step,
                                                  2 * Index{pass_.radix}, half_step);
                continue;
            }
            for (Index i = 0; i < tiles; ++i) {
                finish(tile + i * pass_.line_room * 2 * lanes, results + i * step, half_step);
            }
        }
    }

  private:
    /// Tile elements that are worked on together: enough that the latency of one line's steps is
    /// hidden by those of others.
    static constexpr Index several = 32;
    /// Lines whose first columns are brought together: a vector that is loaded just after its parts
    /// were stored waits for these stores.
    static constexpr Index brought = 4;

    /// Tiles that a line's results lie in.
    [[nodiscard]] Index groups() const { return std::max<Index>(pass_.radix / kernels_.lanes, 1); }

    void begin(const Lanes<const T>& from) {
        const Index row = 2 * pass_.count;
        pass_.ahead = from.ahead;
        if (exact_) transform_first_columns(from.data, from.lanes, from.lane_step);
        filling_.kernel(pass_, backwards_ ? from.data + (pass_.radix - 1) * row : from.data,
                        backwards_ ? -row : row, from.lane_step, from.lanes, tiles_.data());
    }

    /// The first vector of columns by itself, which place 0 is brought to from element 0.
    void part_first_columns() {
        const auto lanes = static_cast<std::ptrdiff_t>(kernels_.lanes);
        first_ = pass_;
        first_.columns.resize(1);
        first_.position.resize(usize(lanes));
        pass_.columns.erase(pass_.columns.begin());
        pass_.position.erase(pass_.position.begin(), pass_.position.begin() + lanes);
        pass_.twiddles += (pass_.radix - 1) * 2 * lanes;
        rows_ = Tile<T>(kernels_, this->most_ * pass_.radix);
    }
    void transform_first_columns(const T* from, Index count, Index from_step) {
        const Index width = 2 * kernels_.lanes;
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
            kernels_.last_streamed[usize(last.radix)](last, {tile}, {results_.data()});
            return;
        }
        for (Index i = 0; i < tiles; ++i) {
            for (Index k = 0; k < pass_.count; ++k) result(k) = to + i * step + k * next;
            T* one = tile + i * pass_.line_room * 2 * kernels_.lanes;
            dft_->begin_in_tile(one);
            dft_->end_scattered({one}, {results_.data()}, true);
        }
    }
    T*& result(Index number) { return results_[usize(number)]; }

    /// The transform of one tile.
    void finish(T* tile, T* to, Index half_step) {
        const Index step = 2 * Index{pass_.radix};
        dft_->begin_in_tile(tile);
        if (dft_->ends()) {
            dft_->end(tile, to, step, half_step);
            return;
        }
        dft_->end_in_tile(tile, output_.data(), 1);
        kernels_.write(output_.data(), one_run(pass_.count), {to, step, 2, kernels_.lanes, false});
    }

    void fill_tables(const Columns& columns) {
        const auto& order = kernels_.order;
        const Index lanes = kernels_.lanes;
        twiddles_ = Tile<T>(kernels_, static_cast<Index>(pass_.columns.size()) * (pass_.radix - 1));
        T* twiddle = twiddles_.data();
        for (const Index first : pass_.columns) {
            const auto place = [&](Index lane) {
                return (first + order[usize(lane)]) % pass_.count;
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

    const Kernels<T>& kernels_;
    bool backwards_;
    CacheHints caches_;
    Filling<T> filling_;
    std::unique_ptr<MixedRadix<T>> dft_;
    AlongPass<T> pass_;
    bool exact_ = false;  ///< reproducible and backward: ..
    AlongPass<T> first_;  ///< .. the first vector of columns, ..
    Tile<T> rows_;        ///< .. and its rows
    Pass<T> last_;        ///< of all these lines, where one pass is left
    Tile<T> twiddles_;
    Tile<T> tiles_;
    Tile<T> output_;
    bool straight_ = false;    ///< results can be streamed as they come
    std::vector<T*> results_;  ///< where vectors of results go that are streamed
};

}  // namespace

template <class T>
LinesOffer<T> contiguous_lines(const LineCase<T>& one) {
    const Index n = one.length();
    const bool reproducible = one.task.line.reproducible;
    if (!one.from_lines() || !one.to_lines()) return {reasons::not_contiguous};
    const Index lanes = one.kernels.lanes;
    if (n > longest_tile && (!reproducible || short_factor(n, lanes, lanes) > 1)) {
        return {reasons::too_long};
    }
    const Filling<T> filling = best_filling(one.kernels, n, reproducible);
    if (filling.kernel == nullptr) return {reasons::no_kernel};
    return offer<ContiguousLines<T>>(one, filling);
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
