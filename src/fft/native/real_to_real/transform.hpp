// Real-to-real transforms of real lines of a tile (see real_to_real/kernels.hpp).
//
// fft/reduction.hpp says how a kind is reduced to a DFT. Beyond that
// - II and III of even n = 2h: the DFT is one of h complex numbers (see real/dft.hpp), and what
//   joins the halves of its spectrum turns them as well.
// - I with m = n-1 (dct1) or m = n+1 (dst1) even: elements at odd distances from the centre of
//   symmetry are a dct2 (dst2) of m/2, the others a shorter dct1 (dst1), until m is odd. Example:
//   dct1 of 9 is dct2 of 4 (x1 x3 x5 x7) and dct1 of 5 (x0 x2 x4 x6 x8), a and b:
//   X[k] = b[k] + a[k], X[8-k] = b[k] - a[k], k < 4, X[4] = b[4]. All factors are cosines and
//   sines, none is the reciprocal of a small one, so nothing is lost.
// - Few elements: a matrix.
#pragma once

#include <memory>
#include <vector>

#include "base/transforms.hpp"
#include "fft/native/real/dft.hpp"
#include "fft/native/real_to_real/kernels.hpp"

namespace weft::core::native {

/// The transform of some tiles, in three steps for the same number of them: read, run, write.
/// Running allocates nothing, and one instance serves one thread at a time.
template <class T>
class RealToReal {
  public:
    RealToReal() = default;
    RealToReal(const RealToReal&) = delete;
    RealToReal& operator=(const RealToReal&) = delete;
    virtual ~RealToReal() = default;

    /// What `read` was given has to stay until `write` is called, which may overwrite it element by
    /// element.
    virtual void read(const RealArray<const T>& from, Index tiles) = 0;
    virtual void run(Index tiles) = 0;
    virtual void write(const RealArray<T>& to, Index tiles) = 0;
    /// Memory for the elements of all tiles that is idle before `read` (but not once it is called),
    /// and after `run`; null if there is none.
    [[nodiscard]] virtual T* idle_before() const { return nullptr; }
    [[nodiscard]] virtual T* idle_after() const { return nullptr; }
    /// The first and the last step between tiles and contiguous lines, of which those of the tiles
    /// after the first one lie behind the given ones; false where that is not built.
    [[nodiscard]] virtual bool read_lines(const Lanes<const T>& /*from*/, Index /*tiles*/) {
        return false;
    }
    [[nodiscard]] virtual bool write_lines(const Lanes<T>& /*to*/, Index /*tiles*/) {
        return false;
    }
};

/// Of n elements, of at most so many tiles at a time.
template <class T>
std::unique_ptr<RealToReal<T>> make_real_to_real(const Kernels<T>& kernels, AxisKind kind, Index n,
                                                 Index tiles);

/// A DFT, and what is done before and after it.
template <class T>
struct Reduced {
    std::unique_ptr<RealDft<T>> dft;
    StepTables<T> before{};
    StepTables<T> after{};
};
template <class T>
Reduced<T> make_reduced(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles);

/// The definition of a kind, row by row.
template <class T>
std::vector<T> real_matrix(AxisKind kind, Index n);

}  // namespace weft::core::native
