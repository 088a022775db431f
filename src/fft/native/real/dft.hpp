// DFTs of real lines of a tile, r2c and c2r. A lane holds one real line and nothing of another one,
// so lines keep their own rounding errors, infinities and NaNs.
//
// n even, h = n/2: z[j] = x[2j] + i x[2j+1] is a complex line, Z its transform (Z[h] = Z[0]), and
// with w = exp(2 pi i/n)
//     X[k] = (Z[k] + conj Z[h-k])/2 - i w^-k (Z[k] - conj Z[h-k])/2,  0 <= k <= h
//     Z[k] = X[k] + conj X[h-k] + i w^k (X[k] - conj X[h-k]),         0 <= k < h,
// which is left to the copies: RealDft is the transform of z.
// n odd: passes on real elements (RealPass), each of which leaves complex lines and a shorter real
// one; a large prime is a convolution of real sequences (hartley.hpp).
#pragma once

#include <memory>
#include <vector>

#include "base/work.hpp"
#include "fft/native/real/kernels.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

/// Transforms the real elements of every lane into their spectrum, or the other way round: of one
/// tile, or of several where lines are short, so that what a tile costs beside its lines is shared.
/// Running allocates nothing, and one instance serves one thread at a time.
template <class T>
class RealDft {
  public:
    explicit RealDft(bool forward) : forward_(forward) {}
    RealDft(const RealDft&) = delete;
    RealDft& operator=(const RealDft&) = delete;
    virtual ~RealDft() = default;

    [[nodiscard]] bool forward() const { return forward_; }
    /// x[2j] is the real part of element pairs().position(j) of a tile, x[2j+1] the imaginary part.
    [[nodiscard]] const Tiles<T>& reals() const { return reals_; }
    [[nodiscard]] const Rows& pairs() const { return pairs_; }
    /// Even n: element k is Z[k], or of c2r Z[(h-k) mod h] is at source_rows().position(k).
    /// Odd n: X[k], 0 <= k <= n/2, is at places()[k].
    [[nodiscard]] const Tiles<T>& spectrum() const { return spectrum_; }
    [[nodiscard]] const std::vector<SpectrumPlace<T>>& places() const { return places_; }
    /// Where complex elements are that are transformed, for even n.
    [[nodiscard]] const Rows& source_rows() const { return source_rows_; }
    /// The two sides, of all tiles.
    [[nodiscard]] const Tiles<T>& source() const { return forward_ ? reals_ : spectrum_; }
    [[nodiscard]] const Tiles<T>& target() const { return forward_ ? spectrum_ : reals_; }

    /// Has the next run take the real elements of its first tiles straight from adjacent lanes of
    /// an array, which has to stay until then; false if it cannot, and nothing has changed.
    [[nodiscard]] virtual bool reads_from(const Lanes<const T>& /*from*/, Index /*tiles*/) {
        return false;
    }
    /// Writes the real elements of the first tiles, after a run, straight to adjacent lanes of an
    /// array; false if it cannot, and nothing was written. `finish` puts those of the other tiles
    /// where reals() says, before they are looked at.
    [[nodiscard]] virtual bool writes_to(const Lanes<T>& /*to*/, Index /*tiles*/) { return false; }
    virtual void finish() {}
    /// From one side to the other, without a factor; what is transformed is overwritten.
    virtual void run(Index tiles) = 0;

  protected:
    bool forward_;
    Tiles<T> reals_;
    Rows pairs_;
    Tiles<T> spectrum_;
    Rows source_rows_;
    std::vector<SpectrumPlace<T>> places_;
};

/// r2c or c2r, of at most so many tiles at a time; of long lines one.
template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                          Index tiles);
/// Of its even n.
template <class T>
Joints<T> make_joints(const RealDft<T>& dft, Index n);
/// For odd n.
template <class T>
std::unique_ptr<RealDft<T>> make_odd_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                              Index tiles);

}  // namespace weft::core::native
