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

#include "base/transforms.hpp"
#include "fft/native/real/copies.hpp"
#include "fft/native/real_to_real/kernels.hpp"
#include "fft/native/tile_dft.hpp"

namespace weft::core::native {

template <class T>
RealArray<const T> readable(const RealArray<T>& array) {
    return {array.data, array.step, array.tile_step, array.ordered};
}

/// The transform of some tiles, in three steps for the same number of them: read, run, write.
/// Running allocates nothing, and one instance serves one thread at a time.
template <class T>
class RealToReal {
  public:
    RealToReal() = default;
    RealToReal(const RealToReal&) = delete;
    RealToReal& operator=(const RealToReal&) = delete;
    virtual ~RealToReal() = default;

    /// What is read has to stay until `run` is over; `write` may overwrite it.
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

/// Types II, III and IV of even n.
template <class T>
std::unique_ptr<RealToReal<T>> make_even_real_to_real(const Kernels<T>& kernels, AxisKind kind,
                                                      Index n, Index tiles);

/// A transform with the copies between its tiles and callers' arrays.
template <class T>
class RealToRealTile {
  public:
    /// `adjacent`: lanes are adjacent on some side.
    RealToRealTile(const Kernels<T>& kernels, AxisKind kind, Index n, bool adjacent);

    /// The most lines of the calls below, and of what they take as lanes.
    [[nodiscard]] Index lines() const { return tiles_ * kernels_.lanes; }

    /// Whole lines; all are read before one is written.
    void execute(const Lanes<const T>& from, const Lanes<T>& to);
    /// Lines in portions: read all of them, run, write. `some`: these elements of the lines, the
    /// first of which lies at the lanes' data.
    void read(const Lanes<const T>& from, Range some) const;
    void run(Index lines);
    void write(const Lanes<T>& to, Range some) const;

  private:
    [[nodiscard]] T* idle_or_own(T* idle) const {
        return idle != nullptr ? idle : elements_.data();
    }
    /// Elements of lines in memory for those of all tiles.
    [[nodiscard]] RealElements<T> elements(T* memory, Index first, Index tiles) const;
    [[nodiscard]] RealArray<T> array(T* memory) const;
    void execute_tiles(const Lanes<const T>& from, const Lanes<T>& to, Index tiles);

    const Kernels<T>& kernels_;
    Index n_;
    Index tiles_;
    std::unique_ptr<RealToReal<T>> transform_;
    Tile<T> elements_;  ///< of lines in portions, and where the transform has no idle memory
};

}  // namespace weft::core::native
