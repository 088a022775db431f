// This rank's number in a communicator, and how many ranks it has. Local; throws as check_mpi.
#pragma once

#include <mpi.h>

#include "net/mpi_error.hpp"

namespace weft::core {

inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

inline int ranks_in(MPI_Comm comm) {
    int ranks = 0;
    check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    return ranks;
}

}  // namespace weft::core
