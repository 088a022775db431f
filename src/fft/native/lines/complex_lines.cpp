// Complex lines, a line in each lane of a tile: whatever their strides, in segments or not.
#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/lines/ahead.hpp"
#include "fft/native/lines/lane_segments.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/lines/tile_runs.hpp"

namespace weft::core::native {

namespace {

/// The transform of a tile by the passes of reproducible results, or by the fastest.
template <class T>
std::unique_ptr<MixedRadix<T>> make_line_dft(const Kernels<T>& kernels, const LineTransform& line) {
    if (!line.reproducible) return make_tile_dft(kernels, line.length);
    return std::make_unique<MixedRadix<T>>(kernels, reproducible_factors(kernels, line.length));
}

/// Whether lanes are in one segment whose elements meet in a few sets of the nearest cache.
template <class T>
bool are_crowded(const std::vector<LineSegment>& lanes) {
    constexpr Index number = 2 * static_cast<Index>(sizeof(T));
    return lanes.size() == 1 && are_adjacent(lanes) && meet_in_cache(lanes.front().step * number);
}

/// How many tiles are worked on together: 256 bytes of adjacent lanes. Memory is fastest from there
/// on; and elements that are a large power of two of bytes apart meet in the same few sets of the
/// nearest cache, where the rest of their cache lines would not stay. The tiles have to stay in
/// that cache, those that come from memory in the second one.
template <class T>
Index tiles_in_row(const TileTask& task, const Kernels<T>& kernels, bool single) {
    constexpr Index run_bytes = 256;
    const bool lanes = are_adjacent(task.from) || are_adjacent(task.to);
    const bool far = lanes && (task.caches.far_from || task.caches.stream);
    const bool crowded = are_crowded<T>(task.from) || are_crowded<T>(task.to);
    if (single || (!far && !crowded)) return 1;
    const Index most_bytes = Index{1} << (far ? 18 : 15);
    const Index element_bytes = 2 * kernels.lanes * static_cast<Index>(sizeof(T));
    return std::max<Index>(
        std::min(run_bytes / element_bytes, most_bytes / (task.line.length * element_bytes)), 1);
}

template <class T>
class ComplexTiles final : public TilePlan {
  public:
    ComplexTiles(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          dft_(make_line_dft(kernels, task.line)),
          rows_(dft_->rows()),
          tiles_(tiles_in_row(task, kernels, dft_->single())),
          input_(kernels, tiles_ * rows_.room()),
          output_(kernels, task.line.length),
          from_strided_(tiles_ == 1 && task.from.size() == 1 &&
                        (dft_->single() || task.caches.stream || !task.caches.far_to)),
          all_kept_(hold_all(task.to, task.line.length)),
          to_strided_(tiles_ == 1 && task.to.size() == 1 && all_kept_ && !task.caches.far_to &&
                      !task.caches.stream),
          gathers_((dft_->begins() || (dft_->single() && from_strided_)) &&
                   are_adjacent(task.from)),
          scatters_(dft_->ends() && are_adjacent(task.to)),
          sources_(task_, gathers_),
          results_(task_, kernels, scatters_) {
        constexpr Index portion = 64 / static_cast<Index>(2 * sizeof(T));
        const Index n = task.line.length;
        const Index blocks = dft_->ends() ? dft_->last_blocks() : n;
        reads_ = portions(task.from, {rows_.count, rows_.length, rows_.stride,
                                      dft_->begins() ? portion : rows_.length, task.line.sign > 0});
        writes_ = portions(task.to, {n / blocks, blocks, 0, dft_->ends() ? portion : n});
        contiguous_ = all_kept_ && task.to.size() == 1 && task.to[0].step == 1 && n > 1;
        const Index line_bytes = n * 64 / portion;
        const bool worth_it = line_bytes >= 256 && line_bytes * kernels.lanes <= Index{1} << 17;
        if (task.caches.stream && contiguous_ && worth_it) lines_ = Tile<T>(kernels, n);
    }

    [[nodiscard]] Index lines() const override { return tiles_ * kernels_.lanes; }

    using TilePlan::execute;
    /// Whole tiles of adjacent lanes go straight from the segments to the first pass, and from the
    /// last one straight to the segments.
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        const bool full = count == tiles_ * kernels_.lanes;  // divisions take a while
        const Index tiles = full ? tiles_ : (count + kernels_.lanes - 1) / kernels_.lanes;
        const Index whole = full ? tiles_ : count / kernels_.lanes;
        const auto straight = [&](bool possible, bool beyond) {
            return !possible ? 0 : beyond ? tiles : whole;
        };
        const Index gathered = straight(gathers_, task_.reads_beyond);
        const Index scattered = straight(scatters_, task_.writes_beyond);
        if (dft_->single() && gathered > 0) {
            run_single(from, to, next, scattered > 0 ? kernels_.lanes : count);
            return;
        }
        Places<T> results;
        if (scattered > 0 && !to_strided_) results = results_.locate(to, scattered);
        if (gathered > 0) gather(from, next, results, gathered);
        for (Index t = gathered; t < tiles; ++t) read(from, next, t, count);
        if (scattered > 0) scatter(to, scattered);
        for (Index t = scattered; t < tiles; ++t) write(to, t, count);
    }

