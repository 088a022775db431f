// A batch of one-dimensional transforms, tile by tile: read, transform, write.
//
// Lines are made of an FftTask without complex_axes, and look at its line, steps, loops and cache
// hints; execute is told where the arrays are, which may be one if the strides of both sides agree.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/transforms.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

/// Whether whole tiles of lanes can be written past the caches: they are adjacent and aligned.
template <class T>
bool can_stream(const Kernels<T>& kernels, const Lanes<T>& to);

/// Lines of one kind; executing allocates nothing.
template <class T>
class Lines {
  public:
    Lines() = default;
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    virtual ~Lines() = default;

    /// Arrays of real numbers or of real and imaginary parts in turn, as the kind says.
    void execute(const T* from, T* to);
    /// `count` steps of the loop of lanes only, any number; `next`: where the lines begin that are
    /// read then, to be asked for if the source is far; null if that is not known. What goes past
    /// the caches is not fenced.
    void some(const T* from, T* to, Index count, const T* next);
    /// Lines that are transformed together.
    [[nodiscard]] Index together() const { return tile_lines(); }

  protected:
    Lines(const FftTask& task, const Kernels<T>& kernels);

    /// Transforms `count` lines from the first of them on; at most tile_lines().
    virtual void tile(const T* from, T* to, Index count) = 0;
    /// All that are adjacent, unless the lines' own tiles hold fewer.
    [[nodiscard]] virtual Index tile_lines() const { return std::max<Index>(lane_.extent, 1); }

    /// From the lines of a tile to those that are to be asked for meanwhile: of the next one unless
    /// it was told otherwise; 0: they are not.
    [[nodiscard]] Index ahead(Index count) const {
        return told_ahead_ ? *told_ahead_ : far_from_ ? count * lane_.from : 0;
    }

    [[nodiscard]] Lanes<const T> source(const T* from, Index count) const {
        return {from, line_.from, lane_.from, count, false, ahead(count)};
    }
    /// Lanes of the result, written past the caches where that can be and should be.
    [[nodiscard]] Lanes<T> target(T* to, Index count) const {
        Lanes<T> result = {to, line_.to, lane_.to, count};
        result.stream = stream_ && can_stream(kernels_, result);
        return result;
    }

    /// `count` contiguous lines of so many numbers, one behind the other, past the caches to where
    /// they belong.
    void stream_lines(const T* lines, Index numbers, T* to, Index count) const {
        for (Index line = 0; line < count; ++line) {
            kernels_.copy_streamed(lines + line * numbers, to + line * lane_.to, numbers);
        }
    }

    const Kernels<T>& kernels_;
    Index n_;
    int sign_;
    bool far_from_;
    bool far_to_;
    bool stream_;
    // In real numbers.
    Loop line_;
    Loop lane_;  ///< the loop whose steps are lanes of a tile

  private:
    std::vector<Loop> outer_;
    std::vector<Loop> inner_;  ///< of smaller steps than lanes have: gone through for every tile
    std::optional<Index> told_ahead_{};
};

/// Lines of any kind: complex ones by choose_lines (rules.hpp), others by make_real_lines.
template <class T>
std::unique_ptr<Lines<T>> make_lines(const FftTask& task, const Kernels<T>& kernels);

/// How every complex line of that length is cut into passes where results are to be reproducible:
/// those of contiguous_lines.cpp, so that lines along which vectors run have the bits of
/// lines that are lanes.
template <class T>
Factors reproducible_factors(const Kernels<T>& kernels, Index n);
/// The transform of a tile by these passes, or by the fastest.
template <class T>
std::unique_ptr<MixedRadix<T>> make_line_dft(const Kernels<T>& kernels, const LineTransform& line) {
    if (!line.reproducible) return make_tile_dft(kernels, line.length);
    return std::make_unique<MixedRadix<T>>(kernels, reproducible_factors(kernels, line.length));
}

/// r2c, c2r and r2r lines.
template <class T>
std::unique_ptr<Lines<T>> make_real_lines(const FftTask& task, const Kernels<T>& kernels);

/// Whether make_real_lines takes a real-to-real task: not if lines are long or few, or several axes.
template <class T>
bool takes_real_to_real(const FftTask& task, const Kernels<T>& kernels);
/// r2c and c2r lines of even length that are long or few; null if they are not.
template <class T>
std::unique_ptr<Lines<T>> make_long_real_lines(const FftTask& task, const Kernels<T>& kernels);

/// The loop whose steps are lanes of a tile, in elements.
Loop lane_loop(const FftTask& task, Index lanes);
/// How many of so many elements, `step` bytes apart, lie in one set of the nearest cache (of 4 KiB
/// for each way).
Index in_one_set(Index elements, Index step);
/// Whether the elements of adjacent lanes, so many bytes apart, lie in a few sets of that cache.
inline bool meet_in_cache(Index step) { return step % 1024 == 0; }
/// Lines that could be lanes: those of the loop with the most steps.
Index most_lines(const FftTask& task);
/// Whether lines fill at most half of a vector. False of reproducible ones, whose arithmetic must
/// not depend on how many there are.
bool are_few(const FftTask& task, Index lanes);
/// The most elements of a line whose tile stays in the second cache.
inline constexpr Index longest_tile = 4096;
/// The first of the two factors that a complex line is cut into because it is long, or because few
/// lines would leave most lanes empty; 1 if it is not.
Index short_factor(Index n, Index lines, Index lanes);

}  // namespace weft::core::native
