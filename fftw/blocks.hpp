// FFTW's block distribution: an axis is cut in blocks of one length, the last may be shorter, and
// ranks beyond the last block own nothing. Axis of 10 on 4 ranks: blocks of 3, so 3, 3, 3, 1.
#pragma once

#include <cstddef>

namespace weft::fftw {

/// The block length that FFTW takes unless told: ceil(n / ranks).
ptrdiff_t default_block(ptrdiff_t n, int ranks);

/// `block`, or the default if it is 0.
ptrdiff_t block_or_default(ptrdiff_t block, ptrdiff_t n, int ranks);

ptrdiff_t number_of_blocks(ptrdiff_t n, ptrdiff_t block);

/// A rank's part of an axis. As in FFTW an empty part starts at 0.
struct Part {
    ptrdiff_t count = 0;
    ptrdiff_t start = 0;
};
Part part_of(ptrdiff_t n, ptrdiff_t block, int rank);
/// `block` may be 0 for the default.
Part part_of_rank(ptrdiff_t n, ptrdiff_t block, int rank, int ranks);

}  // namespace weft::fftw
