// Tiles of real lines, or of their spectra, that the caller keeps in pieces.
#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/lines.hpp"
#include "fft/native/real_dft.hpp"

namespace weft::core::native {

namespace {

/// Of real elements.
bool lanes_are_adjacent(const TileTask& task) {
    const auto& pieces = task.kind == Kind::r2c ? task.from : task.to;
    return std::all_of(pieces.begin(), pieces.end(),
                       [](const LinePiece& piece) { return piece.lane_step == 1; });
}

/// r2c and c2r.
template <class T>
class RealTiles : public TilePlan {
  public:
    RealTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          tile_(kernels, task.length, task.kind, lanes_are_adjacent(task)) {}

    [[nodiscard]] Index lines() const override { return tile_.lines(); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        const bool forward = task_.kind == Kind::r2c;
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            const LinePiece& piece = task_.from[i];
            const T* data = reinterpret_cast<const T*>(from[i]);
            if (forward) {
                tile_.read_reals(lanes(piece, data, 1, count), elements(piece));
            } else {
                tile_.read_spectrum(lanes(piece, data, 2, count), elements(piece));
            }
        }
        tile_.run(count);
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            const LinePiece& piece = task_.to[i];
            T* data = reinterpret_cast<T*>(to[i]);
            if (forward) {
                Lanes<T> target = lanes(piece, data, 2, count);
                target.stream = task_.stream && can_stream(kernels_, target);
                tile_.write_spectrum(target, elements(piece));
            } else {
                tile_.write_reals(lanes(piece, data, 1, count), elements(piece));
            }
        }
    }

    void complete() override {
        if (task_.stream) kernels_.fence();
    }

  private:
    /// The lanes of a piece, whose elements are so many numbers each.
    template <class Number>
    static Lanes<Number> lanes(const LinePiece& piece, Number* data, Index numbers, Index count) {
        return {data, piece.step * numbers, piece.lane_step * numbers, count};
    }
    static Range elements(const LinePiece& piece) {
        return {piece.first, piece.first + piece.extent};
    }

    TileTask task_;
    const Kernels<T>& kernels_;
    RealTile<T> tile_;
};

}  // namespace

template <class T>
std::unique_ptr<TilePlan> make_real_tiles(const TileTask& task, const Kernels<T>& kernels) {
    return std::make_unique<RealTiles<T>>(task, kernels);
}

template std::unique_ptr<TilePlan> make_real_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_real_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
