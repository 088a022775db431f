// DFTs of real lines of a tile, r2c and c2r. A lane holds one real line and nothing of another one,
// so lines keep their own rounding errors, infinities and NaNs.
//
// n even, h = n/2: z[j] = x[2j] + i x[2j+1] is a complex line, Z its transform (Z[h] = Z[0]), and
// with w = exp(2 pi i/n)
//     X[k] = (Z[k] + conj Z[h-k])/2 - i w^-k (Z[k] - conj Z[h-k])/2,  0 <= k <= h
//     Z[k] = X[k] + conj X[h-k] + i w^k (X[k] - conj X[h-k]),         0 <= k < h.
// n odd: passes on real elements (RealPass), each of which leaves complex lines and a shorter real
// one; a large prime is a convolution of real sequences (hartley.hpp).
#pragma once

#include <memory>
#include <vector>

#include "base/work.hpp"
#include "fft/native/real/copies.hpp"
#include "fft/native/tile_dft.hpp"

namespace weft::core::native {

/// What joins the halves of an even number n = 2h of real elements: then Z lies in place of X.
template <class T>
struct Joints {
    Index half = 1;
    /// r2c: exp(2 pi i k/n)/2; c2r: exp(-2 pi i k/n).
    std::vector<T> roots;
    /// c2r: where Z[k] is expected.
    std::vector<Index> position;
};

/// Transforms the real elements of every lane into their spectrum, or the other way round: of one
/// tile, or of several where lines are short, so that what a tile costs beside its lines is shared.
/// Running allocates nothing, and one instance serves one thread at a time.
template <class T>
class RealDft {
  public:
    RealDft() = default;
    RealDft(const RealDft&) = delete;
    RealDft& operator=(const RealDft&) = delete;
    virtual ~RealDft() = default;

    /// x[2j] is the real part of tile element pairs().position(j), x[2j+1] the imaginary part; the
    /// next tile is pairs().room() elements further.
    [[nodiscard]] virtual T* reals() const = 0;
    [[nodiscard]] virtual Rows pairs() const = 0;
    /// Whether the next run takes the real elements of its first tiles from adjacent lanes in an
    /// array.
    [[nodiscard]] virtual bool reads_from(const Lanes<const T>& /*from*/, Index /*tiles*/) {
        return false;
    }
    /// Whether this writes the real elements of its first tiles, after a run, to adjacent lanes in
    /// an array. `finish` puts those of the other tiles where reals() says, before they are looked
    /// at.
    [[nodiscard]] virtual bool writes_to(const Lanes<T>& /*to*/, Index /*tiles*/) { return false; }
    virtual void finish() {}
    /// X[k], 0 <= k <= n/2, is tile element k, or at places()[k] if that is not null; the next tile
    /// is spectrum_room() elements further.
    [[nodiscard]] virtual T* spectrum() const = 0;
    [[nodiscard]] virtual Index spectrum_room() const = 0;
    [[nodiscard]] virtual const SpectrumPlace<T>* places() const = 0;
    /// Of even lengths, how Z and X are made from each other, which is left to the copies; else
    /// null.
    [[nodiscard]] virtual const Joints<T>* joints() const { return nullptr; }
    /// From one to the other, without a factor; what is transformed is overwritten.
    virtual void run(Index tiles) = 0;
};

/// r2c or c2r, of at most so many tiles at a time; of long lines one.
template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                          Index tiles);
/// For odd n.
template <class T>
std::unique_ptr<RealDft<T>> make_odd_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                              Index tiles);

/// A transform with the copies between its tiles and callers' arrays, of some elements of the lines
/// at a time. The first of these is at the arrays' data.
template <class T>
class RealTile {
  public:
    /// `adjacent`: the real elements are those of lanes that are adjacent in an array.
    RealTile(const Kernels<T>& kernels, Index n, Kind kind, bool adjacent);

    /// The most lines of the calls below, and of what they take as lanes.
    [[nodiscard]] Index lines() const { return tiles_ * kernels_.lanes; }

    void read_reals(const Lanes<const T>& from, Range some) const;
    void write_reals(const Lanes<T>& to, Range some) const;
    void read_spectrum(const Lanes<const T>& from, Range some);
    void write_spectrum(const Lanes<T>& to, Range some) const;
    void run(Index lines);

  private:
    /// The real elements of some tiles.
    [[nodiscard]] RealElements<T> reals(Index first, Index tiles) const;

    const Kernels<T>& kernels_;
    Index n_;
    Index tiles_;
    std::unique_ptr<RealDft<T>> dft_;
    // Of even c2r.
    Tile<T> spectrum_;  ///< X of each tile that is read in portions
    Index joined_ = 0;  ///< tiles whose Z is there already
};

}  // namespace weft::core::native
