// Kernels of real lines on one instruction set: copies, passes over an odd number of real elements,
// halves of spectra, convolutions. A real element of a tile is one vector, or half a complex one.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// The odd radices of butterflies on real elements (see real/butterfly.hpp).
#ifdef WEFT_FEW_BUTTERFLIES
inline constexpr std::array real_radices = {3, 5, 9, 15};
#else
inline constexpr std::array real_radices = {3, 5, 7, 9, 11, 13, 15};
#endif

/// The first pass of real lines of n = radix*count elements, radix odd, h = (radix-1)/2; or the
/// last one of the inverse. In between are h complex lines of `count` elements, line k-1 for
/// frequencies k modulo the radix, and a real one for those that are 0 modulo the radix; the other
/// frequencies are conjugates. Example, n = 15, radix 5: lines 0 and 1 hold X[1 + 5f] and
/// X[2 + 5f], f < 3, so that X[4] is the conjugate of X[11] in line 0.
template <class T>
struct RealPass {
    int radix = 1;
    Index count = 1;
    Rows rows;                ///< first pass: where each complex line's elements are put
    Index line_step = 1;      ///< first pass: elements from one complex line to the next
    Index lines_room = 0;     ///< complex elements from one tile's complex lines to the next one's
    std::vector<T> twiddles;  ///< cos, sin of 2 pi ck/n, -sin of the inverse: [count][h][2]; or,
                              ///< without a butterfly, followed by [radix][2] roots of unity
};

/// Real elements of some tiles; or of adjacent lanes in an array, in their own order. Steps are in
/// numbers.
template <class U>
struct RealArray {
    U* data = nullptr;
    Index step = 0;       ///< from element to element
    Index tile_step = 0;  ///< from tile to tile
    bool ordered = true;  ///< as lanes are
};

/// Complex elements of some tiles, `room` numbers from one to the next.
template <class T>
struct Tiles {
    T* data = nullptr;
    Index room = 0;
    Index count = 1;
    [[nodiscard]] T* at(Index tile) const { return data + tile * room; }
    [[nodiscard]] Tiles from(Index first, Index tiles) const { return {at(first), room, tiles}; }
};

/// What joins the halves of an even number n = 2h of real elements (see real/dft.hpp).
template <class T>
struct Joints {
    Index half = 1;
    std::vector<T> roots;         ///< r2c: exp(2 pi i k/n)/2; c2r: exp(-2 pi i k/n); 0 <= k <= h
    std::vector<Index> position;  ///< c2r: where Z[k] is expected in a tile
};

template <class T>
struct RealKernels {
    /// Runs of real elements: array -> tiles of adjacent lines, and back. (Strides from run to run
    /// within a tile count complex elements.)
    void (*read)(const Lanes<const T>&, const Runs&, const TileRow<T>&) = nullptr;
    void (*write)(const TileRow<T>&, const Runs&, const Lanes<T>&) = nullptr;
    /// So many adjacent numbers of each line: array -> vector places[j] of the tile for number j,
    /// and back.
    void (*read_row)(const Lanes<const T>&, Index count, const Index* places, T* tile) = nullptr;
    void (*write_row)(const T* tile, Index count, const Index* places, const Lanes<T>&) = nullptr;

    // Passes, of several tiles; indexed by the radix, null where there is no butterfly for it. At 0
    // is the pass of any odd radix, which needs lanes in order, and as its last argument work for
    // radix-1 elements.
    template <class... Args>
    using ByRadix = std::array<void (*)(const RealPass<T>&, Args..., T* work), largest_radix + 1>;
    /// Real elements -> complex lines, the real line.
    ByRadix<const RealArray<const T>&, T*, const Tiles<T>&> first = {};
    /// The last pass of the inverse: complex lines, with element c of line k at h*c + k, the real
    /// line -> real elements.
    ByRadix<const T*, const Tiles<T>&, const RealArray<T>&> last = {};
    [[nodiscard]] bool has_butterfly(Index radix) const {
        return radix <= largest_radix && first[static_cast<std::size_t>(radix)] != nullptr;
    }

    /// Some elements of 0 to h of the spectrum of 2h real ones, from the transform Z of h complex
    /// ones: runs of tiles -> array.
    void (*write_halves)(const T* z, const Joints<T>&, Range some, const Runs&,
                         const Lanes<T>&) = nullptr;
    /// The inverse. From runs of whole tiles, where lanes are adjacent or lines contiguous; false
    /// if they are not.
    bool (*read_halves)(const Lanes<const T>&, const Runs&, const Joints<T>&, T* z) = nullptr;
    /// Both within a tile, where elements of the spectrum are so many apart.
    void (*split_halves)(const T* z, const Joints<T>&, T* spectrum, Index step) = nullptr;
    void (*join_halves)(const T* spectrum, Index step, const Joints<T>&, T* z) = nullptr;

    // Convolutions of real sequences (see real/hartley.hpp).
    void (*multiply_pairs)(const T*, const T* factors, Index n, T*, const Index* target) = nullptr;
    void (*permute)(const T* from, const Index* source, Index count, T* to,
                    const Index* target) = nullptr;
    void (*scatter)(const T* from, const Index* source, const T* addend, Index count, T* to,
                    const Index* target) = nullptr;
    void (*sum)(const T* from, Index count, T* to) = nullptr;
    void (*spectrum_from_hartley)(const T* hartley, const Index* position, Index h, const T* x0,
                                  T* spectrum) = nullptr;
    void (*hartley_from_spectrum)(const T* spectrum, Index h, const T* x0, T* hartley,
                                  const Index* position, T* sum) = nullptr;
};

}  // namespace weft::core::native
