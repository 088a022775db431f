// Real lines and their transforms between callers' arrays and tiles.
#pragma once

#include <memory>

#include "fft/native/lines/lines.hpp"
#include "fft/native/real/kernels.hpp"

namespace weft::core::native {

/// Real lines that are transformed together: read, run, write. `read` and `write` may be called
/// several times, each for elements `some` of every line, the first of them at lanes.data.
/// Executing allocates nothing, and one instance serves one thread at a time.
template <class T>
class RealTile : public LineTile<T> {
  public:
    /// `adjacent`: real elements are those of adjacent lanes in an array, on some side.
    RealTile(const Kernels<T>& kernels, const LineTransform& line, bool adjacent);

    virtual void read(const Lanes<const T>& from, Range some) = 0;
    virtual void run(Index lines) = 0;
    virtual void write(const Lanes<T>& to, Range some) = 0;
    void execute(const Lanes<const T>& from, const Lanes<T>& to) override;
    /// Has contiguous results copied past the caches.
    void stage() { this->is_staged_ = true; }

  protected:
    [[nodiscard]] Index tiles_of(Index lines) const {
        return (lines + kernels_.lanes - 1) / kernels_.lanes;
    }

    const Kernels<T>& kernels_;
    LineTransform line_;
    Index tiles_;
};

/// Of r2c, c2r and r2r lines.
template <class T>
std::unique_ptr<RealTile<T>> make_real_tile(const Kernels<T>& kernels, const LineTransform& line,
                                            bool adjacent);
template <class T>
std::unique_ptr<RealTile<T>> make_real_to_real_tile(const Kernels<T>& kernels,
                                                    const LineTransform& line, bool adjacent);

/// Elements `some.first` and up of every line, the first of them at the lanes' data: x[2j] is the
/// real part of element rows.position(j) of a tile, x[2j+1] the imaginary part. Lanes are those of
/// one tile; the lines of the other tiles follow behind them.
template <class T>
void read_reals(const Kernels<T>& kernels, const Lanes<const T>& from, Range some,
                const Tiles<T>& to, const Rows& rows);
template <class T>
void write_reals(const Kernels<T>& kernels, const Tiles<T>& from, const Rows& rows, Range some,
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

}  // namespace weft::core::native
