#include "fft/native/real_to_real/transform.hpp"

#include <vector>

#include "fft/native/real/dft.hpp"
#include "fft/native/real_to_real/dft.hpp"
#include "fft/native/real_to_real/tables.hpp"
#include "fft/reduction.hpp"

namespace weft::core::native {

namespace {

/// Kinds that are reduced to r2c or c2r of odd n.
template <class T>
class OddByReal : public RealToReal<T> {
  public:
    OddByReal(const Kernels<T>& kernels, const Reduction& reduction, Index tiles)
        : kernels_(*kernels.real_to_real),
          n_(reduction.dft.length),
          forward_(reduction.dft.kind == Kind::r2c),
          width_(2 * kernels.lanes),
          dft_(make_real_dft(kernels, n_, reduction.dft.kind, tiles)) {
        const Rows rows = dft_->pairs();
        const auto number = [&](Index i) { return number_at(rows, i, kernels.lanes); };
        const auto place = [&](Index k) { return dft_->places()[k]; };
        places_ =
            forward_ ? places_before<T>(reduction, number) : places_after<T>(reduction, number);
        pairs_ = forward_ ? pairs_after<T>(reduction, place) : pairs_before<T>(reduction, place);
    }

    void read(const RealArray<const T>& from, Index tiles) override {
        if (forward_) {
            kernels_.scatter(from, places_.data(), n_, reals(tiles));
        } else {
            kernels_.join_pairs(from, pairs_.data(), pairs(), spectrum(tiles));
        }
    }
    bool read_lines(const Lanes<const T>& from, Index tiles) override {
        if (forward_) kernels_.scatter_lines(from, places_.data(), n_, reals(tiles));
        return forward_;
    }
    void run(Index tiles) override {
        dft_->run(tiles);
        dft_->finish();
    }
    void write(const RealArray<T>& to, Index tiles) override {
        if (forward_) {
            kernels_.part_pairs(readable_tiles(spectrum(tiles)), pairs_.data(), pairs(), to);
        } else {
            kernels_.gather(readable_tiles(reals(tiles)), places_.data(), n_, to);
        }
    }
    bool write_lines(const Lanes<T>& to, Index tiles) override {
        if (!forward_) kernels_.gather_lines(readable_tiles(reals(tiles)), places_.data(), n_, to);
        return !forward_;
    }

  private:
    [[nodiscard]] DftTiles<T> reals(Index tiles) const {
        return {dft_->reals(), dft_->pairs().room() * width_, tiles};
    }
    [[nodiscard]] DftTiles<T> spectrum(Index tiles) const {
        return {dft_->spectrum(), dft_->spectrum_room() * width_, tiles};
    }
    static DftTiles<const T> readable_tiles(const DftTiles<T>& tiles) {
        return {tiles.data, tiles.room, tiles.count};
    }
    [[nodiscard]] Index pairs() const { return static_cast<Index>(pairs_.size()); }

    const RealToRealKernels<T>& kernels_;
    Index n_;
    bool forward_;
    Index width_;
    std::unique_ptr<RealDft<T>> dft_;
    std::vector<RealPlace<T>> places_{};
    std::vector<RealPair<T>> pairs_{};
};

/// Kinds that are reduced to a complex DFT.
template <class T>
class ByComplex : public ByComplexDft<T> {
    using Base = ByComplexDft<T>;
    using Base::dft_;
    using Base::kernels_;

  public:
    ByComplex(const Kernels<T>& kernels, const Reduction& reduction, Index tiles)
        : Base(kernels, reduction.dft.length, tiles) {
        const Rows rows = dft_.rows();
        before_ = pairs_before<T>(reduction, [&](Index i) {
            return SpectrumPlace<T>{rows.position(i), 1};
        });
        after_ = pairs_after<T>(reduction, [](Index i) { return SpectrumPlace<T>{i, 1}; });
    }

    void read(const RealArray<const T>& from, Index tiles) override {
        kernels_.join_pairs(from, before_.data(), static_cast<Index>(before_.size()),
                            this->source(tiles));
    }
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.part_pairs(this->target(tiles), after_.data(), static_cast<Index>(after_.size()),
                            to);
    }

