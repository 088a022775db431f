/* Counts the bytes that the ranks of an MPI program send to other ranks, whatever library sends them.

       WEFT_TRAFFIC=FILE LD_PRELOAD=libweft_traffic.so mpirun -n 4 PROGRAM

   writes [0, 201326592, ..] into FILE: the sums over ranks between one MPI_Barrier and the next, the
   last until MPI_Finalize. Programs that meet before each transform so tell what each sends. A message
   counts by its elements, in point-to-point and all-to-all calls, one-sided ones included; to itself a rank
   sends nothing. Reductions and barriers do not count. Example: 2 ranks, 4 x 4 complex doubles in slabs:
   each sends half of its 128 bytes, so a transform is told as 128.

   Both names of a call are defined, since MPI's Fortran interface calls PMPI_Alltoallv where C's programs
   call MPI_Alltoallv. */
#define _GNU_SOURCE  // NOLINT(bugprone-reserved-identifier): for RTLD_NEXT.
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_parts = 1 << 16, most_requests = 1 << 12 };
static long long parts[most_parts];
static int part;

static int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static int size_of(MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size;
}

static long long message(int count, MPI_Datatype type, int peer, MPI_Comm comm) {
    return peer == MPI_PROC_NULL || peer == rank_in(comm) ? 0 : (long long)count * size_of(type);
}

static void sent(long long bytes) { parts[part] += bytes; }

/* `counts` or `types` of each rank; where there is none, `count` and `type`. */
static void sent_to_all(int count, const int* counts, MPI_Datatype type, const MPI_Datatype* types,
                        MPI_Comm comm) {
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; ++i) {
        sent(message(counts ? counts[i] : count, types ? types[i] : type, i, comm));
    }
}

/* Persistent sends, by their requests. */
static struct {
    MPI_Request request;
    long long bytes;
} persistent[most_requests];
static int persistents;

static void started(MPI_Request request) {
    for (int i = persistents; i-- > 0;) {
        if (persistent[i].request != request) continue;
        sent(persistent[i].bytes);
        return;
    }
}

static void remember(MPI_Request request, long long bytes) {
    if (persistents == most_requests) return;
    persistent[persistents].request = request;
    persistent[persistents++].bytes = bytes;
}

static void next_part(void) {
    if (part + 1 < most_parts) ++part;
}

static void write_parts(void) {
    const char* path = getenv("WEFT_TRAFFIC");
    int parts_told = part + 1;
    if (!path) return;
    PMPI_Allreduce(MPI_IN_PLACE, &parts_told, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    PMPI_Allreduce(MPI_IN_PLACE, parts, parts_told, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) != 0) return;
    FILE* file = fopen(path, "w");
    if (!file) return;
    for (int i = 0; i < parts_told; ++i) fprintf(file, "%s%lld", i ? ", " : "[", parts[i]);
    fprintf(file, "]\n");
    fclose(file);
}

/* A call by both of its names: `before` counts, then MPI's own runs, then `after`. */
#define CALL(name, parameters, arguments, before, after)             \
    static int own_##name parameters {                               \
        static __typeof__(PMPI_##name)* next;                        \
        if (!next) *(void**)&next = dlsym(RTLD_NEXT, "PMPI_" #name); \
        before;                                                      \
        const int code = next arguments;                             \
        after;                                                       \
        return code;                                                 \
    }                                                                \
    int MPI_##name parameters { return own_##name arguments; }       \
    int PMPI_##name parameters { return own_##name arguments; }

#define SEND (const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
#define START_SEND                                                                     \
    (const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
     MPI_Request* request)
CALL(Send, SEND, (data, count, type, peer, tag, comm), sent(message(count, type, peer, comm)), )
CALL(Ssend, SEND, (data, count, type, peer, tag, comm), sent(message(count, type, peer, comm)), )
CALL(Rsend, SEND, (data, count, type, peer, tag, comm), sent(message(count, type, peer, comm)), )
CALL(Isend, START_SEND, (data, count, type, peer, tag, comm, request),
     sent(message(count, type, peer, comm)), )
CALL(Issend, START_SEND, (data, count, type, peer, tag, comm, request),
     sent(message(count, type, peer, comm)), )
CALL(Send_init, START_SEND, (data, count, type, peer, tag, comm, request), ,
     remember(*request, message(count, type, peer, comm)))
CALL(Start, (MPI_Request * request), (request), started(*request), )
CALL(Startall, (int count, MPI_Request* requests), (count, requests),
     for (int i = 0; i < count; ++i) started(requests[i]), )
CALL(Sendrecv,
     (const void* data, int count, MPI_Datatype type, int peer, int tag, void* in, int in_count,
      MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status* status),
     (data, count, type, peer, tag, in, in_count, in_type, source, in_tag, comm, status),
     sent(message(count, type, peer, comm)), )
CALL(Put,
     (const void* data, int count, MPI_Datatype type, int peer, MPI_Aint at, int in_count,
      MPI_Datatype in_type, MPI_Win window),
     (data, count, type, peer, at, in_count, in_type, window),
     sent(message(count, type, peer, MPI_COMM_WORLD)), )

#define SAME                                                                                       \
    (const void* data, int count, MPI_Datatype type, void* in, int in_count, MPI_Datatype in_type, \
     MPI_Comm comm)
#define START_SAME                                                                                 \
    (const void* data, int count, MPI_Datatype type, void* in, int in_count, MPI_Datatype in_type, \
     MPI_Comm comm, MPI_Request* request)
CALL(Alltoall, SAME, (data, count, type, in, in_count, in_type, comm),
     sent_to_all(count, NULL, type, NULL, comm), )
CALL(Ialltoall, START_SAME, (data, count, type, in, in_count, in_type, comm, request),
     sent_to_all(count, NULL, type, NULL, comm), )
#define COUNTS                                                                       \
    const void *data, const int *counts, const int *at, MPI_Datatype type, void *in, \
        const int *in_counts, const int *in_at, MPI_Datatype in_type, MPI_Comm comm
CALL(Alltoallv, (COUNTS), (data, counts, at, type, in, in_counts, in_at, in_type, comm),
     sent_to_all(0, counts, type, NULL, comm), )
CALL(Ialltoallv, (COUNTS, MPI_Request* request),
     (data, counts, at, type, in, in_counts, in_at, in_type, comm, request),
     sent_to_all(0, counts, type, NULL, comm), )
#define TYPES                                                                                \
    const void *data, const int *counts, const int *at, const MPI_Datatype *types, void *in, \
        const int *in_counts, const int *in_at, const MPI_Datatype *in_types, MPI_Comm comm
CALL(Alltoallw, (TYPES), (data, counts, at, types, in, in_counts, in_at, in_types, comm),
     sent_to_all(0, counts, MPI_DATATYPE_NULL, types, comm), )
CALL(Ialltoallw, (TYPES, MPI_Request* request),
     (data, counts, at, types, in, in_counts, in_at, in_types, comm, request),
     sent_to_all(0, counts, MPI_DATATYPE_NULL, types, comm), )

CALL(Barrier, (MPI_Comm comm), (comm), , next_part())
CALL(Finalize, (void), (), write_parts(), )
