// Complex DFTs of several tiles that lie behind each other.
#pragma once

#include <memory>

#include "fft/native/tile_dft.hpp"

namespace weft::core::native {

/// Of `half` complex elements, which are often pairs of real ones. Where there is only one pass, it
/// takes all tiles.
template <class T>
class PairDft {
  public:
    PairDft(const Kernels<T>& kernels, Index half, Index tiles)
        : dft_(make_tile_dft(kernels, half)), single_(dft_->single()) {
        if (single_) dft_ = make_tile_dft(kernels, half, tiles);
        width_ = 2 * kernels.lanes;
    }
    [[nodiscard]] Rows rows() const { return dft_->rows(); }

    void run(T* from, T* to, Index tiles, Index room) const {
        if (single_) {
            dft_->end_some({0, tiles}, from, to, room, 1);
            return;
        }
        for (Index t = 0; t < tiles; ++t) {
            dft_->run(from + t * rows().room() * width_, to + t * room * width_, 1);
        }
    }

  private:
    std::unique_ptr<MixedRadix<T>> dft_;
    bool single_;
    Index width_;
};

}  // namespace weft::core::native
