// Hartley transforms of prime length as convolutions of real sequences.
//
// H[k] = sum_j x[j] cas(2 pi jk/p), cas = cos + sin, is Re X[k] - Im X[k], and conversely
// X[k] = (H[k] + H[p-k])/2 - i (H[k] - H[p-k])/2; the transform is its own inverse but for the
// factor p. With g a primitive root and N = p-1 (Rader), for q < N
//     H[g^-q] = x[0] + sum_s x[g^s] cas(2 pi g^(s-q)/p),
// a cyclic convolution of N real numbers, in which q and q + N/2 belong to opposite frequencies.
//
// A cyclic convolution of the real sequences a and t of 2m elements, as complex sequences of m:
// z[j] = a[2j] + i a[2j+1]; with the transforms Te and To of t's even and odd elements and
// w = exp(-2 pi i k/m), the result, packed in the same way, has the transform
//     Z[k] (Te[k] + i To[k] (1 - w)/2) + conj Z[m-k] i To[k] (1 + w)/2.
#pragma once

#include <memory>
#include <vector>

#include "fft/native/real/kernels.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

template <class T>
class Hartley {
  public:
    /// For a prime p > 2. `scale` multiplies the convolution.
    Hartley(const Kernels<T>& kernels, Index p, long double scale);

    /// The index that element q < p-1 of the convolution's input belongs to, and of its result.
    [[nodiscard]] Index input_index(Index q) const { return up_[static_cast<std::size_t>(q)]; }
    [[nodiscard]] Index output_index(Index q) const { return down_[static_cast<std::size_t>(q)]; }

    /// From p real elements, in order, to X[output_index(q)] for q < (p-1)/2, for scale 1/2, and
    /// to the real part of X[0].
    void to_spectrum(const T* reals, T* spectrum, T* zero);
    /// From X[input_index(q)] for q < (p-1)/2 and the real part of X[0], for scale 1.
    void from_spectrum(const T* spectrum, const T* zero, T* reals);

  private:
    void clear();
    void convolve();

    const RealKernels<T>& kernels_;
    Index width_;   ///< numbers of a tile element
    Index count_;   ///< p-1
    Index length_;  ///< of the complex sequences, at least (p-1)/2
    std::unique_ptr<MixedRadix<T>> dft_;
    Tile<T> input_;
    Tile<T> output_;
    std::vector<Index> up_;        ///< g^q
    std::vector<Index> down_;      ///< g^-q
    std::vector<Index> position_;  ///< of complex elements in the input
    std::vector<Index> target_;    ///< of real elements in the input
    std::vector<Index> result_;    ///< of real elements in the output
    std::vector<T> factors_;       ///< of Z and conj Z, re and im each
};

}  // namespace weft::core::native
