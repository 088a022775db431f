#include "fft/native/real/dft.hpp"

#include "base/index.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// Of an even number of elements: a complex DFT of half of it. Where that is one pass, it takes all
/// tiles.
template <class T>
class EvenRealDft : public RealDft<T> {
  public:
    EvenRealDft(const Kernels<T>& kernels, Index half, Kind kind, Index tiles)
        : RealDft<T>(kind == Kind::r2c), dft_(make_tile_dft(kernels, half)) {
        single_ = dft_->single();
        if (single_) dft_ = make_tile_dft(kernels, half, tiles);
        const Rows rows = dft_->rows();
        source_ = Tile<T>(kernels, tiles * rows.room());
        target_ = Tile<T>(kernels, tiles * half);
        const Index width = 2 * kernels.lanes;
        const Tiles<T> source = {source_.data(), rows.room() * width, tiles};
        const Tiles<T> target = {target_.data(), half * width, tiles};
        this->source_rows_ = rows;
        this->pairs_ = this->forward_ ? rows : Rows{1, half, half};
        this->reals_ = this->forward_ ? source : target;
        this->spectrum_ = this->forward_ ? target : source;
    }

    void run(Index tiles) override {
        const Tiles<T>& from = this->source();
        const Tiles<T>& to = this->target();
        if (single_) {
            dft_->end_some({0, tiles}, from.data, to.data, this->half(), 1);
            return;
        }
        for (Index t = 0; t < tiles; ++t) dft_->run(from.at(t), to.at(t), 1);
    }

  private:
    [[nodiscard]] Index half() const {
        return this->source_rows_.count * this->source_rows_.length;
    }

    std::unique_ptr<MixedRadix<T>> dft_;
    bool single_ = false;
    Tile<T> source_;
    Tile<T> target_;
};

}  // namespace

template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                          Index tiles) {
    if (n % 2 == 1) return make_odd_real_dft(kernels, n, kind, tiles);
    return std::make_unique<EvenRealDft<T>>(kernels, n / 2, kind, tiles);
}

template <class T>
Joints<T> make_joints(const RealDft<T>& dft, Index n) {
    const Index half = n / 2;
    Joints<T> joints;
    joints.half = half;
    joints.roots.reserve(usize(n + 2));
    for (Index k = 0; k <= half; ++k) {
        const Turn w = turn(k, n);
        joints.roots.push_back(static_cast<T>(dft.forward() ? 0.5L * w.cos : w.cos));
        joints.roots.push_back(static_cast<T>(dft.forward() ? 0.5L * w.sin : -w.sin));
    }
    if (dft.forward()) return joints;
    joints.position.reserve(usize(half));
    // The backward transform is the forward one of Z[(h-k) mod h].
    for (Index k = 0; k < half; ++k) {
        joints.position.push_back(dft.source_rows().position((half - k) % half));
    }
    return joints;
}

template Joints<float> make_joints(const RealDft<float>&, Index);
template Joints<double> make_joints(const RealDft<double>&, Index);
template std::unique_ptr<RealDft<float>> make_real_dft(const Kernels<float>&, Index, Kind, Index);
template std::unique_ptr<RealDft<double>> make_real_dft(const Kernels<double>&, Index, Kind, Index);

}  // namespace weft::core::native
