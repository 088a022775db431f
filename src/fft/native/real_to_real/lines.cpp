// Real-to-real lines of callers' arrays and of segments, tile by tile.
#include "fft/native/lines.hpp"

#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/real_to_real/transform.hpp"

namespace weft::core::native {

template <class T>
RealToRealTile<T>::RealToRealTile(const Kernels<T>& kernels, AxisKind kind, Index n, bool adjacent)
    : kernels_(kernels),
      n_(n),
      tiles_(several_tiles(kernels, n, adjacent)),
      transform_(make_real_to_real(kernels, kind, n, tiles_)),
      elements_(kernels, tiles_ * ((n + 1) / 2)) {}

template <class T>
RealElements<T> RealToRealTile<T>::elements(T* memory, Index first, Index tiles) const {
    const Index pairs = (n_ + 1) / 2;
    return {memory + first * pairs * 2 * kernels_.lanes, {1, pairs, pairs}, tiles};
}

template <class T>
RealArray<T> RealToRealTile<T>::array(T* memory) const {
    return {memory, kernels_.lanes, (n_ + 1) / 2 * 2 * kernels_.lanes, true};
}

template <class T>
void RealToRealTile<T>::execute(const Lanes<const T>& from, const Lanes<T>& to) {
    for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
        Lanes<T> target = lanes_at(to, first * kernels_.lanes * to.lane_step, to.step);
        target.lanes = lines.lanes;
        execute_tiles(lines, target, tiles);
    });
}

template <class T>
void RealToRealTile<T>::execute_tiles(const Lanes<const T>& from, const Lanes<T>& to, Index tiles) {
    const Index lanes = kernels_.lanes;
    if (from.lanes == lanes && from.lane_step == 1 && to.lane_step == 1) {
        transform_->read({from.data, from.step, lanes}, tiles);
        transform_->run(tiles);
        transform_->write({to.data, to.step, lanes}, tiles);
        return;
    }
    if (from.step != 1 || !transform_->read_lines(from, tiles)) {
        T* memory = idle_or_own(transform_->idle_before());
        read_reals(kernels_, from, {0, n_}, elements(memory, 0, tiles));
        transform_->read(readable(array(memory)), tiles);
    }
    transform_->run(tiles);
    if (to.step == 1 && transform_->write_lines(to, tiles)) return;
    T* memory = idle_or_own(transform_->idle_after());
    transform_->write(array(memory), tiles);
    const RealElements<T> results = elements(memory, 0, tiles);
    write_reals(kernels_, RealElements<const T>{results.data, results.rows, tiles}, {0, n_}, to);
}

template <class T>
void RealToRealTile<T>::read(const Lanes<const T>& from, Range some) const {
    for_tiles(from, kernels_.lanes, [&](Index first, Index tiles, const Lanes<const T>& lines) {
        read_reals(kernels_, lines, some, elements(elements_.data(), first, tiles));
    });
}

template <class T>
void RealToRealTile<T>::run(Index lines) {
    const Index tiles = (lines + kernels_.lanes - 1) / kernels_.lanes;
    const RealArray<T> here = array(elements_.data());
    transform_->read(readable(here), tiles);
    transform_->run(tiles);
    transform_->write(here, tiles);
}

template <class T>
void RealToRealTile<T>::write(const Lanes<T>& to, Range some) const {
    for_tiles(to, kernels_.lanes, [&](Index first, Index tiles, const Lanes<T>& lines) {
        const RealElements<T> from = elements(elements_.data(), first, tiles);
        write_reals(kernels_, RealElements<const T>{from.data, from.rows, tiles}, some, lines);
    });
}

namespace {

template <class T>
class RealToRealLines : public Lines<T> {
  public:
    RealToRealLines(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(kernels, task.line.axis, task.line.length,
                this->lane_.from == 1 || this->lane_.to == 1) {}

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_.lines(); }

    void tile(const T* from, T* to, Index count) override {
        tile_.execute(this->source(from, count), {to, this->line_.to, this->lane_.to, count});
    }

  private:
    RealToRealTile<T> tile_;
};

template <class T>
class RealToRealPlan : public FftPlan {
  public:
    RealToRealPlan(const FftTask& task, const Kernels<T>& kernels) {
        if (!is_empty(task)) lines_ = std::make_unique<RealToRealLines<T>>(task, kernels);
    }
    void execute(std::byte* from, std::byte* to) override {
        if (lines_ == nullptr) return;
        lines_->execute(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
    }

  private:
    std::unique_ptr<Lines<T>> lines_;
};

template <class T>
class RealToRealTiles : public TilePlan {
  public:
    RealToRealTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task), tile_(kernels, task.line.axis, task.line.length, adjacent(task)) {}

    [[nodiscard]] Index lines() const override { return tile_.lines(); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            const LineSegment& segment = task_.from[i];
            tile_.read(
                {reinterpret_cast<const T*>(from[i]), segment.step, segment.lane_step, count},
                {segment.first, segment.first + segment.extent});
        }
        tile_.run(count);
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            const LineSegment& segment = task_.to[i];
            tile_.write({reinterpret_cast<T*>(to[i]), segment.step, segment.lane_step, count},
                        {segment.first, segment.first + segment.extent});
        }
    }

  private:
    static bool adjacent(const TileTask& task) {
        const auto is_adjacent = [](const LineSegment& segment) { return segment.lane_step == 1; };
        return std::all_of(task.from.begin(), task.from.end(), is_adjacent) ||
               std::all_of(task.to.begin(), task.to.end(), is_adjacent);
    }

    TileTask task_;
    RealToRealTile<T> tile_;
};

}  // namespace

template <class T>
std::unique_ptr<FftPlan> make_real_to_real_plan(const FftTask& task, const Kernels<T>& kernels) {
    const Index n = task.line.length;
    const bool few = are_few(task, kernels.lanes) && n >= 2 * kernels.lanes;
    if (few || n > longest_tile || !task.complex_axes.empty()) return nullptr;
    return std::make_unique<RealToRealPlan<T>>(task, kernels);
}

template <class T>
std::unique_ptr<TilePlan> make_real_to_real_tiles(const TileTask& task, const Kernels<T>& kernels) {
    if (task.line.length > longest_tile) return nullptr;
    return std::make_unique<RealToRealTiles<T>>(task, kernels);
}

template class RealToRealTile<float>;
template class RealToRealTile<double>;
template std::unique_ptr<FftPlan> make_real_to_real_plan(const FftTask&, const Kernels<float>&);
template std::unique_ptr<FftPlan> make_real_to_real_plan(const FftTask&, const Kernels<double>&);
template std::unique_ptr<TilePlan> make_real_to_real_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_real_to_real_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
