// What real-to-real transforms do before and after their DFTs, on one instruction set.
//
// Real elements may lie in the caller's array, if the lanes are adjacent there, or in tiles; no lane
// is ever looked at together with another one, so their order is whatever it is where they are read.
#pragma once

#include <array>
#include <vector>

#include "fft/native/real/kernels.hpp"

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

/// Cosines and sines of two angles by which complex elements are turned, and where these are
/// expected in a tile.
///
/// Halves: of dct2 and dct3 of n = 2h elements, what elements k, n-k, h-k and h+k of the line have
/// to do with Z[k] and Z[h-k], 0 <= k <= h. With the halves' E and O of real/dft.hpp, V the spectrum
/// of the n real numbers and t = exp(-i pi k/2n), dct2 takes the real and imaginary parts of
///     t V[k] = t (E + w^-k O) and exp(-i pi (h-k)/2n) V[h-k] = exp(-i pi/4) conj(t (E - w^-k O)),
/// so E is turned by the first angle, pi k/2n, O by the second, pi k/2n + 2 pi k/n; dct3 goes back,
/// from Z[k] at `position` and Z[h-k] at `opposite_position`.
///
/// Opposites: of dct4 and dst4 of even n, of element j of the DFT of n/2 complex elements, for
/// elements 2j and n-1-2j of the line, the angles before the DFT and after it.
template <class T>
struct TwoTurns {
    T first[2] = {};
    T second[2] = {};
    Index position = 0;
    Index opposite_position = 0;
};

/// What is done before a DFT, or after it: `places` one real element after the other; `pairs` two
/// after two; `halves` and `opposites` as TwoTurns says.
enum class Step { places, pairs, halves, opposites };
inline constexpr std::size_t step_count = 4;

template <class T>
struct StepTables {
    Step step = Step::places;
    bool sine = false;                   ///< halves, opposites: dst in place of dct
    std::vector<RealPlace<T>> places{};  ///< of each element of the line
    std::vector<RealPair<T>> pairs{};
    std::vector<TwoTurns<T>> turns{};
};

/// Arrays and tiles are handed over by value: no store can change where they are.
template <class T>
struct RealToRealKernels {
    /// From real elements to the DFT's tiles. And from whole tiles of contiguous lines, the lines of
    /// a tile one behind the other's; false if they are not such, or too short. Null: not built.
    struct Before {
        void (*reals)(RealArray<const T>, const StepTables<T>&, Tiles<T>) = nullptr;
        bool (*lines)(const Lanes<const T>&, const StepTables<T>&, Tiles<T>) = nullptr;
    };
    /// Back.
    struct After {
        void (*reals)(Tiles<T>, const StepTables<T>&, RealArray<T>) = nullptr;
        bool (*lines)(Tiles<T>, const StepTables<T>&, const Lanes<T>&) = nullptr;
    };
    // Indexed by Step.
    std::array<Before, step_count> before;
    std::array<After, step_count> after;
    /// dct1 (`sine`: dst1) of m+1 (m-1) elements, m even, from those of its elements at even
    /// distances from the symmetry's centre and dct2 (dst2) of the others.
    void (*butterfly)(RealArray<T> even, RealArray<T> odd, Index m, bool sine, RealArray<T> to,
                      Index tiles) = nullptr;
    /// n <= largest_dense elements times a matrix, row by row.
    void (*dense)(RealArray<const T>, const T* matrix, Index n, RealArray<T> to,
                  Index tiles) = nullptr;
};

inline constexpr Index largest_dense = 8;

}  // namespace weft::core::native
