// Real lines and their spectra between callers' arrays and the tiles of a transform.
#include "fft/native/real/copies.hpp"
#include "fft/native/real/dft.hpp"

namespace weft::core::native {

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
RealElements<T> RealTile<T>::reals(Index first, Index tiles) const {
    const Rows rows = dft_->pairs();
    return {dft_->reals() + first * rows.room() * 2 * kernels_.lanes, rows, tiles};
}

template <class T>
void RealTile<T>::read_reals(const Lanes<const T>& from, Range some) const {
    const bool adjacent = from.lane_step == 1 && some.first == 0 && some.end == n_;
    for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
        const bool whole = first == 0 && lines.lanes == kernels_.lanes;
        if (adjacent && whole && dft_->reads_from(lines, tiles)) return;
        native::read_reals(kernels_, lines, some, reals(first, tiles));
    });
}

template <class T>
void RealTile<T>::write_reals(const Lanes<T>& to, Range some) const {
    const bool adjacent = to.lane_step == 1 && some.first == 0 && some.end == n_;
    for_tiles(to, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& lines) {
        const bool whole = first == 0 && lines.lanes == kernels_.lanes;
        if (adjacent && whole && dft_->writes_to(lines, tiles)) return;
        dft_->finish();
        const RealElements<T> from = reals(first, tiles);
        native::write_reals(kernels_, RealElements<const T>{from.data, from.rows, from.count}, some,
                            lines);
    });
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
