// What the native engine is made of on one instruction set: passes and copies on tiles.
//
// A *tile* holds one element of each of `lanes` lines side by side: tile element e is the real
// parts re[lanes], then the imaginary parts im[lanes], so lane l of every vector belongs to line l
// and any length is computed with whole vectors. Lanes are in the order in which interleaved
// complex numbers fall apart without crossing 128-bit blocks; only loads and stores know it.
//
// Steps between elements of a caller's array count real numbers (T); positions within a tile count
// tile elements.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/box.hpp"

namespace weft::core::native {

/// No butterfly has a larger radix, and no kernel transforms longer contiguous lines whole.
inline constexpr int largest_radix = 32;
inline constexpr int longest_short_line = 45;
/// No pass over interleaved numbers has a larger radix.
inline constexpr int largest_interleaved_radix = 60;

/// Where the elements of a line lie in the tile that is transformed: `count` rows of `length`
/// elements each, `stride` elements from one row to the next.
struct Rows {
    Index count = 1;
    Index length = 1;
    Index stride = 1;
    [[nodiscard]] Index position(Index j) const { return j / length * stride + j % length; }
    /// Of the tile that holds them.
    [[nodiscard]] Index room() const { return count * stride; }
};

/// One pass of a mixed-radix transform, decimated in frequency: `blocks` transforms of radix*count
/// elements each. For each c < count, a butterfly on elements c + stride*i (i < radix) of a block;
/// result k times exp(-2 pi i c k / (radix*count)) takes the place of input k.
/// The last pass has count 1; result k of block b is frequency b + blocks*k.
template <class T>
struct Pass {
    int radix = 1;
    Index blocks = 1;
    Index count = 1;
    Index stride = 1;
    std::vector<Index> base;  ///< of each block in the tile
    std::vector<T> twiddles;  ///< cos, sin: [count][radix - 1][2]; or, where the radix is a prime
                              ///< without a butterfly, followed by [radix][2] roots of unity
};

/// An element of a spectrum in a tile: conjugated there if the sign is -1.
template <class T>
struct SpectrumPlace {
    Index element = 0;
    T sign = 1;
};

/// The first pass of contiguous lines whose length is radix*count, with vectors along them. A line
/// is `radix` rows of `count` elements, and each column has a butterfly; result k of column c is
/// lane k mod lanes of the element for c in tile k / lanes, times a twiddle. A transform of each
/// tile, of length count, then gives frequencies k + radix*f. A vector holds adjacent columns of
/// a line.
template <class T>
struct AlongPass {
    int radix = 1;
    Index count = 1;
    std::vector<Index> columns;   ///< where each vector of columns begins
    std::vector<Index> position;  ///< in numbers, for each vector and lane
    const T* twiddles = nullptr;  ///< cos, sin as tile elements: [columns][radix - 1]
    Index line_room = 0;          ///< tile elements of a line, or of two that share lanes
    Index group_step = 0;         ///< from one tile to the next
    Index ahead = 0;              ///< as that of Line
};

/// Two passes over lines that share vectors (see interleaved_passes.hpp): n = rows*columns. Result
/// e of column c is element e*stride + c of the tile, a vector of each lanes/2 lines.
template <class T>
struct InterleavedPasses {
    int sign = -1;
    Index rows = 1;     ///< the radix of the first pass
    Index columns = 1;  ///< the radix of the last pass
    Index stride = 1;
    std::vector<T> twiddles;  ///< cos, sin of sign*2 pi ec/n: [columns][rows - 1][2]
};

/// The first pass of adjacent lanes that become contiguous lines (see transposed.hpp).
template <class T>
struct TransposedPass {
    Index count = 1;
    std::vector<Index> element;  ///< of each column, in a tile
    std::vector<T> twiddles;     ///< cos, sin: [count][radix - 1][2]
    Index line_step = 0;         ///< numbers from the tile of a line to that of the next
    Index group_step = 0;        ///< tile elements from the tiles of some results to the next
};

/// A line of each lane in a caller's array whose lanes are adjacent. Element j > 0 is at
/// base + j*step and element 0 at `zero`, so that a line can be read backwards, modulo its length.
template <class T>
struct Line {
    const T* zero = nullptr;
    const T* base = nullptr;
    Index step = 0;
    Index ahead = 0;  ///< asks for what is so many numbers further while reading; 0: does not
};

/// From `first` up to, not including, `end`: butterflies of each block, or blocks of a last pass.
struct Range {
    Index first = 0;
    Index end = 0;
};

/// Runs of adjacent tile elements: run r has elements at r*tile_stride and up, or down from there
/// if direction is -1, and begins at r*step in an array.
struct Runs {
    Index count = 1;
    Index length = 0;
    Index tile_stride = 0;
    Index step = 0;
    Index direction = 1;
};

/// Where each element of a tile is in arrays of adjacent lanes: element j at table[j] + shift.
template <class U>
struct Places {
    U* const* table = nullptr;
    Index shift = 0;
    explicit operator bool() const { return table != nullptr; }
    [[nodiscard]] U* operator[](Index j) const { return table[j] + shift; }
    /// Whether element j is anywhere: results that are not are dropped.
    [[nodiscard]] bool has(Index j) const { return table[j] != nullptr; }
    /// Places that lie `numbers` numbers after these.
    [[nodiscard]] Places beyond(Index numbers) const { return {table, shift + numbers}; }
};

/// Tiles whose lanes follow each other in an array. One pass works on all of them, so that of each
/// element more is read or written at once than a tile's lanes.
template <class U>
struct TileRow {
    U* first = nullptr;
    Index count = 1;
    Index step = 0;  ///< numbers from one to the next
};

/// Where results go past the caches although they are not aligned to its lines: a tile of adjacent
/// lanes after the other, each beginning where the one before ends. What does not fill a line waits
/// for the next tile.
template <class T>
struct ShiftedResults {
    Places<T> to;                        ///< of each result, the first lane
    const std::uint8_t* over = nullptr;  ///< of each result, how many numbers beyond a whole line
    T* waiting = nullptr;                ///< of each result, a vector
    bool first = true;                   ///< nothing waits yet
};

/// Some lanes of a caller's array: element e of lane l is at data + e*step + l*lane_step.
template <class T>
struct Lanes {
    T* data = nullptr;
    Index step = 0;
    Index lane_step = 0;
    Index lanes = 0;      ///< at most those of a tile; what lies beyond is neither read nor written
    bool stream = false;  ///< write past the caches: whole adjacent lanes, aligned to vectors
    Index ahead = 0;      ///< asks for what is so many numbers further while reading; 0: does not
};

template <class T>
struct RealKernels;
template <class T>
struct RealToRealKernels;

/// The whole transform of contiguous lines whose length is the product of `radices` (see
/// fixed_lines.hpp); radix 2 may be 1, which is no step.
template <class T>
struct FixedLinesKernel {
    std::array<int, 3> radices = {};
    /// Twiddles; array, numbers from line to line, sign, lines; array, numbers from line to line.
    void (*run)(const T*, const T*, Index, int, Index, T*, Index) = nullptr;
    [[nodiscard]] Index length() const { return Index{radices[0]} * radices[1] * radices[2]; }
};

template <class T>
struct Kernels {
    const char* target = "";
    int lanes = 0;
    std::vector<Index> order;  ///< the line that each lane holds
    std::vector<int> radices;  ///< that there are butterflies for, ascending

