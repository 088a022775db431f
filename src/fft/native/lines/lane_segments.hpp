// Whole tiles of adjacent lanes that a caller keeps in segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

inline bool are_adjacent(const std::vector<LineSegment>& lanes) {
    return std::all_of(lanes.begin(), lanes.end(),
                       [](const LineSegment& segment) { return segment.lane_step == 1; });
}

/// Whether segments hold every element of a line of n.
inline bool hold_all(const std::vector<LineSegment>& segments, Index n) {
    Index held = 0;
    for (const LineSegment& segment : segments) held += segment.extent;
    return held == n;
}

/// Where the elements of a tile are, in the order in which a transform takes or leaves them. The
/// table of them is filled anew only if its segments have not all moved equally far.
template <class U>
class Elements {
  public:
    /// `backward`: in the order of a forward transform, where the segments have that of a backward
    /// one; see tile_runs.
    Elements(const std::vector<LineSegment>& segments, Index length, bool backward)
        : segments_(&segments),
          backward_(backward),
          begins_(segments.size(), 0),
          table_(static_cast<std::size_t>(length)) {}

    /// Whether the table will do for segments that begin there.
    template <class Byte>
    [[nodiscard]] bool reaches(Byte* const* begins) const {
        if (!filled_) return false;
        const std::uintptr_t distance = address(begins[0]) - begins_[0];
        if (static_cast<std::intptr_t>(distance) % static_cast<std::intptr_t>(sizeof(U)) != 0)
            return false;
        for (std::size_t i = 1; i < begins_.size(); ++i) {
            if (address(begins[i]) - begins_[i] != distance) return false;
        }
        return true;
    }
    template <class Byte>
    void look_up(Byte* const* begins) {
        if (!reaches(begins)) fill(begins);
    }
    /// Of segments that the table reaches.
    template <class Byte>
    [[nodiscard]] Places<U> at(Byte* const* begins) const {
        const auto distance = static_cast<std::intptr_t>(address(begins[0]) - begins_[0]);
        return {table_.data(), distance / static_cast<std::intptr_t>(sizeof(U))};
    }

  private:
    static std::uintptr_t address(const std::byte* data) {
        return reinterpret_cast<std::uintptr_t>(data);
    }
    template <class Byte>
    void fill(Byte* const* begins) {
        const auto n = static_cast<Index>(table_.size());
        for (std::size_t i = 0; i < segments_->size(); ++i) {
            const LineSegment& segment = (*segments_)[i];
            begins_[i] = address(begins[i]);
            U* data = reinterpret_cast<U*>(begins[i]);
            for (Index e = 0; e < segment.extent; ++e) {
                const Index j = segment.first + e;
                const Index place = !backward_ || j == 0 ? j : n - j;
                table_[static_cast<std::size_t>(place)] = data + e * 2 * segment.step;
            }
        }
        filled_ = true;
    }

    const std::vector<LineSegment>* segments_;
    bool backward_;
    bool filled_ = false;
    std::vector<std::uintptr_t> begins_;  ///< of the segments that the table is of
    std::vector<U*> table_;
};

/// Reads tiles for first passes.
template <class T>
class LaneSources {
  public:
    /// `possible`: whether there will be such tiles.
    LaneSources(const TileTask& task, bool possible)
        : far_(task.caches.far_from),
          now_(task.from, possible ? task.line.length : 0, task.line.sign > 0),
          next_(now_) {}

    /// `results`: what is to be asked for meanwhile beside the next tiles.
    void begin(MixedRadix<T>& dft, const std::byte* const* from, const std::byte* const* next,
               const Places<T>& results, const TileRow<T>& tiles) {
        if (!now_.reaches(from)) {
            std::swap(now_, next_);
            now_.look_up(from);
        }
        const Places<const T> here = now_.at(from);
        Places<const T> then;
        if (far_ && next != nullptr) {
            const bool reached = now_.reaches(next);
            if (!reached) next_.look_up(next);
            then = (reached ? now_ : next_).at(next);
        }
        dft.begin_gathered(here, then, results, tiles);
    }

  private:
    bool far_;
    Elements<const T> now_;
    Elements<const T> next_;
};

