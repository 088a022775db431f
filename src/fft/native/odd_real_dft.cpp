// Real lines of odd length: passes that each leave complex lines and a shorter real one.
#include <algorithm>
#include <vector>

#include "fft/native/hartley.hpp"
#include "fft/native/numbers.hpp"
#include "fft/native/real_dft.hpp"

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
                if (!levels_.empty()) between_.emplace_back(kernels, (left + 1) / 2);
                elements += (left - 1) / 2;
                break;
            }
            const Level<T>& level = add_level(radix, left, elements);
            left /= radix;
            const Index room = level.lines() * level.pass.rows.room();
            elements += forward_ ? level.lines() * left : room;
            working = std::max(working, room);
            if (!has_real_butterfly(kernels, radix)) widest = std::max(widest, level.lines());
        }
        zero_ = elements;
        const Index first_room = (n + 1) / 2;
        first_ = Tile<T>(kernels, tiles * first_room);
        spectrum_ = Tile<T>(kernels, tiles * spectrum_room());
        // X[0] is real.
        for (Index tile = 0; tile < tiles; ++tile) {
            std::fill_n(at(tile, zero_), 2 * kernels.lanes, T(0));
        }
        single_ = levels_.size() == 1 && has_real_butterfly(kernels, n);
        if (single_) {
            RealPass<T>& pass = levels_.front().pass;
            pass.reals_room = first_room;
            pass.lines_room = pass.zero_room = spectrum_room();
        }
        lines_ = Tile<T>(kernels, working);
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

    void run(Index tiles) override {
        const Index calls = single_ ? 1 : tiles;
        const Index together = single_ ? tiles : 1;
        for (Index tile = 0; tile < calls; ++tile) {
            if (forward_) {
                for (std::size_t i = 0; i < levels_.size(); ++i) to_lines(i, tile, together);
                if (hartley_ == nullptr) continue;
                hartley_->to_spectrum(reals_of(levels_.size(), tile), at(tile, hartley_offset_),
                                      at(tile, zero_));
            } else {
                if (hartley_ != nullptr) {
                    hartley_->from_spectrum(at(tile, hartley_offset_), at(tile, zero_),
                                            reals_of(levels_.size(), tile));
                }
                for (std::size_t i = levels_.size(); i-- > 0;) from_lines(i, tile, together);
            }
        }
    }

  private:
    [[nodiscard]] T* at(Index tile, Index element) const {
        return spectrum_.data() + (tile * spectrum_room() + element) * 2 * kernels_.lanes;
    }
    /// The real line that comes before a level, or after the last one.
    [[nodiscard]] T* reals_of(std::size_t level, Index tile) const {
        const bool ends = level == levels_.size() && hartley_ == nullptr;
        if (ends) return at(tile, zero_);
        if (level == 0) return first_.data() + tile * pairs().room() * 2 * kernels_.lanes;
        return between_[level - 1].data();
    }

    const Level<T>& add_level(int radix, Index n, Index offset) {
        Level<T>& level = levels_.emplace_back();
        level.offset = offset;
        if (levels_.size() > 1) between_.emplace_back(kernels_, (n + 1) / 2);
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

    void to_lines(std::size_t i, Index tile, Index tiles) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.first_of_reals[radix]
                                : kernels_.first_of_reals_prime;
        T* results = at(tile, level.offset);
        T* lines = level.dft != nullptr ? lines_.data() : results;
        kernel(level.pass, reals_of(i, tile), lines, reals_of(i + 1, tile), tiles, work_.data());
        if (level.dft != nullptr) level.dft->run(lines, results, 1);
    }

    void from_lines(std::size_t i, Index tile, Index tiles) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.last_of_reals[radix]
                                : kernels_.last_of_reals_prime;
        T* lines = at(tile, level.offset);
        if (level.dft != nullptr) {
            level.dft->run(lines, lines_.data(), 1);
            lines = lines_.data();
        }
        kernel(level.pass, lines, reals_of(i + 1, tile), reals_of(i, tile), tiles, work_.data());
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
    bool single_ = false;  ///< one butterfly, of several tiles at a time
    std::vector<Level<T>> levels_;
    std::unique_ptr<Hartley<T>> hartley_;  ///< of a prime that is left
    Index hartley_offset_ = 0;
    Tile<T> first_;                 ///< the real elements, of all tiles
    std::vector<Tile<T>> between_;  ///< the real line before each level but the first, of one tile
    Index zero_ = 0;                ///< X[0] in the spectrum's tile
    Tile<T> spectrum_;              ///< complex lines of all levels
    Tile<T> lines_;                 ///< of one level, on the other side of their transforms
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
