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

struct BlockOfLines {
    std::uint32_t lanes_log2 = 0;
    std::uint32_t pitch = 1;
    std::uint32_t pad_shift = 31;
    LineLaunch how{};
};
/// For blocks of at most `most_shared` bytes of shared memory, or more if one line takes more.
/// `other_bytes` of it are for tables; there are so many lanes.
BlockOfLines block_of_lines(Precision precision, Index length, const std::vector<int>& radices,
                            bool lanes_first, Index lanes, Index other_bytes, Index most_shared);

/// exp(-2 pi i jt/(rs)) of each pass of radix r after passes of product s: for t = 1 .. r-1, for
/// j < s. Of the first pass none. As bytes of complex numbers.
std::vector<std::byte> twiddle_table(Precision precision, const std::vector<int>& radices);

}  // namespace weft::core::WEFT_GPU_TARGET
