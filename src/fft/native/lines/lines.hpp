// A batch of one-dimensional transforms: loops around tiles, which are read, transformed, written.
//
// Lines are made of an FftTask without complex_axes, and look at its line, steps, loops and cache
// hints; execute is told where the arrays are, which may be one if the strides of both sides agree.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "fft/engine.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

/// Whether whole tiles of lanes can be written past the caches: they are adjacent and aligned.
template <class T>
bool can_stream(const Kernels<T>& kernels, const Lanes<T>& to);

/// The loops of lines of any kind around their tiles; executing allocates nothing.
template <class T>
class Lines : public FftPlan {
  public:
    /// `tiles`: of one segment on each side, the lines of lane_loop().
    Lines(const FftTask& task, const Kernels<T>& kernels, std::unique_ptr<TilePlan> tiles);

    /// Arrays of real numbers or of real and imaginary parts in turn, as the kind says.
    void execute(const T* from, T* to);
    void execute(std::byte* from, std::byte* to) override {
        execute(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
    }
    /// The tiles without the loops, which are not executed any more.
    std::unique_ptr<TilePlan> take_tiles() { return std::move(tiles_); }

  private:
    void execute_tile(const T* from, T* to, Index count);

    std::unique_ptr<TilePlan> tiles_;
    bool far_from_;
    // In real numbers.
    Loop lane_;  ///< the loop whose steps are lanes of a tile
    std::vector<Loop> outer_;
    std::vector<Loop> inner_;  ///< of smaller steps than lanes have: gone through for every tile
};

/// What transforms some lines together, from one array to another one: the part of a way to
/// transform lines that is its own. StridedTiles does the rest.
template <class T>
class LineTile : NoCopy {
  public:
    virtual ~LineTile() = default;

    /// Whole lines; all are read before one is written.
    virtual void execute(const Lanes<const T>& from, const Lanes<T>& to) = 0;

    /// The most lines of a call.
    [[nodiscard]] Index most() const { return most_; }
    /// Calls are of a multiple of so many lines, which share vectors.
    [[nodiscard]] Index together() const { return together_; }
    /// Whether contiguous results that are to go past the caches are copied there from a buffer.
    [[nodiscard]] bool is_staged() const { return is_staged_; }

  protected:
    LineTile() = default;

    Index most_ = Index{1} << 40;
    Index together_ = 1;
    bool is_staged_ = false;
};

/// A batch by way of such tiles.
template <class T>
std::unique_ptr<Lines<T>> make_batch(const FftTask& task, const Kernels<T>& kernels,
                                     std::unique_ptr<LineTile<T>> tile);

/// Lines of any kind: complex ones by choose_lines (rules.hpp), others by make_real_lines.
template <class T>
std::unique_ptr<Lines<T>> make_lines(const FftTask& task, const Kernels<T>& kernels);

/// How every complex line of that length is cut into passes where results are to be reproducible:
/// those of contiguous_lines.cpp, so that lines along which vectors run have the bits of
/// lines that are lanes.
template <class T>
Factors reproducible_factors(const Kernels<T>& kernels, Index n);

/// r2c, c2r and r2r lines.
template <class T>
std::unique_ptr<Lines<T>> make_real_lines(const FftTask& task, const Kernels<T>& kernels);

/// Whether make_real_lines takes a real-to-real task: not if lines are long or few, or several axes.
template <class T>
bool takes_real_to_real(const FftTask& task, const Kernels<T>& kernels);
/// Lines of a few fields in turn, as rows of all fields (see real/field_lines.cpp); null if they are
/// not, or faster otherwise.
template <class T>
std::unique_ptr<Lines<T>> make_real_field_lines(const FftTask& task, const Kernels<T>& kernels);
/// r2c and c2r lines of even length that are long or few; null if they are not.
template <class T>
std::unique_ptr<Lines<T>> make_long_real_lines(const FftTask& task, const Kernels<T>& kernels);

/// Fields in turn between the elements of lines, on both sides alike, and the lines of the first
/// one. 1: there are none.
struct FieldRows {
    Index fields = 1;
    FftTask first;
};
FieldRows field_rows(const FftTask& task);
/// The loop whose steps are lanes of a tile, in elements.
Loop lane_loop(const FftTask& task, Index lanes);
/// A loop of a task's array in real numbers.
inline Loop in_numbers(const Loop& loop, const LineTransform& line) {
    return {loop.extent, loop.from * line.source().numbers(), loop.to * line.target().numbers()};
}
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
