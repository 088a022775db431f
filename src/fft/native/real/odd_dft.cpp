// Real lines of odd length: passes that each leave complex lines and a shorter real one.
#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "fft/native/real/dft.hpp"
#include "fft/native/real/hartley.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

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
    using RealDft<T>::forward_;
    using RealDft<T>::spectrum_;

  public:
    OddRealDft(const Kernels<T>& kernels, Index n, Kind kind, Index tiles)
        : RealDft<T>(kind == Kind::r2c), kernels_(kernels), n_(n), width_(2 * kernels.lanes) {
        const auto new_line = [&](Index length) {
            const Index room = (length + 1) / 2;
            memory_.emplace_back(kernels, tiles * room);
            lines_of_reals_.push_back({memory_.back().data(), room * width_, tiles});
        };
        Index elements = 0;
        Index working = 0;
        Index widest = 0;
        Index left = n;
        while (left > 1) {
            new_line(left);
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
            if (!kernels.real->has_butterfly(radix)) widest = std::max(widest, 2 * level.lines());
        }
        zero_ = elements;
        spectrum_tiles_ = Tile<T>(kernels, tiles * (zero_ + 1));
        spectrum_ = {spectrum_tiles_.data(), (zero_ + 1) * width_, tiles};
        // X[0] is real.
        for (Index tile = 0; tile < tiles; ++tile) std::fill_n(at(tile, zero_), width_, T(0));
        // What is left of the real line in the end is X[0].
        if (left == 1) lines_of_reals_.push_back({at(0, zero_), spectrum_.room, tiles});
        for (Level<T>& level : levels_) {
            if (level.dft == nullptr) level.pass.lines_room = zero_ + 1;
        }
        lines_ = Tile<T>(kernels, tiles * working);
        work_ = Tile<T>(kernels, widest);
        this->reals_ = lines_of_reals_.front();
        this->pairs_ = {1, (n + 1) / 2, (n + 1) / 2};
        this->places_.reserve(usize(n / 2 + 1));
        for (Index k = 0; k <= n / 2; ++k) this->places_.push_back(place(k));
    }

    /// (The butterflies of the first pass take adjacent lanes from where they are.)
    [[nodiscard]] bool reads_from(const Lanes<const T>& from, Index tiles) override {
        if (!forward_ || !begins_with_butterfly() || from.ahead != 0) return false;
        array_ = {from.data, from.step, kernels_.lanes, false};
        array_tiles_ = tiles;
        return true;
    }

    void run(Index tiles) override {
        const std::size_t last = levels_.size();
        for (std::size_t i = 0; forward_ && i < last; ++i) to_lines(i, tiles);
        for (Index tile = 0; hartley_ != nullptr && tile < tiles; ++tile) {
            T* lines = at(tile, hartley_offset_);
            T* reals = lines_of_reals_.back().at(tile);
            if (forward_) {
                hartley_->to_spectrum(reals, lines, at(tile, zero_));
            } else {
                hartley_->from_spectrum(lines, at(tile, zero_), reals);
            }
        }
        for (std::size_t i = last; !forward_ && i-- > 0;) from_lines(i, tiles);
        if (!forward_) unfinished_ = {0, tiles};
    }

    [[nodiscard]] bool writes_to(const Lanes<T>& to, Index tiles) override {
        if (forward_ || !begins_with_butterfly() || unfinished_.first != 0) return false;
        last_pass(0, {0, tiles}, {to.data, to.step, kernels_.lanes, false});
        unfinished_.first = tiles;
        return true;
    }
    void finish() override {
        if (unfinished_.end > unfinished_.first && !levels_.empty()) {
            last_pass(0, unfinished_, in_tiles(0, unfinished_.first));
        }
        unfinished_ = {};
    }

  private:
    [[nodiscard]] T* at(Index tile, Index element) const {
        return spectrum_.at(tile) + element * width_;
    }
    [[nodiscard]] bool begins_with_butterfly() const {
        return !levels_.empty() && kernels_.real->has_butterfly(levels_.front().pass.radix);
    }
    /// Where the tables of kernels have the pass of a radix.
    [[nodiscard]] std::size_t slot(const Level<T>& level) const {
        return kernels_.real->has_butterfly(level.pass.radix) ? usize(level.pass.radix) : 0;
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
        pass.lines_room = level.lines() * (forward_ ? pass.rows.room() : pass.count);
        pass.twiddles.reserve(usize(n + 2 * radix));
        for (Index c = 0; c < pass.count; ++c) {
            for (Index k = 1; k <= level.lines(); ++k) {
                append(pass.twiddles, turn(c * k, n), forward_ ? 1 : -1);
            }
        }
        for (Index j = 0; !kernels_.real->has_butterfly(radix) && j < radix; ++j) {
            append(pass.twiddles, turn(j, radix));
        }
        return level;
    }

    /// The complex lines beside a pass, on the side of the pass.
    [[nodiscard]] T* lines(const Level<T>& level, Index tile) const {
        if (level.dft == nullptr) return at(tile, level.offset);
        return lines_.data() + tile * level.pass.lines_room * width_;
    }
    [[nodiscard]] RealArray<T> in_tiles(std::size_t level, Index tile) const {
        const Tiles<T>& reals = lines_of_reals_[level];
        return {reals.at(tile), kernels_.lanes, reals.room, true};
    }

    void to_lines(std::size_t i, Index tiles) {
        const Level<T>& level = levels_[i];
        const auto pass = [&](const RealArray<const T>& from, Index first, Index end) {
            kernels_.real->first[slot(level)](level.pass, from, lines(level, first),
                                              lines_of_reals_[i + 1].from(first, end - first),
                                              work_.data());
        };
        Index first = 0;
        if (i == 0 && array_tiles_ > 0) {
            first = std::min(array_tiles_, tiles);
            pass(array_, 0, first);
            array_tiles_ = 0;
        }
        const RealArray<T> rest = in_tiles(i, first);
        pass({rest.data, rest.step, rest.tile_step, true}, first, tiles);
        for (Index tile = 0; level.dft != nullptr && tile < tiles; ++tile) {
            level.dft->run(lines(level, tile), at(tile, level.offset), 1);
        }
    }

    void from_lines(std::size_t i, Index tiles) {
        const Level<T>& level = levels_[i];
        for (Index tile = 0; level.dft != nullptr && tile < tiles; ++tile) {
            level.dft->run(at(tile, level.offset), lines(level, tile), 1);
        }
        // The first level's pass is left to where its results are written.
        if (i > 0) last_pass(i, {0, tiles}, in_tiles(i, 0));
    }
    void last_pass(std::size_t i, Range tiles, const RealArray<T>& to) {
        const Level<T>& level = levels_[i];
        kernels_.real->last[slot(level)](
            level.pass, lines(level, tiles.first),
            lines_of_reals_[i + 1].from(tiles.first, tiles.end - tiles.first), to, work_.data());
    }

    [[nodiscard]] SpectrumPlace<T> place(Index k) const {
        Index n = n_;
        for (const Level<T>& level : levels_) {
            const Index radix = level.pass.radix;
            if (k % radix != 0) {
                const bool conjugate = k % radix > level.lines();
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
    Index width_;
    std::vector<Level<T>> levels_;
    std::unique_ptr<Hartley<T>> hartley_;  ///< of a prime that is left
    Index hartley_offset_ = 0;
    std::vector<Tile<T>> memory_;
    std::vector<Tiles<T>> lines_of_reals_;  ///< before each level, and after the last one
    RealArray<const T> array_;  ///< where the first tiles' real elements are, of adjacent lanes
    Index array_tiles_ = 0;
    Range unfinished_;        ///< c2r: tiles that lack the first level's pass
    Index zero_ = 0;          ///< X[0] in the spectrum's tile
    Tile<T> spectrum_tiles_;  ///< complex lines of all levels
    Tile<T> lines_;           ///< of one level, on the other side of their transforms
    Tile<T> work_;
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
