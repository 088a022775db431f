// Real elements of lines between callers' arrays and tiles, where x[2j] is the real part of a tile
// element and x[2j+1] its imaginary part.
#pragma once

#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// The real elements of some tiles: x[2j] and x[2j+1] at element rows.position(j) of each, a tile
/// rows.room() elements behind the other.
template <class U>
struct RealElements {
    U* data = nullptr;
    Rows rows{};
    Index count = 1;
};

/// Elements `some.first` and up of every line, the first of them at the lanes' data. Lanes are
/// those of one tile; the lines of the other tiles follow behind them.
template <class T>
void read_reals(const Kernels<T>& kernels, const Lanes<const T>& from, Range some,
                const RealElements<T>& to);
template <class T>
void write_reals(const Kernels<T>& kernels, const RealElements<const T>& from, Range some,
                 const Lanes<T>& to);

/// Lanes from so many numbers further on, with another step between elements.
template <class T>
Lanes<T> lanes_at(const Lanes<T>& lanes, Index numbers, Index step) {
    return {lanes.data + numbers, step, lanes.lane_step, lanes.lanes, lanes.stream, lanes.ahead};
}

/// body(first tile, tiles, lanes): the lines of several tiles, those of whole tiles together.
template <class T, class Body>
void for_tiles(const Lanes<T>& lines, Index lanes, const Body& body) {
    const Index whole = lines.lanes / lanes;
    Lanes<T> some = lines;
    some.lanes = lanes;
    if (whole > 0) body(Index{0}, whole, some);
    some = lanes_at(lines, whole * lanes * lines.lane_step, lines.step);
    some.lanes = lines.lanes - whole * lanes;
    some.stream = false;
    if (some.lanes > 0) body(whole, Index{1}, some);
}

/// How many tiles of n real elements are worked on together: of short lines what the nearest cache
/// holds. Memory is fastest from 256 bytes on, which real elements of adjacent lanes take several
/// vectors for; if the second cache does not hold as many tiles, 128 bytes have to do.
template <class T>
Index several_tiles(const Kernels<T>& kernels, Index n, bool adjacent);

}  // namespace weft::core::native
