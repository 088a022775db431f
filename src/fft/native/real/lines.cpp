// Lines of which one side at least is real, of callers' arrays and of segments.
#include "fft/native/lines/lines.hpp"

#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/real/tile.hpp"

namespace weft::core::native {

namespace {

template <class T>
class RealLines : public Lines<T> {
  public:
    RealLines(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(make_real_tile(kernels, task.line,
                               (is_real_before(task.line.kind) && this->lane_.from == 1) ||
                                   (is_real_after(task.line.kind) && this->lane_.to == 1))),
          complex_(task.line.target().complex) {
        if (!this->stream_ || task.line.kind != Kind::c2r || this->line_.to != 1) return;
        lines_ = Tile<T>(kernels, tile_->lines() / kernels.lanes * this->n_);
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_->lines(); }

    void tile(const T* from, T* to, Index count) override {
        T* lines = lines_.data();
        Lanes<T> target = {to, this->line_.to, this->lane_.to, count};
        if (complex_) target = this->target(to, count);
        if (lines != nullptr) target = {lines, 1, this->n_, count};
        tile_->execute(this->source(from, count), target);
        if (lines != nullptr) this->stream_lines(lines, this->n_, to, count);
    }

  private:
    std::unique_ptr<RealTile<T>> tile_;
    bool complex_;   ///< the results
    Tile<T> lines_;  ///< of real results that go past the caches a line at a time
};

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

    [[nodiscard]] Index lines() const override { return tile_->lines(); }

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
    static bool are_adjacent(const std::vector<LineSegment>& segments) {
        return std::all_of(segments.begin(), segments.end(),
                           [](const LineSegment& segment) { return segment.lane_step == 1; });
    }
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
    if (task.line.kind != Kind::r2r) {
        if (auto lines = make_long_real_lines<T>(task, kernels)) return lines;
    }
    return std::make_unique<RealLines<T>>(task, kernels);
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
