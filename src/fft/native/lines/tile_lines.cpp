// Tiles whose lines the caller keeps in segments: loads, passes, stores.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "fft/native/engine.hpp"
#include "fft/native/lines/element_table.hpp"
#include "fft/native/lines/lines.hpp"

namespace weft::core::native {

namespace {

/// Adjacent elements of a line segment that are adjacent in the tile as well.
struct TileRun {
    std::size_t segment = 0;
    Index offset = 0;  ///< of the first, in numbers after where the segment begins
    Runs run;
    Index position = 0;  ///< of the first in the tile, in elements
};

/// Where a forward transform reads the elements of the segments: those of a backward one in
/// reverse, element 0 its own opposite.
std::vector<TileRun> tile_runs(const TileTask& task, const Rows& rows) {
    std::vector<TileRun> result;
    const Index n = task.line.length;
    for (std::size_t i = 0; i < task.from.size(); ++i) {
        const LineSegment& segment = task.from[i];
        for (Index e = 0; e < segment.extent;) {
            const bool backward = task.line.sign > 0 && segment.first + e > 0;
            const Index j = backward ? n - segment.first - e : segment.first + e;
            Index length = backward ? j % rows.length + 1 : rows.length - j % rows.length;
            if (j == 0) length = task.line.sign > 0 ? 1 : length;
            length = std::min(length, segment.extent - e);
            result.push_back(
                {i, e * segment.step * 2, {1, length, 0, 0, backward ? -1 : 1}, rows.position(j)});
            e += length;
        }
    }
    return result;
}

bool lanes_are_adjacent(const std::vector<LineSegment>& segments) {
    return std::all_of(segments.begin(), segments.end(),
                       [](const LineSegment& segment) { return segment.lane_step == 1; });
}

/// How many tiles are worked on together, where lines come from memory or go there: memory is
/// fastest from 256 bytes on, which tiles of few lanes do not have; the tiles stay in the second
/// cache.
template <class T>
Index tiles_in_row(const TileTask& task, const Kernels<T>& kernels) {
    constexpr Index run_bytes = 256;
    constexpr Index most_bytes = Index{1} << 17;
    const Index element_bytes = 2 * kernels.lanes * static_cast<Index>(sizeof(T));
    if (!task.caches.far_from && !task.caches.stream) return 1;
    return std::max<Index>(
        std::min(run_bytes / element_bytes, most_bytes / (task.line.length * element_bytes)), 1);
}

template <class T>
class ComplexTiles : public TilePlan {
  public:
    ComplexTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          dft_(make_line_dft(kernels, task.line)),
          rows_(dft_->rows()),
          tiles_(tiles_in_row(task, kernels)),
          input_(kernels, tiles_ * rows_.room()),
          output_(kernels, task.line.length),
          runs_(tile_runs(task, rows_)),
          gathers_(dft_->begins() && lanes_are_adjacent(task.from)),
          scatters_(dft_->ends() && lanes_are_adjacent(task.to)),
          now_(task_.from, gathers_ ? task.line.length : 0, task.line.sign > 0),
          next_(now_),
          results_(task_.to, scatters_ ? task.line.length : 0, false),
          next_to_(task.to.size()),
          misaligned_steps_(misaligned_steps()) {
        const bool shifts = scatters_ && task.caches.stream && kernels.write_waiting != nullptr;
        if (!shifts) return;
        over_.resize(static_cast<std::size_t>(task.line.length));
        waiting_lanes_ = Tile<T>(kernels, task.line.length);
    }

    [[nodiscard]] Index lines() const override { return tiles_ * kernels_.lanes; }

    using TilePlan::execute;
    /// Whole tiles of adjacent lanes go straight from the segments to the first pass, and from the
    /// last one straight to the segments.
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        const Index tiles = (count + kernels_.lanes - 1) / kernels_.lanes;
        const Index whole = count / kernels_.lanes;
        const auto straight = [&](bool possible, bool beyond) {
            return !possible ? 0 : beyond ? tiles : whole;
        };
        const Index gathered = straight(gathers_, task_.reads_beyond);
        const Index scattered = straight(scatters_, task_.writes_beyond);
        const Target target = scattered > 0 ? locate_results(to, scattered) : Target{};
        if (gathered > 0) gather(from, next, target, gathered);
        for (Index t = gathered; t < tiles; ++t) {
            read(from, t, count);
            dft_->begin_in_tile(tile(t));
        }
        if (scattered > 0) scatter(target, scattered);
        for (Index t = scattered; t < tiles; ++t) {
            dft_->end_in_tile(tile(t), output_.data(), 1);
            write(to, t, count);
        }
    }

    void complete() override {
        write_waiting();
        std::fill(next_to_.begin(), next_to_.end(), nullptr);
        if (task_.caches.stream) kernels_.fence();
    }

  private:
    /// How results get to memory: straight, after their places were asked for if need be; or past
    /// the caches, as they are or shifted to whole lines.
    enum class Way { straight, fetched, streamed, shifted };
    struct Target {
        Way way = Way::straight;
        Places<T> places;
    };

