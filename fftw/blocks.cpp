#include "blocks.hpp"

#include <algorithm>

namespace weft::fftw {

ptrdiff_t default_block(ptrdiff_t n, int ranks) { return (n + ranks - 1) / ranks; }

ptrdiff_t block_or_default(ptrdiff_t block, ptrdiff_t n, int ranks) {
    return block == 0 ? default_block(n, ranks) : block;
}

ptrdiff_t number_of_blocks(ptrdiff_t n, ptrdiff_t block) { return (n + block - 1) / block; }

Part part_of(ptrdiff_t n, ptrdiff_t block, int rank) {
    const ptrdiff_t start = block * rank;
    if (start >= n) return {};
    return {std::min(block, n - start), start};
}

Part part_of_rank(ptrdiff_t n, ptrdiff_t block, int rank, int ranks) {
    return part_of(n, block_or_default(block, n, ranks), rank);
}

}  // namespace weft::fftw
