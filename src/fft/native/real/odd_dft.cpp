// Real lines of odd length: passes that each leave complex lines and a shorter real one.
#include <algorithm>
#include <vector>

#include "fft/native/numbers.hpp"
#include "fft/native/real/dft.hpp"
#include "fft/native/real/hartley.hpp"

namespace weft::core::native {

namespace {

template <class T>
bool has_real_butterfly(const Kernels<T>& kernels, Index radix) {
    return radix <= largest_radix &&
           kernels.first_of_reals[static_cast<std::size_t>(radix)] != nullptr;
}

/// The radix of the first pass on n > 1 real elements: the largest butterfly, since the real line
/// that it leaves is the shortest, else a prime; 0 for a prime that a convolution is cheaper for.
template <class T>
int real_radix(const Kernels<T>& kernels, Index n) {
    for (auto radix = real_radices.rbegin(); radix != real_radices.rend(); ++radix) {
        if (n % *radix == 0) return *radix;
    }
    const Index p = smallest_factor(n);
    if (p == n && convolution_cost(kernels.radices, n) < prime_cost(n)) return 0;
    return static_cast<int>(p);
}

/// A pass, and the complex lines beside it.
template <class T>
struct Level {
    RealPass<T> pass;
    std::unique_ptr<MixedRadix<T>> dft;  ///< of the complex lines, unless they have one element
    Index offset = 0;                    ///< where these lie in the spectrum's tile
    /// Complex lines.
    [[nodiscard]] Index lines() const { return (pass.radix - 1) / 2; }
};

template <class T>
class OddRealDft : public RealDft<T> {
  public:
    OddRealDft(const Kernels<T>& kernels, Index n, Kind kind, Index tiles)
        : kernels_(kernels), n_(n), forward_(kind == Kind::r2c) {
        Index elements = 0;
        Index working = 0;
        Index widest = 0;
        Index left = n;
        while (left > 1) {
            const int radix = real_radix(kernels, left);
            if (radix == 0) {
                hartley_ = std::make_unique<Hartley<T>>(kernels, left, forward_ ? 0.5L : 1.0L);
                hartley_offset_ = elements;
                elements += (left - 1) / 2;
                break;
            }
            const Level<T>& level = add_level(radix, left, elements);
            left /= radix;
            const Index room = level.lines() * level.pass.rows.room();
            elements += forward_ ? level.lines() * left : room;
            working = std::max(working, room);
            if (!has_real_butterfly(kernels, radix)) widest = std::max(widest, 2 * level.lines());
        }
        zero_ = elements;
        spectrum_ = Tile<T>(kernels, tiles * spectrum_room());
        // X[0] is real.
        for (Index tile = 0; tile < tiles; ++tile) {
            std::fill_n(at(tile, zero_), 2 * kernels.lanes, T(0));
        }
        lines_ = Tile<T>(kernels, tiles * working);
        set_rooms(tiles);
        work_ = Tile<T>(kernels, widest);
        places_.reserve(static_cast<std::size_t>(n / 2 + 1));
        for (Index k = 0; k <= n / 2; ++k) places_.push_back(place(k));
    }

    /// (Of n = 1 the element is its own spectrum.)
    [[nodiscard]] T* reals() const override { return reals_of(0, 0); }
    [[nodiscard]] Rows pairs() const override { return {1, (n_ + 1) / 2, (n_ + 1) / 2}; }
    [[nodiscard]] T* spectrum() const override { return spectrum_.data(); }
    [[nodiscard]] Index spectrum_room() const override { return zero_ + 1; }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return places_.data(); }

    /// (The butterflies of the first pass take adjacent lanes from where they are.)
    [[nodiscard]] bool reads_from(const Lanes<const T>& from, Index tiles) override {
        const bool can = forward_ && !levels_.empty() && from.ahead == 0 &&
                         has_real_butterfly(kernels_, levels_.front().pass.radix);
        if (!can) return false;
        array_ = {from.data, from.step, kernels_.lanes, false};
        array_tiles_ = tiles;
        return true;
    }