    /// The lanes of a segment, from one of its lines on.
    template <class Number>
    [[nodiscard]] Lanes<Number> lanes(const LineSegment& segment, Number* data, Index first_line,
                                      Index count) const {
        const Index lane_step = segment.lane_step * 2;
        return {data + first_line * lane_step, segment.step * 2, lane_step, count};
    }
    [[nodiscard]] Lanes<T> target(const LineSegment& segment, T* to, Index first_line,
                                  Index count) const {
        Lanes<T> result = lanes(segment, to, first_line, count);
        result.stream = task_.caches.stream && can_stream(kernels_, result);
        return result;
    }
    [[nodiscard]] T* input(Index element) const { return at(input_, element); }
    [[nodiscard]] T* output(Index element) const { return at(output_, element); }
    [[nodiscard]] T* at(const Tile<T>& tile, Index element) const {
        return tile.data() + element * 2 * kernels_.lanes;
    }
    [[nodiscard]] T* tile(Index number) const { return input(number * rows_.room()); }
    template <class U>
    [[nodiscard]] TileRow<U> row(Index count) const {
        return {input_.data(), count, rows_.room() * 2 * kernels_.lanes};
    }
    /// The lines of a tile that there are.
    [[nodiscard]] Index present(Index tile, Index count) const {
        return std::min<Index>(count - tile * kernels_.lanes, kernels_.lanes);
    }

    void read(const std::byte* const* from, Index number, Index count) {
        for (const TileRun& one : runs_) {
            const T* data = reinterpret_cast<const T*>(from[one.segment]) + one.offset;
            kernels_.read(lanes(task_.from[one.segment], data, number * kernels_.lanes,
                                present(number, count)),
                          one.run, input(number * rows_.room() + one.position));
        }
    }
    void write(std::byte* const* to, Index number, Index count) {
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            const LineSegment& segment = task_.to[i];
            kernels_.write(output(segment.first), one_run(segment.extent),
                           target(segment, reinterpret_cast<T*>(to[i]), number * kernels_.lanes,
                                  present(number, count)));
        }
    }

    void gather(const std::byte* const* from, const std::byte* const* next, const Target& target,
                Index tiles) {
        if (!now_.reaches(from)) {
            std::swap(now_, next_);
            now_.look_up(from);
        }
        const Places<const T> here = now_.at(from);
        Places<const T> ahead;
        if (task_.caches.far_from && next != nullptr) {
            const bool reached = now_.reaches(next);
            if (!reached) next_.look_up(next);
            ahead = (reached ? now_ : next_).at(next);
        }
        const bool fetches = target.way == Way::fetched;
        dft_->begin_gathered(here, ahead, fetches ? target.places : Places<T>{}, row<T>(tiles));
    }

    void scatter(const Target& target, Index tiles) {
        if (target.way == Way::shifted) {
            dft_->end_shifted(row<const T>(tiles), shifted(target.places, !waiting_));
            waiting_ = true;
            next_places_ = target.places.beyond(tiles * 2 * kernels_.lanes);
            return;
        }
        dft_->end_scattered(row<const T>(tiles), target.places, target.way == Way::streamed);
    }

    static std::uintptr_t bytes(Index elements) {
        return static_cast<std::uintptr_t>(2 * elements) * sizeof(T);
    }
    /// Bytes beyond whole lines from one tile to the next, and from one result to the next.
    [[nodiscard]] std::uintptr_t misaligned_steps() const {
        std::uintptr_t result = bytes(kernels_.lanes) % cache_line;
        for (const LineSegment& segment : task_.to) {
            if (segment.extent > 1) result |= bytes(segment.step) % cache_line;
        }
        return result;
    }

    Target locate_results(std::byte* const* to, Index tiles) {
        const bool goes_on = std::equal(next_to_.begin(), next_to_.end(), to);
        if (!goes_on) write_waiting();
        std::uintptr_t misaligned = misaligned_steps_;
        for (std::size_t i = 0; i < next_to_.size(); ++i) {
            next_to_[i] = to[i] + bytes(tiles * kernels_.lanes);
            misaligned |= reinterpret_cast<std::uintptr_t>(to[i]) % cache_line;
        }
        results_.look_up(to);
        const Places<T> places = results_.at(to);
        if (!task_.caches.stream) {
            return {task_.caches.far_to ? Way::fetched : Way::straight, places};
        }
        if (misaligned == 0) return {Way::streamed, places};
        const bool can_shift = kernels_.write_waiting != nullptr && misaligned % sizeof(T) == 0;
        if (!can_shift) return {Way::fetched, places};
        if (!goes_on) find_lines(places);
        return {Way::shifted, places};
    }

    // Where whole lines begin within results.
    void find_lines(const Places<T>& places) {
        for (std::size_t i = 0; i < over_.size(); ++i) {
            const auto address = reinterpret_cast<std::uintptr_t>(places[static_cast<Index>(i)]);
            over_[i] = static_cast<std::uint8_t>(address % cache_line / sizeof(T));
        }
    }
    [[nodiscard]] ShiftedResults<T> shifted(const Places<T>& places, bool first) const {
        return {places, over_.data(), waiting_lanes_.data(), first};
    }
    void write_waiting() {
        if (!waiting_) return;
        kernels_.write_waiting(task_.line.length, shifted(next_places_, false));
        waiting_ = false;
    }

    static constexpr std::uintptr_t cache_line = 64;

    TileTask task_;
    const Kernels<T>& kernels_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Rows rows_;
    Index tiles_;  ///< that input_ has room for
    Tile<T> input_;
    Tile<T> output_;
    std::vector<TileRun> runs_;
    bool gathers_;
    bool scatters_;
    Elements<const T> now_;
    Elements<const T> next_;
    Elements<T> results_;
    std::vector<std::byte*> next_to_;  ///< where the tile would go that continues the last one
    Places<T> next_places_;            ///< the same of each result
    std::uintptr_t misaligned_steps_;
    std::vector<std::uint8_t> over_;
    Tile<T> waiting_lanes_;
    bool waiting_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<TilePlan> make_tiles(const TileTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c) return make_real_tiles(task, kernels);
    if (auto contiguous = make_contiguous_tiles(task, kernels)) return contiguous;
    return std::make_unique<ComplexTiles<T>>(task, kernels);
}

template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