    // Indexed by the radix; null where there is no butterfly for it.
    template <class... Args>
    using ByRadix = std::array<void (*)(Args...), largest_radix + 1>;
    /// The whole transform, where the length is a radix: array -> array.
    ByRadix<const Line<T>&, T*, Index> single = {};
    /// First pass: array -> tile.
    ByRadix<const Pass<T>&, const Line<T>&, T*> first = {};
    /// First pass: lanes of element j at from[j] -> tiles; asks meanwhile for what is at next[j],
    /// and for what will be written at results[j], unless these are null.
    ByRadix<const Pass<T>&, const Places<const T>&, const Places<const T>&, const Places<T>&,
            const TileRow<T>&>
        first_gathered = {};
    /// First pass of contiguous lines; after the array: numbers from row to row, from line to
    /// line, how many lines there are. Where the radix is a multiple of `lanes`, vectors are of the
    /// results of one line; where it is half of that, of two.
    using Along = ByRadix<const AlongPass<T>&, const T*, Index, Index, Index, T*>;
    Along along = {};
    Along along_halves = {};
    /// First pass of adjacent lanes that become contiguous lines; after the array: numbers from row
    /// to row, from element to element, how many lines there are.
    using Transposed = ByRadix<const TransposedPass<T>&, const T*, Index, Index, Index, T*>;
    Transposed transposed = {};
    /// The whole transform of lines of a few elements: array, numbers from line to line, sign, how
    /// many times lanes/2 lines; array, numbers from line to line. Where lines are adjacent lanes,
    /// numbers are from element to element.
    using ShortLines = void (*)(const T*, Index, int, Index, T*, Index);
    using ByShortLength = std::array<ShortLines, longest_short_line + 1>;  ///< or null
    ByShortLength short_lines = {};  ///< contiguous on both sides
    ByShortLength short_lanes = {};  ///< adjacent lanes on both sides
    ByShortLength short_lines_to_lanes = {};
    ByShortLength short_lanes_to_lines = {};
    /// Contiguous lines of some lengths.
    std::vector<FixedLinesKernel<T>> fixed_lines;
    /// The two passes over lines that share vectors (see interleaved_passes.hpp), indexed by their
    /// radices. First: array, numbers from element to element and from line to line, how many
    /// vectors of lines; last: the same of the results. Of adjacent lanes; and of any lines, in
    /// double precision. Null where vectors are shorter than 256 bits.
    template <class... Args>
    using ByInterleavedRadix =
        std::array<void (*)(const InterleavedPasses<T>&, Args...), largest_interleaved_radix + 1>;
    using InterleavedFirst = ByInterleavedRadix<const T*, Index, Index, Index, T*>;
    using InterleavedLast = ByInterleavedRadix<const T*, Index, T*, Index, Index>;
    InterleavedFirst interleaved_first_of_lanes = {};
    InterleavedFirst interleaved_first_of_lines = {};
    InterleavedLast interleaved_last_to_lanes = {};
    InterleavedLast interleaved_last_to_lines = {};
    /// Any pass but the last: tile, in place.
    ByRadix<const Pass<T>&, Range, T*> middle = {};
    /// Last pass: tile -> array, result k of block b to (b - range.first)*block_step +
    /// k*result_step; the second half of the lanes so many numbers after the first one, which are
    /// `lanes` unless they belong to another line.
    ByRadix<const Pass<T>&, Range, const T*, T*, Index, Index, Index> last = {};
    /// Last pass: tiles -> result k of block b to adjacent lanes at to[b + blocks*k].
    ByRadix<const Pass<T>&, const TileRow<const T>&, const Places<T>&> last_scattered = {};
    /// Last pass past the caches: the lanes at to[b + blocks*k] are aligned to vectors.
    ByRadix<const Pass<T>&, const TileRow<const T>&, const Places<T>&> last_streamed = {};
    /// Either, past the caches if told so, without the results that are nowhere.
    ByRadix<const Pass<T>&, const TileRow<const T>&, const Places<T>&, bool> last_kept = {};
    /// Last pass past the caches, to lines that begin within results; where a vector is a cache
    /// line, else null.
    ByRadix<const Pass<T>&, const TileRow<const T>&, const ShiftedResults<T>&> last_shifted = {};
    /// Last pass: tile -> another tile.
    ByRadix<const Pass<T>&, Range, const T*, T*, Index, Index> last_in_tile = {};
    /// Passes of a radix without a butterfly; the last argument is work for 4*radix vectors.
    void (*middle_prime)(const Pass<T>&, Range, T*, T*) = nullptr;
    void (*last_prime)(const Pass<T>&, Range, const T*, T*, Index, Index, T*) = nullptr;