/// Places and writes results of last passes: straight, after their places were asked for if need
/// be; or past the caches, as they are or shifted to whole cache lines.
template <class T>
class LaneResults {
  public:
    /// `possible`: whether there will be such results.
    LaneResults(const TileTask& task, const Kernels<T>& kernels, bool possible)
        : kernels_(kernels),
          n_(task.line.length),
          caches_(task.caches),
          all_kept_(hold_all(task.to, n_)),
          table_(task.to, possible ? n_ : 0, false),
          next_to_(task.to.size()),
          misaligned_steps_(bytes(kernels.lanes) % cache_line) {
        for (const LineSegment& segment : task.to) {
            if (segment.extent > 1) misaligned_steps_ |= bytes(segment.step) % cache_line;
        }
        can_shift_ = possible && caches_.stream && kernels.write_waiting != nullptr && all_kept_;
        if (!can_shift_) return;
        over_.resize(usize(n_));
        waiting_lanes_ = Tile<T>(kernels, n_);
    }

    /// Of so many tiles that segments hold from there on. Returns what is to be asked for before
    /// they are written.
    Places<T> locate(std::byte* const* to, Index tiles) {
        const bool goes_on = std::equal(next_to_.begin(), next_to_.end(), to);
        if (!goes_on) write_waiting();
        std::uintptr_t misaligned = misaligned_steps_;
        for (std::size_t i = 0; i < next_to_.size(); ++i) {
            next_to_[i] = to[i] + bytes(tiles * kernels_.lanes);
            misaligned |= reinterpret_cast<std::uintptr_t>(to[i]) % cache_line;
        }
        table_.look_up(to);
        places_ = table_.at(to);
        streams_ = caches_.stream && misaligned == 0;
        shifts_ = can_shift_ && !streams_ && misaligned % sizeof(T) == 0;
        if (shifts_ && !goes_on) find_lines();
        const bool fetches = !streams_ && !shifts_ && (caches_.stream || caches_.far_to);
        return fetches ? places_ : Places<T>{};
    }

    void write(const MixedRadix<T>& dft, const TileRow<const T>& tiles) {
        if (!all_kept_) return dft.end_kept(tiles, places_, streams_);
        if (!shifts_) return dft.end_scattered(tiles, places_, streams_);
        dft.end_shifted(tiles, shifted(!waiting_));
        waiting_ = true;
        places_ = places_.beyond(tiles.count * 2 * kernels_.lanes);
    }

    /// After the last ones.
    void complete() {
        write_waiting();
        std::fill(next_to_.begin(), next_to_.end(), nullptr);
    }

  private:
    static std::uintptr_t bytes(Index elements) {
        return static_cast<std::uintptr_t>(2 * elements) * sizeof(T);
    }
    /// Where whole cache lines begin within results.
    void find_lines() {
        for (std::size_t i = 0; i < over_.size(); ++i) {
            const auto address = reinterpret_cast<std::uintptr_t>(places_[static_cast<Index>(i)]);
            over_[i] = static_cast<std::uint8_t>(address % cache_line / sizeof(T));
        }
    }
    [[nodiscard]] ShiftedResults<T> shifted(bool first) const {
        return {places_, over_.data(), waiting_lanes_.data(), first};
    }
    void write_waiting() {
        if (waiting_) kernels_.write_waiting(n_, shifted(false));
        waiting_ = false;
    }

    static constexpr std::uintptr_t cache_line = 64;

    const Kernels<T>& kernels_;
    Index n_;
    CacheHints caches_;
    bool all_kept_;  ///< segments hold every result
    Elements<T> table_;
    Places<T> places_;                 ///< of each result, or where the next one would be
    std::vector<std::byte*> next_to_;  ///< where the tile would go that continues the last one
    std::uintptr_t misaligned_steps_;  ///< bytes beyond whole lines from tile to tile, or result
    bool can_shift_ = false;
    bool streams_ = false;
    bool shifts_ = false;
    std::vector<std::uint8_t> over_;
    Tile<T> waiting_lanes_;
    bool waiting_ = false;
};

}  // namespace weft::core::native
