#include "traffic.hpp"

#include <mpi.h>

#include <map>

namespace {

long long bytes_sent = 0;
std::map<MPI_Request*, long long> bytes_of_request;  // Persistent ones, by where they are kept.

long long size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return static_cast<long long>(size);
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int ranks_in(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

long long message(int count, MPI_Datatype type, int peer, MPI_Comm comm) {
    if (peer == MPI_PROC_NULL || peer == rank_in(comm)) return 0;
    return count * size_of(type);
}

template <class TypeOf>
long long messages(const int* counts, const TypeOf& type_of, MPI_Comm comm) {
    long long total = 0;
    for (int peer = 0; peer < ranks_in(comm); ++peer) {
        total += message(counts[peer], type_of(peer), peer, comm);
    }
    return total;
}

}  // namespace

namespace weft::test {

long long traffic() { return bytes_sent; }
void reset_traffic() { bytes_sent = 0; }

}  // namespace weft::test

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
    bytes_sent += message(count, type, peer, comm);
    return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    bytes_sent += message(count, type, peer, comm);
    return PMPI_Send(data, count, type, peer, tag, comm);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int peer, int tag, void* in,
                 int in_count, MPI_Datatype in_type, int in_peer, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
    bytes_sent += message(count, type, peer, comm);
    return PMPI_Sendrecv(data, count, type, peer, tag, in, in_count, in_type, in_peer, in_tag, comm,
                         status);
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    bytes_of_request[request] = message(count, type, peer, comm);
    return PMPI_Send_init(data, count, type, peer, tag, comm, request);
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    bytes_of_request[request] = 0;
    return PMPI_Recv_init(data, count, type, peer, tag, comm, request);
}

int MPI_Start(MPI_Request* request) {
    bytes_sent += bytes_of_request[request];
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request* requests) {
    for (int i = 0; i < count; ++i) bytes_sent += bytes_of_request[requests + i];
    return PMPI_Startall(count, requests);
}

int MPI_Put(const void* data, int count, MPI_Datatype type, int peer, MPI_Aint place, int out_count,
            MPI_Datatype out_type, MPI_Win window) {
    bytes_sent += count * size_of(type);
    return PMPI_Put(data, count, type, peer, place, out_count, out_type, window);
}

int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
    bytes_sent += count * size_of(type) * (ranks_in(comm) - 1);
    return PMPI_Alltoall(data, count, type, in, in_count, in_type, comm);
}

int MPI_Ialltoall(const void* data, int count, MPI_Datatype type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request) {
    bytes_sent += count * size_of(type) * (ranks_in(comm) - 1);
    return PMPI_Ialltoall(data, count, type, in, in_count, in_type, comm, request);
}

int MPI_Alltoallv(const void* data, const int* counts, const int* offsets, MPI_Datatype type,
                  void* in, const int* in_counts, const int* in_offsets, MPI_Datatype in_type,
                  MPI_Comm comm) {
    bytes_sent += messages(
        counts, [&](int /*peer*/) { return type; }, comm);
    return PMPI_Alltoallv(data, counts, offsets, type, in, in_counts, in_offsets, in_type, comm);
}

int MPI_Ialltoallv(const void* data, const int* counts, const int* offsets, MPI_Datatype type,
                   void* in, const int* in_counts, const int* in_offsets, MPI_Datatype in_type,
                   MPI_Comm comm, MPI_Request* request) {
    bytes_sent += messages(
        counts, [&](int /*peer*/) { return type; }, comm);
    return PMPI_Ialltoallv(data, counts, offsets, type, in, in_counts, in_offsets, in_type, comm,
                           request);
}

int MPI_Alltoallw(const void* data, const int* counts, const int* offsets,
                  const MPI_Datatype* types, void* in, const int* in_counts, const int* in_offsets,
                  const MPI_Datatype* in_types, MPI_Comm comm) {
    bytes_sent += messages(
        counts, [&](int peer) { return types[peer]; }, comm);
    return PMPI_Alltoallw(data, counts, offsets, types, in, in_counts, in_offsets, in_types, comm);
}

#if MPI_VERSION >= 4
int MPI_Alltoallv_init(const void* data, const int* counts, const int* offsets, MPI_Datatype type,
                       void* in, const int* in_counts, const int* in_offsets, MPI_Datatype in_type,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    bytes_of_request[request] = messages(
        counts, [&](int /*peer*/) { return type; }, comm);
    return PMPI_Alltoallv_init(data, counts, offsets, type, in, in_counts, in_offsets, in_type,
                               comm, info, request);
}
#endif
}