    /// What waits of so many results, whose next lanes would be at `to`.
    void (*write_waiting)(Index count, const ShiftedResults<T>&) = nullptr;
    /// So many adjacent numbers past the caches, but for what does not fill a line.
    void (*copy_streamed)(const T* from, T* to, Index count) = nullptr;

    /// Runs of elements: array -> tile, and back.
    void (*read)(const Lanes<const T>&, const Runs&, T*) = nullptr;
    void (*write)(const T*, const Runs&, const Lanes<T>&) = nullptr;
    /// Runs of a spectrum: array -> the places in the tile of each run, and back.
    void (*read_spectrum)(const Lanes<const T>&, const Runs&, const SpectrumPlace<T>*,
                          T* tile) = nullptr;
    void (*write_spectrum)(const T* tile, const Runs&, const SpectrumPlace<T>*,
                           const Lanes<T>&) = nullptr;

    /// Real lines (see real/kernels.hpp), and what is beside the DFTs of real-to-real ones.
    const RealKernels<T>* real = nullptr;
    const RealToRealKernels<T>* real_to_real = nullptr;

    /// to[target[j]] = factor[j] * from[source[j]], with real and imaginary parts exchanged
    /// afterwards if `swap`; a null table is the identity. Factors are re, im pairs.
    void (*multiply)(const T* from, const Index* source, const T* factors, Index count, bool swap,
                     T* to, const Index* target) = nullptr;
    /// to[target[j]] = from[source[j]]
    void (*permute)(const T* from, const Index* source, Index count, T* to,
                    const Index* target) = nullptr;
    /// to[target[j] * step] = addend[0] + swapped from[j]
    void (*scatter_swapped)(const T* from, const T* addend, Index count, T* to, const Index* target,
                            Index step) = nullptr;
    /// Makes what was streamed visible to other cores before what is written next.
    void (*fence)() = nullptr;
    /// to[0] = the sum of `count` elements.
    void (*sum)(const T* from, Index count, T* to) = nullptr;
};

/// The instruction sets that were compiled and that this machine has, best first.
template <class T>
const std::vector<const Kernels<T>*>& all_kernels();
/// These, or the one of them alone that the environment names: WEFT_VECTORS=AVX2. The engine takes
/// the first, and the second where that is faster. Throws Error(not_available) if there is none of
/// that name.
template <class T>
const std::vector<const Kernels<T>*>& competing_kernels();
/// The first of those that compete.
template <class T>
const Kernels<T>& best_kernels();

}  // namespace weft::core::native