    [[nodiscard]] T* idle_before() const override { return this->target_.data(); }
    [[nodiscard]] T* idle_after() const override { return this->source_.data(); }

  private:
    std::vector<RealPair<T>> before_{};
    std::vector<RealPair<T>> after_{};
};

/// At most largest_dense elements.
template <class T>
class Dense : public RealToReal<T> {
  public:
    Dense(const Kernels<T>& kernels, AxisKind kind, Index n)
        : kernels_(*kernels.real_to_real), n_(n), matrix_(real_matrix<T>(kind, n)) {}

    void read(const RealArray<const T>& from, Index /*tiles*/) override { from_ = from; }
    void run(Index /*tiles*/) override {}
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.dense(from_, matrix_.data(), n_, to, tiles);
    }

  private:
    const RealToRealKernels<T>& kernels_;
    Index n_;
    RealArray<const T> from_{};
    std::vector<T> matrix_;
};

/// dct1 and dst1 with even m.
template <class T>
class SplitOne : public RealToReal<T> {
  public:
    SplitOne(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles)
        : kernels_(*kernels.real_to_real),
          sine_(kind == AxisKind::dst1),
          m_(sine_ ? n + 1 : n - 1),
          lanes_(kernels.lanes),
          even_count_(sine_ ? m_ / 2 - 1 : m_ / 2 + 1),
          even_(make_real_to_real(kernels, kind, even_count_, tiles)),
          odd_(make_real_to_real(kernels, sine_ ? AxisKind::dst2 : AxisKind::dct2, m_ / 2, tiles)),
          evens_(kernels, tiles * (even_count_ + 1) / 2 + 1),
          odds_(kernels, tiles * (m_ / 2 + 1) / 2 + 1) {}

    /// Element e of a sine transform is at the distance e+1 from the centre.
    void read(const RealArray<const T>& from, Index tiles) override {
        even_->read(every_second(from, sine_ ? 1 : 0), tiles);
        odd_->read(every_second(from, sine_ ? 0 : 1), tiles);
    }
    void run(Index tiles) override {
        even_->run(tiles);
        even_->write(evens(), tiles);
        odd_->run(tiles);
        odd_->write(odds(), tiles);
    }
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.butterfly(readable(evens()), readable(odds()), m_, sine_, to, tiles);
    }

  private:
    static RealArray<const T> every_second(const RealArray<const T>& from, Index first) {
        return {from.data + first * from.step, 2 * from.step, from.tile_step, from.ordered};
    }
    [[nodiscard]] RealArray<T> evens() const {
        return {evens_.data(), lanes_, even_count_ * lanes_, true};
    }
    [[nodiscard]] RealArray<T> odds() const {
        return {odds_.data(), lanes_, m_ / 2 * lanes_, true};
    }

    const RealToRealKernels<T>& kernels_;
    bool sine_;
    Index m_;
    Index lanes_;
    Index even_count_;
    std::unique_ptr<RealToReal<T>> even_;
    std::unique_ptr<RealToReal<T>> odd_;
    Tile<T> evens_;  ///< what these make
    Tile<T> odds_;
};

}  // namespace

template <class T>
std::unique_ptr<RealToReal<T>> make_real_to_real(const Kernels<T>& kernels, AxisKind kind, Index n,
                                                 Index tiles) {
    if (n <= largest_dense) return std::make_unique<Dense<T>>(kernels, kind, n);
    const bool one = kind == AxisKind::dct1 || kind == AxisKind::dst1;
    if (one && n % 2 == 1) return std::make_unique<SplitOne<T>>(kernels, kind, n, tiles);
    if (!one && n % 2 == 0) return make_even_real_to_real(kernels, kind, n, tiles);
    const Reduction reduction = reduction_of(kind, n, Precision::f64);
    if (reduction.dft.kind == Kind::c2c) {
        return std::make_unique<ByComplex<T>>(kernels, reduction, tiles);
    }
    return std::make_unique<OddByReal<T>>(kernels, reduction, tiles);
}

template std::unique_ptr<RealToReal<float>> make_real_to_real(const Kernels<float>&, AxisKind,
                                                              Index, Index);
template std::unique_ptr<RealToReal<double>> make_real_to_real(const Kernels<double>&, AxisKind,
                                                               Index, Index);

}  // namespace weft::core::native
