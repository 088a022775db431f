// What real-to-real transforms by one complex DFT have in common.
#pragma once

#include "fft/native/real/pair_dft.hpp"
#include "fft/native/real_to_real/transform.hpp"

namespace weft::core::native {

/// The DFT, from tiles that are made of the line to tiles of which its results are made.
template <class T>
class ByComplexDft : public RealToReal<T> {
  public:
    void run(Index tiles) override { dft_.run(source_.data(), target_.data(), tiles, length_); }

  protected:
    ByComplexDft(const Kernels<T>& kernels, Index length, Index tiles)
        : kernels_(*kernels.real_to_real),
          length_(length),
          width_(2 * kernels.lanes),
          dft_(kernels, length, tiles),
          source_(kernels, tiles * dft_.rows().room()),
          target_(kernels, tiles * length) {}

    [[nodiscard]] DftTiles<T> source(Index tiles) const {
        return {source_.data(), dft_.rows().room() * width_, tiles};
    }
    [[nodiscard]] DftTiles<const T> target(Index tiles) const {
        return {target_.data(), length_ * width_, tiles};
    }

    const RealToRealKernels<T>& kernels_;
    Index length_;
    Index width_;  ///< numbers of an element of a tile
    PairDft<T> dft_;
    Tile<T> source_;
    Tile<T> target_;
};

}  // namespace weft::core::native