    void run(Index tiles) override {
        const std::size_t last = levels_.size();
        if (forward_) {
            for (std::size_t i = 0; i < last; ++i) to_lines(i, tiles);
        }
        for (Index tile = 0; hartley_ != nullptr && tile < tiles; ++tile) {
            T* lines = at(tile, hartley_offset_);
            if (forward_) {
                hartley_->to_spectrum(reals_of(last, tile), lines, at(tile, zero_));
            } else {
                hartley_->from_spectrum(lines, at(tile, zero_), reals_of(last, tile));
            }
        }
        if (forward_) return;
        for (std::size_t i = last; i-- > 0;) from_lines(i, tiles);
        unfinished_ = {0, tiles};
    }

    [[nodiscard]] bool writes_to(const Lanes<T>& to, Index tiles) override {
        const bool can = !forward_ && !levels_.empty() && unfinished_.first == 0 &&
                         has_real_butterfly(kernels_, levels_.front().pass.radix);
        if (!can) return false;
        last_pass(0, 0, tiles, {to.data, to.step, kernels_.lanes, false});
        unfinished_.first = tiles;
        return true;
    }
    void finish() override {
        const Index tiles = unfinished_.end - unfinished_.first;
        if (tiles > 0 && !levels_.empty()) {
            last_pass(0, unfinished_.first, tiles, in_tiles(0, unfinished_.first));
        }
        unfinished_ = {};
    }

  private:
    [[nodiscard]] T* at(Index tile, Index element) const {
        return spectrum_.data() + (tile * spectrum_room() + element) * 2 * kernels_.lanes;
    }
    /// The real line that comes before a level, or after the last one; the element that is left of
    /// it in the end is X[0].
    [[nodiscard]] T* reals_of(std::size_t level, Index tile) const {
        if (level == reals_.size()) return at(tile, zero_);
        return reals_[level].data() + tile * reals_room(level) * 2 * kernels_.lanes;
    }
    [[nodiscard]] Index reals_room(std::size_t level) const {
        return level == reals_.size() ? spectrum_room() : (lengths_[level] + 1) / 2;
    }

    /// What several tiles need, once the passes are known.
    void set_rooms(Index tiles) {
        Index n = n_;
        for (const Level<T>& level : levels_) {
            lengths_.push_back(n);
            n /= level.pass.radix;
        }
        if (hartley_ != nullptr) lengths_.push_back(n);
        for (const Index length : lengths_) {
            reals_.emplace_back(kernels_, tiles * ((length + 1) / 2));
        }
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            Level<T>& level = levels_[i];
            RealPass<T>& pass = level.pass;
            pass.reals_room = reals_room(i);
            pass.zero_room = reals_room(i + 1);
            pass.lines_room = level.dft == nullptr
                                  ? spectrum_room()
                                  : level.lines() * (forward_ ? pass.rows.room() : pass.count);
        }
    }

    const Level<T>& add_level(int radix, Index n, Index offset) {
        Level<T>& level = levels_.emplace_back();
        level.offset = offset;
        RealPass<T>& pass = level.pass;
        pass.radix = radix;
        pass.count = n / radix;
        if (pass.count > 1) {
            level.dft = make_tile_dft(kernels_, pass.count, level.lines());
            pass.rows = level.dft->rows();
        }
        pass.line_step = pass.rows.room();
        pass.twiddles.reserve(static_cast<std::size_t>(n + 2 * radix));
        const auto append = [&](const Turn& w, int sign) {
            pass.twiddles.push_back(static_cast<T>(w.cos));
            pass.twiddles.push_back(static_cast<T>(sign * w.sin));
        };
        for (Index c = 0; c < pass.count; ++c) {
            for (Index k = 1; k <= level.lines(); ++k) append(turn(c * k, n), forward_ ? 1 : -1);
        }
        if (!has_real_butterfly(kernels_, radix)) {
            for (Index j = 0; j < radix; ++j) append(turn(j, radix), 1);
        }
        return level;
    }

    /// The complex lines beside a pass, on the side of the spectrum or of the pass.
    [[nodiscard]] T* spectral_lines(const Level<T>& level, Index tile) const {
        return at(tile, level.offset);
    }
    [[nodiscard]] T* lines(const Level<T>& level, Index tile) const {
        if (level.dft == nullptr) return spectral_lines(level, tile);
        return lines_.data() + tile * level.pass.lines_room * 2 * kernels_.lanes;
    }

