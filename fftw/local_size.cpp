#include "local_size.hpp"

#include <algorithm>

namespace weft::fftw {

LocalSize local_size(int dims, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                     std::optional<ptrdiff_t> block1, MPI_Comm comm) {
    if (dims == 0) return {{1, 0}, {1, 0}, howmany};
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    LocalSize result;
    result.axis0 = part_of_rank(n[0], block0, rank, ranks);
    result.axis1 = result.axis0;
    ptrdiff_t most = result.axis0.count;
    if (dims > 1) {
        ptrdiff_t rows = 1;  // elements of the array for each of axes 0 and 1
        for (int axis = 2; axis < dims; ++axis) rows *= n[axis];
        result.axis1 = block1 ? part_of_rank(n[1], *block1, rank, ranks) : Part{n[1], 0};
        most *= n[1] * rows;
        if (block1) most = std::max(most, result.axis1.count * n[0] * rows);
    }
    result.elements = std::max(most, ptrdiff_t{1}) * howmany;
    return result;
}

}  // namespace weft::fftw
