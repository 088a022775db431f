// Lines of which one side at least is real, of callers' arrays and of segments.
#include "fft/native/lines/lines.hpp"

#include "fft/native/engine.hpp"
#include "fft/native/lines/lane_segments.hpp"
#include "fft/native/real/tile.hpp"

namespace weft::core::native {

namespace {

/// Lines that the caller keeps in segments.
template <class T>
class RealTiles : public TilePlan {
  public:
    RealTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          tile_(make_real_tile(kernels, task.line,
                               (is_real_before(task.line.kind) && are_adjacent(task.from)) ||
                                   (is_real_after(task.line.kind) && are_adjacent(task.to)))) {}

    [[nodiscard]] Index lines() const override { return tile_->most(); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            tile_->read(lanes(task_.from[i], reinterpret_cast<const T*>(from[i]),
                              task_.line.source().numbers(), count),
                        elements(task_.from[i]));
        }
        tile_->run(count);
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            Lanes<T> target = lanes(task_.to[i], reinterpret_cast<T*>(to[i]),
                                    task_.line.target().numbers(), count);
            target.stream =
                task_.caches.stream && task_.line.target().complex && can_stream(kernels_, target);
            tile_->write(target, elements(task_.to[i]));
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
    std::unique_ptr<RealTile<T>> tile_;
};

}  // namespace

template <class T>
bool takes_real_to_real(const FftTask& task, const Kernels<T>& kernels) {
    const Index n = task.line.length;
    const bool few = are_few(task, kernels.lanes) && n >= 2 * kernels.lanes;
    return !few && n <= longest_tile && task.complex_axes.empty();
}

template <class T>
std::unique_ptr<Lines<T>> make_real_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (auto lines = make_real_field_lines<T>(task, kernels)) return lines;
    if (task.line.kind != Kind::r2r) {
        if (auto lines = make_long_real_lines<T>(task, kernels)) return lines;
    }
    const Loop lane = lane_loop(task, kernels.lanes);
    const Kind kind = task.line.kind;
    const bool adjacent =
        (is_real_before(kind) && lane.from == 1) || (is_real_after(kind) && lane.to == 1);
    auto tile = make_real_tile(kernels, task.line, adjacent);
    if (task.caches.stream && task.to_step == 1) tile->stage();
    return make_batch<T>(task, kernels, std::move(tile));
}

template <class T>
std::unique_ptr<TilePlan> make_real_tiles(const TileTask& task, const Kernels<T>& kernels) {
    return std::make_unique<RealTiles<T>>(task, kernels);
}

template bool takes_real_to_real(const FftTask&, const Kernels<float>&);
template bool takes_real_to_real(const FftTask&, const Kernels<double>&);
template std::unique_ptr<Lines<float>> make_real_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_real_lines(const FftTask&, const Kernels<double>&);
template std::unique_ptr<TilePlan> make_real_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_real_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
