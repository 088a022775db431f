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
    Tile<T> reals;                       ///< what the pass reads, or writes if it is the last one
    /// Complex lines.
    [[nodiscard]] Index lines() const { return (pass.radix - 1) / 2; }
};

template <class T>
class OddRealDft : public RealDft<T> {
  public:
    OddRealDft(const Kernels<T>& kernels, Index n, Kind kind)
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
                prime_reals_ = Tile<T>(kernels, (left + 1) / 2);
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
        spectrum_ = Tile<T>(kernels, elements + 1);
        // X[0] is real.
        std::fill_n(at(zero_), 2 * kernels.lanes, T(0));
        lines_ = Tile<T>(kernels, working);
        work_ = Tile<T>(kernels, widest);
        places_.reserve(static_cast<std::size_t>(n / 2 + 1));
        for (Index k = 0; k <= n / 2; ++k) places_.push_back(place(k));
    }

    [[nodiscard]] T* reals() const override { return reals_of(0); }
    [[nodiscard]] Rows pairs() const override { return {1, (n_ + 1) / 2, (n_ + 1) / 2}; }
    [[nodiscard]] T* spectrum() const override { return spectrum_.data(); }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return places_.data(); }

    void run() override {
        if (forward_) {
            for (std::size_t i = 0; i < levels_.size(); ++i) to_lines(i);
            if (hartley_ != nullptr) {
                hartley_->to_spectrum(prime_reals_.data(), at(hartley_offset_), at(zero_));
            }
            return;
        }
        if (hartley_ != nullptr) {
            hartley_->from_spectrum(at(hartley_offset_), at(zero_), prime_reals_.data());
        }
        for (std::size_t i = levels_.size(); i-- > 0;) from_lines(i);
    }

  private:
    [[nodiscard]] T* at(Index element) const {
        return spectrum_.data() + element * 2 * kernels_.lanes;
    }
    /// The real line that comes before a level, or after the last one.
    [[nodiscard]] T* reals_of(std::size_t level) const {
        if (level < levels_.size()) return levels_[level].reals.data();
        return hartley_ != nullptr ? prime_reals_.data() : at(zero_);
    }

    const Level<T>& add_level(int radix, Index n, Index offset) {
        Level<T>& level = levels_.emplace_back();
        level.offset = offset;
        level.reals = Tile<T>(kernels_, (n + 1) / 2);
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

    void to_lines(std::size_t i) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.first_of_reals[radix]
                                : kernels_.first_of_reals_prime;
        T* results = at(level.offset);
        T* lines = level.dft != nullptr ? lines_.data() : results;
        kernel(level.pass, level.reals.data(), lines, reals_of(i + 1), work_.data());
        if (level.dft != nullptr) level.dft->run(lines, results, 1);
    }

    void from_lines(std::size_t i) {
        const Level<T>& level = levels_[i];
        const auto radix = static_cast<std::size_t>(level.pass.radix);
        const auto kernel = has_real_butterfly(kernels_, level.pass.radix)
                                ? kernels_.last_of_reals[radix]
                                : kernels_.last_of_reals_prime;
        T* lines = at(level.offset);
        if (level.dft != nullptr) {
            level.dft->run(lines, lines_.data(), 1);
            lines = lines_.data();
        }
        kernel(level.pass, lines, reals_of(i + 1), level.reals.data(), work_.data());
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
    Tile<T> prime_reals_;
    Index zero_ = 0;    ///< X[0] in the spectrum's tile
    Tile<T> spectrum_;  ///< complex lines of all levels
    Tile<T> lines_;     ///< of one level, on the other side of their transforms
    Tile<T> work_;
    std::vector<SpectrumPlace<T>> places_;
};

}  // namespace

template <class T>
std::unique_ptr<RealDft<T>> make_odd_real_dft(const Kernels<T>& kernels, Index n, Kind kind) {
    return std::make_unique<OddRealDft<T>>(kernels, n, kind);
}

template std::unique_ptr<RealDft<float>> make_odd_real_dft(const Kernels<float>&, Index, Kind);
template std::unique_ptr<RealDft<double>> make_odd_real_dft(const Kernels<double>&, Index, Kind);

}  // namespace weft::core::native
