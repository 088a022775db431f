#include "local_size.hpp"

#include <algorithm>

namespace weft::fftw {

LocalSize local_size_of(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                        ptrdiff_t block1, int rank, int ranks) {
    if (dims == 0) return {{1, 0}, {1, 0}, howmany};
    LocalSize result;
    result.in = part_of(n[0], block_or_default(block0, n[0], ranks), rank);
    ptrdiff_t rows = 1;  // elements of the array for each of axes 0 and 1
    for (int axis = 2; axis < dims; ++axis) rows *= n[axis];
    if (dims == 1) {
        result.out = result.in;
        result.elements = std::max<ptrdiff_t>(result.in.count, 1) * howmany;
        return result;
    }
    const ptrdiff_t in = result.in.count * n[1] * rows;
    ptrdiff_t out = in;
    if (block1 < n[1]) {
        result.out = part_of(n[1], block_or_default(block1, n[1], ranks), rank);
        out = result.out.count * n[0] * rows;
    } else if (result.in.count != 0) {
        result.out = {n[1], 0};
    }
    result.elements = std::max({in, out, ptrdiff_t{1}}) * howmany;
    return result;
}

LocalSize local_size(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                     ptrdiff_t block1, MPI_Comm comm) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    return local_size_of(dims, n, howmany, block0, block1, rank, ranks);
}

}  // namespace weft::fftw