    void complete() override {
        results_.complete();
        if (task_.caches.stream) kernels_.fence();
    }

  private:
    [[nodiscard]] T* tile(Index number) const {
        return input_.data() + number * rows_.room() * 2 * kernels_.lanes;
    }
    template <class U>
    [[nodiscard]] TileRow<U> row(Index count) const {
        return {input_.data(), count, rows_.room() * 2 * kernels_.lanes};
    }
    /// A backward transform is a forward one of the line read backwards.
    [[nodiscard]] Line<T> line(const std::byte* const* from, const std::byte* const* next) const {
        const T* zero = reinterpret_cast<const T*>(from[0]);
        const Index step = 2 * task_.from.front().step;
        const Index ahead = this->ahead(from, next, 0);
        if (task_.line.sign < 0) return {zero, zero, step, ahead};
        return {zero, zero + task_.line.length * step, -step, ahead};
    }
    /// Numbers from a segment to where it is in the tile that is to be asked for; 0: there is none.
    [[nodiscard]] Index ahead(const std::byte* const* from, const std::byte* const* next,
                              std::size_t segment) const {
        if (!task_.caches.far_from || next == nullptr) return 0;
        // They may be another process's.
        return (reinterpret_cast<std::intptr_t>(next[segment]) -
                reinterpret_cast<std::intptr_t>(from[segment])) /
               static_cast<std::intptr_t>(sizeof(T));
    }
    /// The lanes of a tile where a run begins.
    template <class U, class Byte>
    [[nodiscard]] Lanes<U> lanes(const TileRun& run, const LineSegment& segment, Byte* begin,
                                 Index tile, Index count) const {
        const Index lane_step = segment.lane_step * 2;
        const Index present = std::min<Index>(count - tile * kernels_.lanes, kernels_.lanes);
        return {reinterpret_cast<U*>(begin) + run.offset + tile * kernels_.lanes * lane_step,
                segment.step * 2, lane_step, present};
    }

    /// A transform that is one butterfly, of a tile.
    void run_single(const std::byte* const* from, std::byte* const* to,
                    const std::byte* const* next, Index count) {
        const Lanes<T> target = lanes<T>({}, task_.to.front(), to[0], 0, count);
        const bool straight =
            scatters_ && all_kept_ && count == kernels_.lanes && task_.to.size() == 1;
        if (straight && !(task_.caches.stream && can_stream(kernels_, target))) {
            dft_->run_single(line(from, next), target.data, target.step);
            return;
        }
        dft_->begin(line(from, next), output_.data());
        write_output(writes_.front(), to, 0, count);
        if (lines_.data() != nullptr) stream_lines(to[0], 0, count);
    }

    /// The passes up to the last. Portions stay in the nearest cache between the copy and the
    /// butterflies.
    void read(const std::byte* const* from, const std::byte* const* next, Index number,
              Index count) {
        T* elements = tile(number);
        for (const Portion& portion : reads_) {
            for (const TileRun& run : portion.runs) {
                Lanes<const T> source =
                    lanes<const T>(run, task_.from[run.segment], from[run.segment], number, count);
                source.ahead = ahead(from, next, run.segment);
                kernels_.read(source, run.runs, elements + run.position * 2 * kernels_.lanes);
            }
            if (dft_->begins()) dft_->begin_some(portion.some, elements);
        }
        if (dft_->begins()) {
            dft_->begin_rest(elements);
        } else {
            dft_->begin_in_tile(elements);
        }
    }

    void write(std::byte* const* to, Index number, Index count) {
        T* elements = tile(number);
        if (!dft_->ends()) dft_->end_in_tile(elements, output_.data(), 1);
        for (const Portion& portion : writes_) {
            if (contiguous_ && task_.caches.far_to && lines_.data() == nullptr) {
                ask_for_next(to[0], portion.some, count);
            }
            if (dft_->ends()) {
                dft_->end_some(portion.some, elements, output_.data(), 1,
                               portion.some.end - portion.some.first);
            }
            write_output(portion, to, number, count);
        }
        if (lines_.data() != nullptr) stream_lines(to[0], number, count);
    }

