#include "fft/native/real_dft.hpp"

#include <algorithm>
#include <vector>

#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

/// exp(sign 2 pi i k/n) scale for 0 <= k <= n/2, as cos and sin; sign 1 or -1.
template <class T>
std::vector<T> half_turn(Index n, int sign, long double scale) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(n + 2));
    for (Index k = 0; k <= n / 2; ++k) {
        const Turn w = turn(k, n);
        result.push_back(static_cast<T>(scale * w.cos));
        result.push_back(static_cast<T>(scale * sign * w.sin));
    }
    return result;
}

/// The transforms of z, of several tiles: in one pass where there is only one.
template <class T>
class PairDft {
  public:
    PairDft(const Kernels<T>& kernels, Index half, Index tiles)
        : dft_(make_tile_dft(kernels, half)), single_(dft_->single()) {
        if (single_) dft_ = make_tile_dft(kernels, half, tiles);
        width_ = 2 * kernels.lanes;
    }
    [[nodiscard]] Rows rows() const { return dft_->rows(); }

    void run(T* from, T* to, Index tiles, Index room) const {
        if (single_) {
            dft_->end_some({0, tiles}, from, to, room, 1);
            return;
        }
        for (Index t = 0; t < tiles; ++t) {
            dft_->run(from + t * rows().room() * width_, to + t * room * width_, 1);
        }
    }

  private:
    std::unique_ptr<MixedRadix<T>> dft_;
    bool single_;
    Index width_;
};

/// r2c of even length.
template <class T>
class EvenRealDft : public RealDft<T> {
  public:
    EvenRealDft(const Kernels<T>& kernels, Index n, Index tiles)
        : joints_{n / 2, half_turn<T>(n, 1, 0.5L), {}},
          dft_(kernels, n / 2, tiles),
          pairs_(kernels, tiles * dft_.rows().room()),
          transformed_(kernels, tiles * (n / 2)) {}

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return dft_.rows(); }
    [[nodiscard]] T* spectrum() const override { return transformed_.data(); }
    [[nodiscard]] Index spectrum_room() const override { return joints_.half; }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }
    [[nodiscard]] const Joints<T>* joints() const override { return &joints_; }

    void run(Index tiles) override {
        dft_.run(pairs_.data(), transformed_.data(), tiles, joints_.half);
    }

  private:
    Joints<T> joints_;
    PairDft<T> dft_;
    Tile<T> pairs_;
    Tile<T> transformed_;
};

/// c2r of even length.
template <class T>
class InverseEvenRealDft : public RealDft<T> {
  public:
    InverseEvenRealDft(const Kernels<T>& kernels, Index n, Index tiles)
        : joints_{n / 2, half_turn<T>(n, -1, 1), {}},
          dft_(kernels, n / 2, tiles),
          joined_(kernels, tiles * dft_.rows().room()),
          pairs_(kernels, tiles * (n / 2)) {
        // The backward transform is the forward one of Z[(h-k) mod h].
        const Index half = n / 2;
        joints_.position.reserve(static_cast<std::size_t>(half));
        for (Index k = 0; k < half; ++k) {
            joints_.position.push_back(dft_.rows().position((half - k) % half));
        }
    }

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return {1, joints_.half, joints_.half}; }
    [[nodiscard]] T* spectrum() const override { return joined_.data(); }
    [[nodiscard]] Index spectrum_room() const override { return dft_.rows().room(); }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }
    [[nodiscard]] const Joints<T>* joints() const override { return &joints_; }

    void run(Index tiles) override { dft_.run(joined_.data(), pairs_.data(), tiles, joints_.half); }

  private:
    Joints<T> joints_;
    PairDft<T> dft_;
    Tile<T> joined_;
    Tile<T> pairs_;
};

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

/// Tiles of short lines that stay in the nearest cache together.
template <class T>
Index several_tiles(const Kernels<T>& kernels, Index n) {
    constexpr Index most_bytes = Index{1} << 14;
    constexpr Index most_tiles = 16;
    const Index tile_bytes = 2 * n * kernels.lanes * static_cast<Index>(sizeof(T));
    return std::clamp<Index>(most_bytes / tile_bytes, 1, most_tiles);
}

}  // namespace

template <class T>
RealTile<T>::RealTile(const Kernels<T>& kernels, Index n, Kind kind)
    : kernels_(kernels),
      n_(n),
      tiles_(several_tiles(kernels, n)),
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

template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                          Index tiles) {
    if (n % 2 == 1) return make_odd_real_dft(kernels, n, kind, tiles);
    if (kind == Kind::r2c) return std::make_unique<EvenRealDft<T>>(kernels, n, tiles);
    return std::make_unique<InverseEvenRealDft<T>>(kernels, n, tiles);
}

template class RealTile<float>;
template class RealTile<double>;
template std::unique_ptr<RealDft<float>> make_real_dft(const Kernels<float>&, Index, Kind, Index);
template std::unique_ptr<RealDft<double>> make_real_dft(const Kernels<double>&, Index, Kind, Index);

}  // namespace weft::core::native
