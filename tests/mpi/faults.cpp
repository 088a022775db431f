#include "faults.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <thread>

namespace weft::test {

namespace {

struct State {
    bool armed = false;
    Fault kind = Fault::allocation;
    long number = never;
    long seen = 0;
    const char* failed = nullptr;
    std::thread::id thread;
};
State state;

/// Counts a call; whether it is to fail.
bool fails(Fault kind, const char* call) {
    if (!state.armed || state.kind != kind || state.thread != std::this_thread::get_id()) {
        return false;
    }
    const long here = state.seen++;
    const bool onwards = kind == Fault::exhaustion;
    const bool fails =
        state.number != never && (here == state.number || (onwards && here > state.number));
    if (fails) state.failed = call;
    return fails;
}

bool allocation_fails(std::size_t bytes, const char* call) {
    constexpr std::size_t large = 4096;
    return fails(Fault::allocation, call) || (bytes >= large && fails(Fault::exhaustion, call));
}

bool system_fails(const char* call, int error) {
    if (!fails(Fault::system, call) && !fails(Fault::exhaustion, call)) return false;
    errno = error;
    return true;
}

int after(int status, const char* call) {
    return status == MPI_SUCCESS && fails(Fault::mpi, call) ? MPI_ERR_OTHER : status;
}

}  // namespace

void arm(Fault kind, long number) {
    state = {true, kind, number, 0, nullptr, std::this_thread::get_id()};
}
long disarm() {
    state.armed = false;
    return state.seen;
}
bool has_failed() { return state.failed != nullptr; }
std::string failed_call() { return state.failed == nullptr ? "nothing" : state.failed; }

}  // namespace weft::test

using weft::test::after;
using weft::test::allocation_fails;
using weft::test::system_fails;

// --- allocations -------------------------------------------------------------------------------

void* operator new(std::size_t bytes) {
    void* memory =
        allocation_fails(bytes, "operator new") ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocation_fails(bytes, "operator new") ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

// --- calls of libraries, which the linker's --wrap brings here, by names that it gives -----------
// NOLINTBEGIN(bugprone-reserved-identifier)

extern "C" {

void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return allocation_fails(bytes, "aligned_alloc") ? nullptr
                                                    : __real_aligned_alloc(alignment, bytes);
}

void* __real_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t at);
void* __wrap_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t at) {
    return system_fails("mmap", ENOMEM) ? MAP_FAILED
                                        : __real_mmap(address, bytes, protection, flags, file, at);
}

int __real_ftruncate(int file, off_t bytes);
int __wrap_ftruncate(int file, off_t bytes) {
    return system_fails("ftruncate", ENOSPC) ? -1 : __real_ftruncate(file, bytes);
}

int __real_memfd_create(const char* name, unsigned flags);
int __wrap_memfd_create(const char* name, unsigned flags) {
    // As on a system without it.
    return system_fails("memfd_create", ENOSYS) ? -1 : __real_memfd_create(name, flags);
}

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...) {
    // As one process may be forbidden to look into another. Nothing of weft's creates files so.
    return system_fails("open", EACCES) ? -1 : __real_open(path, flags);
}
// NOLINTEND(bugprone-reserved-identifier)

// --- MPI: all ranks take part, then one says that it failed --------------------------------------

#define WEFT_FAULTY(name, parameters, arguments) \
    int MPI_##name parameters { return after(PMPI_##name arguments, "MPI_" #name); }

WEFT_FAULTY(Allgather,
            (const void* from, int count, MPI_Datatype type, void* to, int to_count,
             MPI_Datatype to_type, MPI_Comm comm),
            (from, count, type, to, to_count, to_type, comm))
WEFT_FAULTY(Allgatherv,
            (const void* from, int count, MPI_Datatype type, void* to, const int* counts,
             const int* offsets, MPI_Datatype to_type, MPI_Comm comm),
            (from, count, type, to, counts, offsets, to_type, comm))
WEFT_FAULTY(Allreduce,
            (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (from, to, count, type, op, comm))
WEFT_FAULTY(Alltoall,
            (const void* from, int count, MPI_Datatype type, void* to, int to_count,
             MPI_Datatype to_type, MPI_Comm comm),
            (from, count, type, to, to_count, to_type, comm))
WEFT_FAULTY(Alltoallv,
            (const void* from, const int* counts, const int* offsets, MPI_Datatype type, void* to,
             const int* to_counts, const int* to_offsets, MPI_Datatype to_type, MPI_Comm comm),
            (from, counts, offsets, type, to, to_counts, to_offsets, to_type, comm))
WEFT_FAULTY(Alltoallw,
            (const void* from, const int* counts, const int* offsets, const MPI_Datatype* types,
             void* to, const int* to_counts, const int* to_offsets, const MPI_Datatype* to_types,
             MPI_Comm comm),
            (from, counts, offsets, types, to, to_counts, to_offsets, to_types, comm))
WEFT_FAULTY(Barrier, (MPI_Comm comm), (comm))
WEFT_FAULTY(Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
            (data, count, type, root, comm))
WEFT_FAULTY(Comm_create_keyval,
            (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* remove, int* key,
             void* extra),
            (copy, remove, key, extra))
WEFT_FAULTY(Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
WEFT_FAULTY(Comm_get_attr, (MPI_Comm comm, int key, void* value, int* found),
            (comm, key, value, found))
WEFT_FAULTY(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
WEFT_FAULTY(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part),
            (comm, color, key, part))
WEFT_FAULTY(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part),
            (comm, type, key, info, part))
WEFT_FAULTY(Get_address, (const void* place, MPI_Aint* address), (place, address))
WEFT_FAULTY(Info_create, (MPI_Info * info), (info))
WEFT_FAULTY(Info_set, (MPI_Info info, const char* key, const char* value), (info, key, value))
WEFT_FAULTY(Recv_init,
            (void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Request* request),
            (data, count, type, peer, tag, comm, request))
WEFT_FAULTY(Send_init,
            (const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Request* request),
            (data, count, type, peer, tag, comm, request))
WEFT_FAULTY(Type_commit, (MPI_Datatype * type), (type))
WEFT_FAULTY(Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* result),
            (count, type, result))
WEFT_FAULTY(Type_create_hvector,
            (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* result),
            (count, length, stride, type, result))
WEFT_FAULTY(Type_create_struct,
            (int count, const int* lengths, const MPI_Aint* offsets, const MPI_Datatype* types,
             MPI_Datatype* result),
            (count, lengths, offsets, types, result))
WEFT_FAULTY(Win_allocate_shared,
            (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
            (bytes, unit, info, comm, base, window))
WEFT_FAULTY(Win_attach, (MPI_Win window, void* base, MPI_Aint bytes), (window, base, bytes))
WEFT_FAULTY(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* window),
            (info, comm, window))
WEFT_FAULTY(Win_fence, (int assertion, MPI_Win window), (assertion, window))
WEFT_FAULTY(Win_shared_query, (MPI_Win window, int rank, MPI_Aint* bytes, int* unit, void* base),
            (window, rank, bytes, unit, base))
#if MPI_VERSION >= 4
WEFT_FAULTY(Alltoallv_init,
            (const void* from, const int* counts, const int* offsets, MPI_Datatype type, void* to,
             const int* to_counts, const int* to_offsets, MPI_Datatype to_type, MPI_Comm comm,
             MPI_Info info, MPI_Request* request),
            (from, counts, offsets, type, to, to_counts, to_offsets, to_type, comm, info, request))
#endif

}  // extern "C"
