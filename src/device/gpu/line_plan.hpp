// How lines of a length are transformed in a block of threads: radices, lines side by side, memory.
#pragma once

#include <vector>

#include "device/gpu/line_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Whether the kernel transforms lines of this length: products of 2, 3, 5 and 7 to 4096.
bool has_line_kernel(Index length);

/// The radices of the passes. A line of one pass is read, or written, by a pass of radix 1 of its
/// own where neighbouring threads are to have neighbouring elements.
///
/// Example: 4096 is 8 8 8 8, 96 is 8 4 3, and 5 is 1 5 1 if elements are adjacent on both sides.
std::vector<int> radices_of(Index length, bool elements_first_from, bool elements_first_to);

/// Whether a kernel is compiled for lines of this length.
bool has_fixed_kernel(Index length);

/// How many threads a block has for some lines side by side.
struct LineThreads {
    std::vector<int> radices;
    Index of_line = 0;  ///< of a kernel that is compiled for the length; 0: one that is told it

    [[nodiscard]] Index of_block(Index length, Index lanes) const;
    [[nodiscard]] Index most() const;
    [[nodiscard]] Index enough() const;
};
LineThreads told_threads(std::vector<int> radices);
/// For lengths that has_fixed_kernel() knows.
LineThreads fixed_threads(Precision precision, Index length);

/// What a block of threads is cut for.
struct LinesToCut {
    Precision precision = Precision::f64;
    Index length = 1;
    Index lanes = 1;  ///< that there are
    bool lanes_first_from = false;
    bool lanes_first_to = false;
    Index table_bytes = 0;                ///< of shared memory, besides the lines
    Index most_shared = Index{48} << 10;  ///< bytes of a block
};

struct BlockOfLines {
    std::uint32_t lanes_log2 = 0;
    SharedLayout layout{};
    LineLaunch how{};
};
/// Takes more shared memory than `most_shared` if one line does.
BlockOfLines block_of_lines(const LinesToCut& lines, const LineThreads& threads);

/// exp(-2 pi i jt/(rs)) of each pass of radix r after passes of product s: for t = 1 .. r-1, for
/// j < s. Of the first pass none. As bytes of complex numbers.
std::vector<std::byte> twiddle_table(Precision precision, const std::vector<int>& radices);

}  // namespace weft::core::WEFT_GPU_TARGET
