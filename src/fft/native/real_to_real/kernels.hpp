// What real-to-real transforms do before and after their DFTs, on one instruction set.
//
// A *tile* here holds one real element of each of `lanes` lines as a vector. Real elements may lie
// in the caller's array, if the lanes are adjacent there, or in tiles; no lane is ever looked at
// together with another one, so their order is whatever it is where they are read.
#pragma once

#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// A real element of the DFT's tile: `factor` times one of the line, or the other way round.
template <class T>
struct RealPlace {
    Index number = 0;  ///< in the tile
    T factor = 1;
};

/// A complex element z of the DFT's tile, of or for two real ones, x and y. Before the DFT
/// z = (a x + b y) + i (c x + d y), after it x = a re z + b im z and y = c re z + d im z.
template <class T>
struct RealPair {
    Index element = 0;
    Index x = 0;
    Index y = 0;
    T a = 0;
    T b = 0;
    T c = 0;
    T d = 0;
};

/// Of dct2 and dct3 of n = 2h elements, what elements k, n-k, h-k and h+k of the line have to do
/// with Z[k] and Z[h-k], 0 <= k <= h. With the halves' E and O of real/dft.hpp, V the spectrum of
/// the n real numbers and t = exp(-i pi k/2n), dct2 takes the real and imaginary parts of
///     t V[k] = t (E + w^-k O) and exp(-i pi (h-k)/2n) V[h-k] = exp(-i pi/4) conj(t (E - w^-k O)),
/// so E is turned by `even`, O by `odd`; dct3 goes back.
template <class T>
struct HalvesTurn {
    T even[2] = {};               ///< cos and sin of pi k/2n
    T odd[2] = {};                ///< of pi k/2n + 2 pi k/n
    Index position = 0;           ///< dct3: where Z[k] is expected in the tile
    Index opposite_position = 0;  ///< dct3: where Z[h-k] is
};

/// Element j of the DFT of n/2 complex elements of dct4 and dst4 of even n, for elements 2j and
/// n-1-2j of the line: cosines and sines of what both are turned by before the DFT and after it.
template <class T>
struct OppositesTurn {
    T before[2] = {};
    T after[2] = {};
    Index position = 0;  ///< where the DFT expects it
};

/// Some tiles of a DFT, `room` numbers from one to the next.
template <class U>
struct DftTiles {
    U* data = nullptr;
    Index room = 0;
    Index count = 1;
};

template <class T>
struct RealToRealKernels {
    // Real elements one by one. The lines' are `count` at `places`.
    void (*scatter)(const RealArray<const T>&, const RealPlace<T>* places, Index count,
                    const DftTiles<T>&) = nullptr;
    void (*gather)(const DftTiles<const T>&, const RealPlace<T>* places, Index count,
                   const RealArray<T>&) = nullptr;
    /// The same from contiguous lines, and to them; the lines of a tile are those of the first
    /// argument, which lie one behind the other.
    void (*scatter_lines)(const Lanes<const T>&, const RealPlace<T>* places, Index count,
                          const DftTiles<T>&) = nullptr;
    void (*gather_lines)(const DftTiles<const T>&, const RealPlace<T>* places, Index count,
                         const Lanes<T>&) = nullptr;
    // Pairs of them.
    void (*join_pairs)(const RealArray<const T>&, const RealPair<T>* pairs, Index count,
                       const DftTiles<T>&) = nullptr;
    void (*part_pairs)(const DftTiles<const T>&, const RealPair<T>* pairs, Index count,
                       const RealArray<T>&) = nullptr;
    /// dct2 of n = 2h elements after the DFT: from Z (see real/dft.hpp).
    void (*part_halves)(const DftTiles<const T>& z, Index h, const HalvesTurn<T>* turns,
                        const RealArray<T>&) = nullptr;
    /// The same to whole tiles of contiguous lines (`sine`: backwards); false if they are not, or
    /// too short.
    bool (*part_halves_to_lines)(const DftTiles<const T>& z, Index h, const HalvesTurn<T>* turns,
                                 bool sine, const Lanes<T>&) = nullptr;
    /// dct3 of n = 2h elements before it: to Z.
    void (*join_halves)(const RealArray<const T>&, Index h, const HalvesTurn<T>* turns,
                        const DftTiles<T>& z) = nullptr;
    /// dct4 (`sine`: dst4) of n = 2h elements: to the DFT of h elements, and from it.
    void (*join_opposites)(const RealArray<const T>&, Index h, const OppositesTurn<T>* turns,
                           bool sine, const DftTiles<T>&) = nullptr;
    void (*part_opposites)(const DftTiles<const T>&, Index h, const OppositesTurn<T>* turns,
                           bool sine, const RealArray<T>&) = nullptr;
    /// From whole tiles of contiguous lines, false if they are not; and to contiguous lines.
    bool (*join_opposites_of_lines)(const Lanes<const T>&, Index h, const OppositesTurn<T>* turns,
                                    bool sine, const DftTiles<T>&) = nullptr;
    void (*part_opposites_to_lines)(const DftTiles<const T>&, Index h,
                                    const OppositesTurn<T>* turns, bool sine,
                                    const Lanes<T>&) = nullptr;
    /// dct1 (`sine`: dst1) of m+1 (m-1) elements, m even, from those of its elements at even
    /// distances from the symmetry's centre and dct2 (dst2) of the others.
    void (*butterfly)(const RealArray<const T>& even, const RealArray<const T>& odd, Index m,
                      bool sine, const RealArray<T>& to, Index tiles) = nullptr;
    /// n <= largest_dense elements times a matrix, row by row.
    void (*dense)(const RealArray<const T>&, const T* matrix, Index n, const RealArray<T>& to,
                  Index tiles) = nullptr;
};

inline constexpr Index largest_dense = 8;

}  // namespace weft::core::native
