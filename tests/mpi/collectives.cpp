#include "collectives.hpp"

#include <mpi.h>

namespace {

int entered = 0;

}  // namespace

namespace weft::test {

int collectives() { return entered; }
void reset_collectives() { entered = 0; }

}  // namespace weft::test

extern "C" {

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    ++entered;
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    ++entered;
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Allgather(const void* from, int count, MPI_Datatype type, void* to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm) {
    ++entered;
    return PMPI_Allgather(from, count, type, to, to_count, to_type, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    ++entered;
    return PMPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    ++entered;
    return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    ++entered;
    return PMPI_Comm_split_type(comm, type, key, info, made);
}

int MPI_Comm_free(MPI_Comm* comm) {
    ++entered;
    return PMPI_Comm_free(comm);
}

}  // extern "C"
