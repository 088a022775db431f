#include "fft/native/real/copies.hpp"

#include <algorithm>

#include "fft/native/tile_dft.hpp"

namespace weft::core::native {

namespace {

/// body(first, runs): all pairs of a range as runs, the first pair of each call at `first`. `step`
/// is from pair to pair in an array.
template <class Body>
void for_runs(const Rows& rows, Range pairs, Index step, const Body& body) {
    for (Index first = pairs.first; first < pairs.end;) {
        const Index left = pairs.end - first;
        const Index within = first % rows.length;
        Runs runs = {1, std::min(rows.length - within, left), 0, 0, 1};
        if (within == 0 && left >= rows.length) {
            runs = {left / rows.length, rows.length, rows.stride, rows.length * step, 1};
        }
        body(first, runs);
        first += runs.count * runs.length;
    }
}

/// pairs(first, runs) and single(j): what a range of real elements consists of. One that begins
/// with an odd element or ends with an even one has a single one there.
template <class Pairs, class Single>
void for_pairs(const Rows& rows, Range some, Index step, const Pairs& pairs, const Single& single) {
    if (some.first >= some.end) return;
    if (some.first % 2 == 1) single(some.first);
    for_runs(rows, {(some.first + 1) / 2, some.end / 2}, 2 * step,
             [&](Index first, const Runs& runs) { pairs(2 * first, runs); });
    if (some.end % 2 == 1 && some.end - 1 >= some.first) single(some.end - 1);
}

/// Real element j of all tiles.
template <class T, class U>
TileRow<U> element(const Kernels<T>& kernels, const RealElements<U>& tiles, Index j) {
    const Index width = 2 * kernels.lanes;
    U* first = tiles.data + tiles.rows.position(j / 2) * width + j % 2 * kernels.lanes;
    return {first, tiles.count, tiles.rows.room() * width};
}

// Contiguous pairs are complex numbers. A run of each tile, or the runs of one tile after the
// other: copy(lanes, runs, tile).
template <class T, class U, class Copy>
void copy_contiguous(Lanes<T> lines, Runs runs, const TileRow<U>& tiles, Index room,
                     const Copy& copy) {
    const Index step = lines.lanes * lines.lane_step;
    if (runs.count == 1) {
        runs = {tiles.count, runs.length, room, step, 1};
        copy(lines, runs, tiles.first);
        return;
    }
    for (Index t = 0; t < tiles.count; ++t) {
        copy(lines, runs, tiles.first + t * tiles.step);
        lines.data += step;
    }
}

/// contiguous(lanes, runs, tile) and any(lanes, runs, tiles): the copies of a range.
template <class T, class L, class U, class Contiguous, class Any>
void for_copies(const Kernels<T>& kernels, const Lanes<L>& lines, Range some,
                const RealElements<U>& tiles, const Contiguous& contiguous, const Any& any) {
    const auto at = [&](Index j, Index step) {
        return lanes_at(lines, (j - some.first) * lines.step, step);
    };
    const auto single = [&](Index j) {
        any(at(j, lines.step), one_run(1), element(kernels, tiles, j));
    };
    const auto pairs = [&](Index j, const Runs& runs) {
        if (lines.step == 1) {
            copy_contiguous(at(j, 2), runs, element(kernels, tiles, j), tiles.rows.room(),
                            contiguous);
            return;
        }
        Runs numbers = runs;
        numbers.length *= 2;
        any(at(j, lines.step), numbers, element(kernels, tiles, j));
    };
    for_pairs(tiles.rows, some, lines.step, pairs, single);
}

}  // namespace

template <class T>
void read_reals(const Kernels<T>& kernels, const Lanes<const T>& from, Range some,
                const RealElements<T>& to) {
    for_copies(kernels, from, some, to, kernels.read, kernels.read_real);
}

template <class T>
void write_reals(const Kernels<T>& kernels, const RealElements<const T>& from, Range some,
                 const Lanes<T>& to) {
    for_copies(
        kernels, to, some, from,
        [&](const Lanes<T>& lines, const Runs& runs, const T* tile) {
            kernels.write(tile, runs, lines);
        },
        [&](const Lanes<T>& lines, const Runs& runs, const TileRow<const T>& tiles) {
            kernels.write_real(tiles, runs, lines);
        });
}

template <class T>
Index several_tiles(const Kernels<T>& kernels, Index n, bool adjacent) {
    constexpr Index first_cache_bytes = Index{1} << 14;
    constexpr Index second_cache_bytes = Index{1} << 18;
    constexpr Index most_tiles = 16;
    const Index vector_bytes = kernels.lanes * static_cast<Index>(sizeof(T));
    const Index tile_bytes = 2 * n * vector_bytes;
    Index tiles = first_cache_bytes / tile_bytes;
    if (adjacent) {
        tiles = std::max({tiles, 128 / vector_bytes,
                          std::min(256 / vector_bytes, second_cache_bytes / tile_bytes)});
    }
    return std::clamp<Index>(tiles, 1, most_tiles);
}

template void read_reals(const Kernels<float>&, const Lanes<const float>&, Range,
                         const RealElements<float>&);
template void read_reals(const Kernels<double>&, const Lanes<const double>&, Range,
                         const RealElements<double>&);
template void write_reals(const Kernels<float>&, const RealElements<const float>&, Range,
                          const Lanes<float>&);
template void write_reals(const Kernels<double>&, const RealElements<const double>&, Range,
                          const Lanes<double>&);
template Index several_tiles(const Kernels<float>&, Index, bool);
template Index several_tiles(const Kernels<double>&, Index, bool);

}  // namespace weft::core::native