    void write_output(const Portion& portion, std::byte* const* to, Index number, Index count) {
        for (const TileRun& run : portion.runs) {
            Lanes<T> target = lanes<T>(run, task_.to[run.segment], to[run.segment], number, count);
            if (lines_.data() != nullptr) {
                target = {lines_.data() + run.offset, 2, 2 * task_.line.length, target.lanes};
            }
            target.stream = task_.caches.stream && can_stream(kernels_, target);
            kernels_.write(output_.data() + run.position * 2 * kernels_.lanes, run.runs, target);
        }
    }
    /// Lines that are contiguous, neither short nor very long, go past the caches one after the
    /// other.
    void stream_lines(std::byte* to, Index number, Index count) const {
        const Lanes<T> all = lanes<T>({}, task_.to.front(), to, number, count);
        const Index numbers = 2 * task_.line.length;
        for (Index i = 0; i < all.lanes; ++i) {
            kernels_.copy_streamed(lines_.data() + i * numbers, all.data + i * all.lane_step,
                                   numbers);
        }
    }
    /// For the part of the next tile's lines that is `some` of all blocks.
    void ask_for_next(std::byte* to, Range some, Index count) const {
        const Index n = task_.line.length;
        const Index blocks = writes_.back().some.end;
        const Index lane_step = 2 * task_.to.front().lane_step;
        ask_for(reinterpret_cast<const T*>(to) + count * lane_step, lane_step,
                std::min<Index>(count, kernels_.lanes),
                {n * some.first / blocks, n * some.end / blocks});
    }

    void gather(const std::byte* const* from, const std::byte* const* next,
                const Places<T>& results, Index tiles) {
        if (from_strided_) {
            dft_->begin(line(from, next), input_.data());
            return;
        }
        sources_.begin(*dft_, from, next, results, row<T>(tiles));
    }

    void scatter(std::byte* const* to, Index tiles) {
        if (to_strided_) {
            dft_->end(input_.data(), reinterpret_cast<T*>(to[0]), 2 * task_.to.front().step);
        } else {
            results_.write(*dft_, row<const T>(tiles));
        }
    }

    TileTask task_;
    const Kernels<T>& kernels_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Rows rows_;
    Index tiles_;  ///< that input_ has room for
    Tile<T> input_;
    Tile<T> output_;
    bool from_strided_;  ///< a side is one array, without a table of its elements
    bool all_kept_;      ///< segments hold every result
    bool to_strided_;
    bool gathers_;
    bool scatters_;
    LaneSources<T> sources_;
    LaneResults<T> results_;
    std::vector<Portion> reads_;
    std::vector<Portion> writes_;
    bool contiguous_ = false;  ///< the results
    Tile<T> lines_;            ///< of those that go past the caches a line at a time
};

bool are_contiguous(const std::vector<LineSegment>& lines, Index n) {
    return lines.size() == 1 && hold_all(lines, n) && lines.front().step == 1 &&
           lines.front().lane_step != 1;
}

}  // namespace

template <class T>
LinesOffer<T> complex_lines(const LineCase<T>& one) {
    return {nullptr, [one] {
                const FftTask& task = one.task;
                const Loop lanes = lane_loop(task, one.kernels.lanes);
                const TileTask tiles{.line = task.line,
                                     .from = {{0, one.length(), task.from_step, lanes.from}},
                                     .to = {{0, one.length(), task.to_step, lanes.to}},
                                     .caches = task.caches};
                return std::make_unique<Lines<T>>(
                    task, one.kernels, std::make_unique<ComplexTiles<T>>(tiles, one.kernels));
            }};
}

WEFT_LINES_RULE_FOR_ALL(complex_lines)

template <class T>
std::unique_ptr<TilePlan> make_tiles(const TileTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c) return make_real_tiles(task, kernels);
    const Index n = task.line.length;
    if (!are_contiguous(task.from, n) || !are_contiguous(task.to, n)) {
        return std::make_unique<ComplexTiles<T>>(task, kernels);
    }
    // A batch like any other, of lines enough to fill tiles.
    constexpr Index many = 64;
    const FftTask lines{.line = task.line,
                        .looped = {{many, task.from.front().lane_step, task.to.front().lane_step}},
                        .caches = task.caches};
    return make_lines<T>(lines, kernels)->take_tiles();
}

template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
