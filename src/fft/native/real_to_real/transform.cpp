#include "fft/native/real_to_real/transform.hpp"

#include <utility>

#include "fft/native/real/tile.hpp"

namespace weft::core::native {

namespace {

template <class T>
class ByDft : public RealToReal<T> {
    using Kernels = RealToRealKernels<T>;

  public:
    ByDft(const Kernels& kernels, Reduced<T> reduced)
        : reduced_(std::move(reduced)),
          before_(kernels.before[static_cast<std::size_t>(reduced_.before.step)]),
          after_(kernels.after[static_cast<std::size_t>(reduced_.after.step)]) {}

    void read(const RealArray<const T>& from, Index tiles) override {
        before_.reals(from, reduced_.before, dft().source().from(0, tiles));
    }
    bool read_lines(const Lanes<const T>& from, Index tiles) override {
        return before_.lines != nullptr &&
               before_.lines(from, reduced_.before, dft().source().from(0, tiles));
    }
    void run(Index tiles) override {
        dft().run(tiles);
        dft().finish();
    }
    void write(const RealArray<T>& to, Index tiles) override {
        after_.reals(dft().target().from(0, tiles), reduced_.after, to);
    }
    bool write_lines(const Lanes<T>& to, Index tiles) override {
        return after_.lines != nullptr &&
               after_.lines(dft().target().from(0, tiles), reduced_.after, to);
    }

    // (Those of odd lengths keep zeros in their tiles.)
    [[nodiscard]] T* idle_before() const override {
        return dft().places().empty() ? dft().target().data : nullptr;
    }
    [[nodiscard]] T* idle_after() const override {
        return dft().places().empty() ? dft().source().data : nullptr;
    }

  private:
    [[nodiscard]] RealDft<T>& dft() const { return *reduced_.dft; }

    Reduced<T> reduced_;
    typename Kernels::Before before_;
    typename Kernels::After after_;
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
        kernels_.butterfly(evens(), odds(), m_, sine_, to, tiles);
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

template <class T>
class RealToRealTile : public RealTile<T> {
    using RealTile<T>::kernels_;

  public:
    RealToRealTile(const Kernels<T>& kernels, const LineTransform& line, bool adjacent)
        : RealTile<T>(kernels, line, adjacent),
          pairs_((line.length + 1) / 2),
          transform_(make_real_to_real(kernels, line.axis, line.length, this->tiles_)),
          elements_(kernels, this->tiles_ * pairs_) {}

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
            Lanes<T> target = lanes_at(to, first * kernels_.lanes * to.lane_step, to.step);
            target.lanes = lines.lanes;
            execute_tiles(lines, target, tiles);
        });
    }

    void read(const Lanes<const T>& from, Range some) override {
        for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
            read_reals(kernels_, lines, some, all(elements_.data()).from(first, tiles), rows());
        });
    }
    void run(Index lines) override {
        const Index tiles = this->tiles_of(lines);
        const Tiles<T> here = all(elements_.data());
        transform_->read({here.data, kernels_.lanes, here.room}, tiles);
        transform_->run(tiles);
        transform_->write({here.data, kernels_.lanes, here.room}, tiles);
    }
    void write(const Lanes<T>& to, Range some) override {
        for_tiles(to, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& lines) {
            write_reals(kernels_, all(elements_.data()).from(first, tiles), rows(), some, lines);
        });
    }

  private:
    /// Elements of lines in memory for those of all tiles: this, or what is kept for them.
    [[nodiscard]] Tiles<T> all(T* memory) const {
        return {memory != nullptr ? memory : elements_.data(), pairs_ * 2 * kernels_.lanes,
                this->tiles_};
    }
    [[nodiscard]] Rows rows() const { return {1, pairs_, pairs_}; }

    void execute_tiles(const Lanes<const T>& from, const Lanes<T>& to, Index tiles) {
        const Index lanes = kernels_.lanes;
        const Range whole = {0, this->line_.length};
        if (from.lanes == lanes && from.lane_step == 1 && to.lane_step == 1) {
            transform_->read({from.data, from.step, lanes}, tiles);
            transform_->run(tiles);
            transform_->write({to.data, to.step, lanes}, tiles);
            return;
        }
        if (from.step != 1 || !transform_->read_lines(from, tiles)) {
            const Tiles<T> here = all(transform_->idle_before()).from(0, tiles);
            read_reals(kernels_, from, whole, here, rows());
            transform_->read({here.data, lanes, here.room}, tiles);
        }
        transform_->run(tiles);
        if (to.step == 1 && transform_->write_lines(to, tiles)) return;
        const Tiles<T> here = all(transform_->idle_after()).from(0, tiles);
        transform_->write({here.data, lanes, here.room}, tiles);
        write_reals(kernels_, here, rows(), whole, to);
    }

    Index pairs_;
    std::unique_ptr<RealToReal<T>> transform_;
    Tile<T> elements_;  ///< of lines in portions, and where the transform has no idle memory
};

}  // namespace

template <class T>
std::unique_ptr<RealToReal<T>> make_real_to_real(const Kernels<T>& kernels, AxisKind kind, Index n,
                                                 Index tiles) {
    if (n <= largest_dense) return std::make_unique<Dense<T>>(kernels, kind, n);
    const bool one = kind == AxisKind::dct1 || kind == AxisKind::dst1;
    if (one && n % 2 == 1) return std::make_unique<SplitOne<T>>(kernels, kind, n, tiles);
    return std::make_unique<ByDft<T>>(*kernels.real_to_real, make_reduced(kernels, kind, n, tiles));
}

template <class T>
std::unique_ptr<RealTile<T>> make_real_to_real_tile(const Kernels<T>& kernels,
                                                    const LineTransform& line, bool adjacent) {
    return std::make_unique<RealToRealTile<T>>(kernels, line, adjacent);
}

template std::unique_ptr<RealTile<float>> make_real_to_real_tile(const Kernels<float>&,
                                                                 const LineTransform&, bool);
template std::unique_ptr<RealTile<double>> make_real_to_real_tile(const Kernels<double>&,
                                                                  const LineTransform&, bool);

}  // namespace weft::core::native
