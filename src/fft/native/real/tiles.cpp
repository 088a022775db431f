// Tiles of real lines, or of their spectra, that the caller keeps in segments.
#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/lines.hpp"
#include "fft/native/real/dft.hpp"

namespace weft::core::native {

namespace {

/// Of real elements.
bool lanes_are_adjacent(const TileTask& task) {
    const auto& segments = task.line.kind == Kind::r2c ? task.from : task.to;
    return std::all_of(segments.begin(), segments.end(),
                       [](const LineSegment& segment) { return segment.lane_step == 1; });
}

/// r2c and c2r.
template <class T>
class RealTiles : public TilePlan {
  public:
    RealTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          tile_(kernels, task.line.length, task.line.kind, lanes_are_adjacent(task)) {}

    [[nodiscard]] Index lines() const override { return tile_.lines(); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        const bool forward = task_.line.kind == Kind::r2c;
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            const LineSegment& segment = task_.from[i];
            const T* data = reinterpret_cast<const T*>(from[i]);
            if (forward) {
                tile_.read_reals(lanes(segment, data, 1, count), elements(segment));
            } else {
                tile_.read_spectrum(lanes(segment, data, 2, count), elements(segment));
            }
        }
        tile_.run(count);
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            const LineSegment& segment = task_.to[i];
            T* data = reinterpret_cast<T*>(to[i]);
            if (forward) {
                Lanes<T> target = lanes(segment, data, 2, count);
                target.stream = task_.caches.stream && can_stream(kernels_, target);
                tile_.write_spectrum(target, elements(segment));
            } else {
                tile_.write_reals(lanes(segment, data, 1, count), elements(segment));
            }
        }
    }

    void complete() override {
        if (task_.caches.stream) kernels_.fence();
    }

  private:
    /// The lanes of a segment, whose elements are so many numbers each.
    template <class Number>
    static Lanes<Number> lanes(const LineSegment& segment, Number* data, Index numbers,
                               Index count) {
        return {data, segment.step * numbers, segment.lane_step * numbers, count};
    }
    static Range elements(const LineSegment& segment) {
        return {segment.first, segment.first + segment.extent};
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
