// Real elements of lines between callers' arrays and tiles.
#include <algorithm>

#include "fft/native/real/tile.hpp"

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

/// pairs(lanes, runs, tile), contiguous pairs as complex numbers, and reals(lanes, runs, tiles): the
/// copies of a range. One that begins with an odd element or ends with an even one has a single
/// element there.
template <class T, class L, class Pairs, class Reals>
void for_copies(const Kernels<T>& kernels, const Lanes<L>& lines, Range some, const Tiles<T>& tiles,
                const Rows& rows, const Pairs& pairs, const Reals& reals) {
    const auto at = [&](Index j, Index step) {
        return lanes_at(lines, (j - some.first) * lines.step, step);
    };
    const auto element = [&](Index j) {
        T* first = tiles.data + rows.position(j / 2) * 2 * kernels.lanes + j % 2 * kernels.lanes;
        return TileRow<T>{first, tiles.count, tiles.room};
    };
    const auto single = [&](Index j) { reals(at(j, lines.step), one_run(1), element(j)); };
    const Index line_step = lines.lanes * lines.lane_step;
    if (some.first >= some.end) return;
    if (some.first % 2 == 1) single(some.first);
    for_runs(rows, {(some.first + 1) / 2, some.end / 2}, 2 * lines.step,
             [&](Index pair, Runs runs) {
                 const TileRow<T> row = element(2 * pair);
                 Lanes<L> lanes = at(2 * pair, lines.step);
                 if (lines.step != 1) {
                     runs.length *= 2;
                     reals(lanes, runs, row);
                     return;
                 }
                 // A run of each tile, or the runs of one tile after the other.
                 lanes.step = 2;
                 if (runs.count == 1) {
                     const Index room = tiles.room / (2 * kernels.lanes);
                     pairs(lanes, {tiles.count, runs.length, room, line_step, 1}, row.first);
                     return;
                 }
                 for (Index t = 0; t < tiles.count; ++t, lanes.data += line_step) {
                     pairs(lanes, runs, row.first + t * row.step);
                 }
             });
    if (some.end % 2 == 1 && some.end - 1 >= some.first) single(some.end - 1);
}

/// How many tiles of n real elements are worked on together: of short lines what the nearest cache
/// holds. Memory is fastest from 256 bytes on, which real elements of adjacent lanes take several
/// vectors for; if the second cache does not hold as many tiles, 128 bytes have to do.
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

}  // namespace

template <class T>
void read_reals(const Kernels<T>& kernels, const Lanes<const T>& from, Range some,
                const Tiles<T>& to, const Rows& rows) {
    for_copies(kernels, from, some, to, rows, kernels.read, kernels.real->read);
}

template <class T>
void write_reals(const Kernels<T>& kernels, const Tiles<T>& from, const Rows& rows, Range some,
                 const Lanes<T>& to) {
    const auto backwards = [](auto write) {
        return [write](const auto& lines, const Runs& runs, const auto& tile) {
            write(tile, runs, lines);
        };
    };
    for_copies(kernels, to, some, from, rows, backwards(kernels.write),
               backwards(kernels.real->write));
}

template <class T>
RealTile<T>::RealTile(const Kernels<T>& kernels, const LineTransform& line, bool adjacent)
    : kernels_(kernels), line_(line), tiles_(several_tiles(kernels, line.length, adjacent)) {
    this->most_ = tiles_ * kernels.lanes;
}

template <class T>
void RealTile<T>::execute(const Lanes<const T>& from, const Lanes<T>& to) {
    read(from, {0, line_.source_length()});
    run(from.lanes);
    write(to, {0, line_.target_length()});
}

template class RealTile<float>;
template class RealTile<double>;
template void read_reals(const Kernels<float>&, const Lanes<const float>&, Range,
                         const Tiles<float>&, const Rows&);
template void read_reals(const Kernels<double>&, const Lanes<const double>&, Range,
                         const Tiles<double>&, const Rows&);
template void write_reals(const Kernels<float>&, const Tiles<float>&, const Rows&, Range,
                          const Lanes<float>&);
template void write_reals(const Kernels<double>&, const Tiles<double>&, const Rows&, Range,
                          const Lanes<double>&);

}  // namespace weft::core::native
