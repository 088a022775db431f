// r2c and c2r lines between callers' arrays and the tiles of a DFT.
#include "fft/native/real/tile.hpp"

#include "fft/native/real/dft.hpp"

namespace weft::core::native {

namespace {

template <class T>
class HalvedTile : public RealTile<T> {
    using RealTile<T>::kernels_;

  public:
    HalvedTile(const Kernels<T>& kernels, const LineTransform& line, bool adjacent)
        : RealTile<T>(kernels, line, adjacent),
          n_(line.length),
          forward_(line.kind == Kind::r2c),
          dft_(make_real_dft(kernels, n_, line.kind, this->tiles_)) {
        if (n_ % 2 == 1) return;
        joints_ = make_joints(*dft_, n_);
        if (!forward_) spectrum_ = Tile<T>(kernels, this->tiles_ * (n_ / 2 + 1));
    }

    void read(const Lanes<const T>& all, Range some) override {
        const bool whole_lines = some.first == 0 && some.end == n_ && all.lane_step == 1;
        for_tiles(all, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& from) {
            if (!forward_) {
                read_spectrum(from, some, dft_->spectrum().from(first, tiles), first);
                return;
            }
            const bool whole = whole_lines && first == 0 && from.lanes == kernels_.lanes;
            if (whole && dft_->reads_from(from, tiles)) return;
            read_reals(kernels_, from, some, dft_->reals().from(first, tiles), dft_->pairs());
        });
    }

    void run(Index lines) override {
        const Index tiles = this->tiles_of(lines);
        for (Index tile = joined_; spectrum_.data() != nullptr && tile < tiles; ++tile) {
            kernels_.real->join_halves(spectrum_element(tile, 0), 1, joints_,
                                       dft_->spectrum().at(tile));
        }
        joined_ = 0;
        dft_->run(tiles);
    }

    void write(const Lanes<T>& all, Range some) override {
        const bool whole_lines = some.first == 0 && some.end == n_ && all.lane_step == 1;
        for_tiles(all, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& to) {
            if (forward_) {
                write_spectrum(dft_->spectrum().from(first, tiles), some, to);
                return;
            }
            const bool whole = whole_lines && first == 0 && to.lanes == kernels_.lanes;
            if (whole && dft_->writes_to(to, tiles)) return;
            dft_->finish();
            write_reals(kernels_, dft_->reals().from(first, tiles), dft_->pairs(), some, to);
        });
    }

  private:
    /// Element k of the spectrum in a tile that is read in portions.
    [[nodiscard]] T* spectrum_element(Index tile, Index k) const {
        return spectrum_.data() + (tile * (joints_.half + 1) + k) * 2 * kernels_.lanes;
    }
    /// A run of each tile, so many complex elements from one to the next.
    template <class L>
    static Runs runs(const Lanes<L>& lines, Range some, Index tiles, Index room) {
        return {tiles, some.end - some.first, room, lines.lanes * lines.lane_step, 1};
    }
    [[nodiscard]] Index room() const { return dft_->spectrum().room / (2 * kernels_.lanes); }

    void read_spectrum(const Lanes<const T>& from, Range some, const Tiles<T>& to, Index first) {
        const Runs all = runs(from, some, to.count, room());
        if (n_ % 2 == 1) {
            kernels_.read_spectrum(from, all, dft_->places().data() + some.first, to.data);
            return;
        }
        const bool whole = some.end - some.first == joints_.half + 1;
        if (whole && kernels_.real->read_halves(from, all, joints_, to.data)) {
            joined_ = first + to.count;
            return;
        }
        kernels_.read(from, runs(from, some, to.count, joints_.half + 1),
                      spectrum_element(first, some.first));
    }
    void write_spectrum(const Tiles<T>& from, Range some, const Lanes<T>& to) const {
        const Runs all = runs(to, some, from.count, room());
        if (n_ % 2 == 0) {
            kernels_.real->write_halves(from.data, joints_, some, all, to);
        } else {
            kernels_.write_spectrum(from.data, all, dft_->places().data() + some.first, to);
        }
    }

    Index n_;
    bool forward_;
    std::unique_ptr<RealDft<T>> dft_;
    Joints<T> joints_;  ///< of even n
    // Of c2r of even n.
    Tile<T> spectrum_;  ///< X of each tile that is read in portions
    Index joined_ = 0;  ///< tiles whose Z is there already
};

}  // namespace

template <class T>
std::unique_ptr<RealTile<T>> make_real_tile(const Kernels<T>& kernels, const LineTransform& line,
                                            bool adjacent) {
    if (line.kind == Kind::r2r) return make_real_to_real_tile(kernels, line, adjacent);
    return std::make_unique<HalvedTile<T>>(kernels, line, adjacent);
}

template std::unique_ptr<RealTile<float>> make_real_tile(const Kernels<float>&,
                                                         const LineTransform&, bool);
template std::unique_ptr<RealTile<double>> make_real_tile(const Kernels<double>&,
                                                          const LineTransform&, bool);

}  // namespace weft::core::native