    void to_lines(std::size_t i, Index tiles) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.first_of_reals[radix]
                                : kernels_.first_of_reals_prime;
        Index first = 0;
        if (i == 0 && array_tiles_ > 0) {
            first = std::min(array_tiles_, tiles);
            kernel(level.pass, array_, lines(level, 0), reals_of(1, 0), first, work_.data());
            array_tiles_ = 0;
        }
        const RealArray<const T> source = {reals_of(i, first), kernels_.lanes,
                                           reals_room(i) * 2 * kernels_.lanes, true};
        kernel(level.pass, source, lines(level, first), reals_of(i + 1, first), tiles - first,
               work_.data());
        for (Index tile = 0; level.dft != nullptr && tile < tiles; ++tile) {
            level.dft->run(lines(level, tile), spectral_lines(level, tile), 1);
        }
    }

    void from_lines(std::size_t i, Index tiles) {
        const Level<T>& level = levels_[i];
        for (Index tile = 0; level.dft != nullptr && tile < tiles; ++tile) {
            level.dft->run(spectral_lines(level, tile), lines(level, tile), 1);
        }
        // The first level's pass is left to where its results are written.
        if (i > 0) last_pass(i, 0, tiles, in_tiles(i, 0));
    }
    [[nodiscard]] RealArray<T> in_tiles(std::size_t level, Index tile) const {
        return {reals_of(level, tile), kernels_.lanes, reals_room(level) * 2 * kernels_.lanes,
                true};
    }
    void last_pass(std::size_t i, Index first, Index tiles, const RealArray<T>& to) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.last_of_reals[radix]
                                : kernels_.last_of_reals_prime;
        kernel(level.pass, lines(level, first), reals_of(i + 1, first), to, tiles, work_.data());
    }

    [[nodiscard]] SpectrumPlace<T> place(Index k) const {
        Index n = n_;
        for (const Level<T>& level : levels_) {
            const Index radix = level.pass.radix;
            const Index h = level.lines();
            if (k % radix != 0) {
                const bool conjugate = k % radix > h;
                const Index stored = conjugate ? n - k : k;
                return {level.offset + element(level, stored % radix - 1, stored / radix),
                        conjugate ? T(-1) : T(1)};
            }
            k /= radix;
            n /= radix;
        }
        if (k == 0) return {zero_, 1};
        for (Index q = 0; q < (n - 1) / 2; ++q) {
            const Index index = forward_ ? hartley_->output_index(q) : hartley_->input_index(q);
            if (index == k) return {hartley_offset_ + q, 1};
            if (index == n - k) return {hartley_offset_ + q, -1};
        }
        return {};
    }
    /// Where frequency f of a complex line is: as the transform leaves it, or as the forward
    /// transform of the line read backwards takes it.
    [[nodiscard]] Index element(const Level<T>& level, Index line, Index f) const {
        if (forward_) return line + level.lines() * f;
        const RealPass<T>& pass = level.pass;
        return line * pass.line_step + pass.rows.position((pass.count - f) % pass.count);
    }

    const Kernels<T>& kernels_;
    Index n_;
    bool forward_;
    std::vector<Level<T>> levels_;
    std::unique_ptr<Hartley<T>> hartley_;  ///< of a prime that is left
    Index hartley_offset_ = 0;
    std::vector<Index> lengths_;  ///< of the real line before each level, and before the prime
    std::vector<Tile<T>> reals_;  ///< these lines
    RealArray<const T> array_;    ///< where the first tiles' real elements are, of adjacent lanes
    Index array_tiles_ = 0;
    Range unfinished_;  ///< c2r: tiles that lack the first level's pass
    Index zero_ = 0;    ///< X[0] in the spectrum's tile
    Tile<T> spectrum_;  ///< complex lines of all levels
    Tile<T> lines_;     ///< of one level, on the other side of their transforms
    Tile<T> work_;
    std::vector<SpectrumPlace<T>> places_;
};

}  // namespace

template <class T>
std::unique_ptr<RealDft<T>> make_odd_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                              Index tiles) {
    return std::make_unique<OddRealDft<T>>(kernels, n, kind, tiles);
}

template std::unique_ptr<RealDft<float>> make_odd_real_dft(const Kernels<float>&, Index, Kind,
                                                           Index);
template std::unique_ptr<RealDft<double>> make_odd_real_dft(const Kernels<double>&, Index, Kind,
                                                            Index);

}  // namespace weft::core::native
