// Real lines and their spectra between callers' arrays and the tiles of a transform.
#include <algorithm>

#include "fft/native/real_dft.hpp"

namespace weft::core::native {

namespace {

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

/// How many tiles are worked on together: of short lines what the nearest cache holds. Memory is
/// fastest from 256 bytes on, which real elements of adjacent lanes take several vectors for; if
/// the second cache does not hold as many tiles, 128 bytes have to do.
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
RealTile<T>::RealTile(const Kernels<T>& kernels, Index n, Kind kind, bool adjacent)
    : kernels_(kernels),
      n_(n),
      tiles_(several_tiles(kernels, n, adjacent)),
      dft_(make_real_dft(kernels, n, kind, tiles_)) {
    const bool joins = dft_->joints() != nullptr && kind == Kind::c2r;
    if (joins) spectrum_ = Tile<T>(kernels, tiles_ * (n / 2 + 1));
}

template <class T>
TileRow<T> RealTile<T>::reals(Index tile, Index tiles, Index j) const {
    const Rows rows = dft_->pairs();
    const Index width = 2 * kernels_.lanes;
    const Index element = tile * rows.room() + rows.position(j / 2);
    return {dft_->reals() + element * width + j % 2 * kernels_.lanes, tiles, rows.room() * width};
}

template <class T>
void RealTile<T>::read_reals(const Lanes<const T>& from, Range some) const {
    const Rows rows = dft_->pairs();
    const bool adjacent = from.lane_step == 1 && some.first == 0 && some.end == n_;
    for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
        const bool whole = first == 0 && lines.lanes == kernels_.lanes;
        if (adjacent && whole && dft_->reads_from(lines, tiles)) return;
        const auto at = [&](Index j, Index step) {
            return lanes_at(lines, (j - some.first) * lines.step, step);
        };
        const auto single = [&](Index j) {
            kernels_.read_real(at(j, lines.step), one_run(1), reals(first, tiles, j));
        };
        const auto pairs = [&](Index j, const Runs& runs) {
            if (lines.step == 1) {
                read_contiguous(at(j, 2), runs, reals(first, tiles, j));
                return;
            }
            Runs numbers = runs;
            numbers.length *= 2;
            kernels_.read_real(at(j, lines.step), numbers, reals(first, tiles, j));
        };
        for_pairs(rows, some, lines.step, pairs, single);
    });
}

template <class T>
void RealTile<T>::write_reals(const Lanes<T>& to, Range some) const {
    const Rows rows = dft_->pairs();
    const bool adjacent = to.lane_step == 1 && some.first == 0 && some.end == n_;
    for_tiles(to, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& lines) {
        const bool whole = first == 0 && lines.lanes == kernels_.lanes;
        if (adjacent && whole && dft_->writes_to(lines, tiles)) return;
        dft_->finish();
        const auto at = [&](Index j, Index step) {
            return lanes_at(lines, (j - some.first) * lines.step, step);
        };
        const auto source = [&](Index j) {
            const TileRow<T> row = reals(first, tiles, j);
            return TileRow<const T>{row.first, row.count, row.step};
        };
        const auto single = [&](Index j) {
            kernels_.write_real(source(j), one_run(1), at(j, lines.step));
        };
        const auto pairs = [&](Index j, const Runs& runs) {
            if (lines.step == 1) {
                write_contiguous(source(j), runs, at(j, 2));
                return;
            }
            Runs numbers = runs;
            numbers.length *= 2;
            kernels_.write_real(source(j), numbers, at(j, lines.step));
        };
        for_pairs(rows, some, lines.step, pairs, single);
    });
}

// Contiguous pairs are complex numbers. A run of each tile, or the runs of one tile after the
// other.
template <class T>
void RealTile<T>::read_contiguous(Lanes<const T> from, Runs runs, const TileRow<T>& tiles) const {
    const Index step = from.lanes * from.lane_step;
    if (runs.count == 1) {
        runs = {tiles.count, runs.length, dft_->pairs().room(), step, 1};
        kernels_.read(from, runs, tiles.first);
        return;
    }
    for (Index t = 0; t < tiles.count; ++t) {
        kernels_.read(from, runs, tiles.first + t * tiles.step);
        from.data += step;
    }
}

template <class T>
void RealTile<T>::write_contiguous(const TileRow<const T>& tiles, Runs runs, Lanes<T> to) const {
    const Index step = to.lanes * to.lane_step;
    if (runs.count == 1) {
        runs = {tiles.count, runs.length, dft_->pairs().room(), step, 1};
        kernels_.write(tiles.first, runs, to);
        return;
    }
    for (Index t = 0; t < tiles.count; ++t) {
        kernels_.write(tiles.first + t * tiles.step, runs, to);
        to.data += step;
    }
}

template <class T>
void RealTile<T>::read_spectrum(const Lanes<const T>& from, Range some) {
    const Index room = dft_->spectrum_room();
    const Index width = 2 * kernels_.lanes;
    const Index count = some.end - some.first;
    const Joints<T>* joints = dft_->joints();
    for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
        Runs runs = {tiles, count, room, lines.lanes * lines.lane_step, 1};
        T* tile = dft_->spectrum() + first * room * width;
        if (joints == nullptr) {
            kernels_.read_spectrum(lines, runs, dft_->places() + some.first, tile);
            return;
        }
        if (count == joints->half + 1 &&
            kernels_.read_halves(lines, runs, joints->half, joints->roots.data(),
                                 joints->position.data(), tile)) {
            joined_ = first + tiles;
            return;
        }
        runs.tile_stride = joints->half + 1;
        kernels_.read(lines, runs,
                      spectrum_.data() + (first * runs.tile_stride + some.first) * width);
    });
}

template <class T>
void RealTile<T>::run(Index lines) {
    const Index tiles = (lines + kernels_.lanes - 1) / kernels_.lanes;
    const Joints<T>* joints = dft_->joints();
    const Index width = 2 * kernels_.lanes;
    for (Index tile = joined_; spectrum_.data() != nullptr && tile < tiles; ++tile) {
        kernels_.join_halves(spectrum_.data() + tile * (joints->half + 1) * width, joints->half,
                             joints->roots.data(), joints->position.data(),
                             dft_->spectrum() + tile * dft_->spectrum_room() * width);
    }
    joined_ = 0;
    dft_->run(tiles);
}

template <class T>
void RealTile<T>::write_spectrum(const Lanes<T>& to, Range some) const {
    const Index room = dft_->spectrum_room();
    const Joints<T>* joints = dft_->joints();
    for_tiles(to, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& lines) {
        const Runs runs = {tiles, some.end - some.first, room, lines.lanes * lines.lane_step, 1};
        const T* tile = dft_->spectrum() + first * room * 2 * kernels_.lanes;
        if (joints != nullptr) {
            kernels_.write_halves(tile, joints->half, joints->roots.data(), some, runs, lines);
        } else {
            kernels_.write_spectrum(tile, runs, dft_->places() + some.first, lines);
        }
    });
}

template class RealTile<float>;
template class RealTile<double>;

}  // namespace weft::core::native
