#include "testing/emulated/nccl/nccl.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/nccl/comm.hpp"

namespace weft::core::emulated {

namespace {

/// The first that lets ranks share a GPU.
constexpr int first_to_share = 23000;

/// The communicators that are not destroyed.
struct Known {
    std::mutex mutex;
    std::uintptr_t given = 0;  ///< handles
    std::map<ncclComm_t, std::shared_ptr<Comm>> comms;
};
Known& known() {
    static Known all;
    return all;
}

std::shared_ptr<Comm> comm_of(ncclComm_t handle) {
    const std::scoped_lock lock(known().mutex);
    const auto found = known().comms.find(handle);
    if (found != known().comms.end()) return found->second;
    throw CommError{ncclInvalidArgument, "there is no such communicator"};
}

std::shared_ptr<Comm> removed(ncclComm_t handle) {
    std::shared_ptr<Comm> comm = comm_of(handle);
    const std::scoped_lock lock(known().mutex);
    known().comms.erase(handle);
    return comm;
}

/// Of the last call of this thread that failed.
std::string& last_error() {
    thread_local std::string text;
    return text;
}

template <class Call>
ncclResult_t result_of(const Call& call) {
    try {
        call();
    } catch (const CommError& error) {
        last_error() = error.text;
        return error.code;
    } catch (const Thrown<cudaError_t>& error) {
        last_error() = cudaGetErrorName(error.code);
        return error.code == cudaErrorInvalidValue ? ncclInvalidArgument : ncclUnhandledCudaError;
    }
    return ncclSuccess;
}

struct Asked {
    std::shared_ptr<Comm> comm;
    cudaStream_t stream;
    Transfer transfer;
};

/// What the groups of this thread that are open have been asked for.
struct Groups {
    int open = 0;
    std::vector<Asked> asked;
    std::vector<Transfer> transfers;  ///< of one communicator
    CommError error{};                ///< the first one

    void submit() {
        for (auto first = asked.begin(); first != asked.end(); ++first) {
            if (first->comm == nullptr) continue;
            const std::shared_ptr<Comm> comm = first->comm;
            transfers.clear();
            for (auto one = first; one != asked.end(); ++one) {
                if (one->comm != comm) continue;
                if (one->stream != first->stream) {
                    throw CommError{ncclInvalidUsage, "a group uses two streams"};
                }
                transfers.push_back(one->transfer);
                one->comm = nullptr;
            }
            comm->put(transfers, first->stream);
        }
    }
};
Groups& groups() {
    thread_local Groups all;
    return all;
}

std::size_t bytes_of(ncclDataType_t type) {
    switch (type) {
        case ncclInt8:
        case ncclUint8:
            return 1;
        case ncclInt32:
        case ncclFloat32:
            return 4;
        case ncclFloat64:
            return 8;
    }
    throw CommError{ncclInvalidArgument, "there is no such type"};
}

void require_device() {
    if (const cudaError_t absent = absence(context().options); absent != cudaSuccess)
        throw Thrown{absent};
}

ncclResult_t ask(const Transfer& what, std::size_t count, ncclDataType_t type, ncclComm_t handle,
                 cudaStream_t stream) {
    (void)ncclGroupStart();
    const ncclResult_t result = result_of([&] {
        Transfer transfer = what;
        transfer.bytes = count * bytes_of(type);
        auto comm = comm_of(handle);
        if (transfer.peer < 0 || transfer.peer >= comm->ranks()) {
            throw CommError{ncclInvalidArgument, fmt::format("there is no rank {} among {}",
                                                             transfer.peer, comm->ranks())};
        }
        if (transfer.bytes > 0 && !context().require_usable(transfer.at, transfer.bytes)) {
            throw CommError{ncclInvalidArgument, "it is no memory of the device"};
        }
        groups().asked.push_back({std::move(comm), stream, transfer});
    });
    if (result != ncclSuccess) groups().error = {result, last_error()};
    const ncclResult_t ended = ncclGroupEnd();
    return result != ncclSuccess ? result : ended;
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
    return result_of([&] {
        if (version == nullptr) throw CommError{ncclInvalidArgument, "no place for the version"};
        *version = context().options.nccl;
    });
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    return result_of([&] {
        if (id == nullptr) throw CommError{ncclInvalidArgument, "no place for the id"};
        require_device();
        std::random_device random;
        const std::string text =
            fmt::format("{}-{:08x}{:08x}{:08x}", getpid(), random(), random(), random());
        *id = {};
        std::copy(text.begin(), text.end(), id->internal);
    });
}

ncclResult_t ncclCommInitRank(ncclComm_t* handle, int ranks, ncclUniqueId id, int rank) {
    return result_of([&] {
        if (handle == nullptr || ranks < 1 || rank < 0 || rank >= ranks) {
            throw CommError{ncclInvalidArgument, fmt::format("rank {} of {}", rank, ranks)};
        }
        require_device();
        const EmulatedOptions& options = context().options;
        if (ranks > 1 && options.nccl < first_to_share) {
            throw CommError{ncclInvalidUsage,
                            "Duplicate GPU detected: all emulated devices of a machine are one"};
        }
        auto comm = std::make_shared<Comm>(id, rank, ranks, options.patience);
        const std::scoped_lock lock(known().mutex);
        *handle =
            reinterpret_cast<ncclComm_t>(++known().given);  // NOLINT(performance-no-int-to-ptr)
        known().comms[*handle] = std::move(comm);
    });
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    return result_of([&] { removed(comm)->close(); });
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    return result_of([&] {
        const auto gone = removed(comm);
        gone->abort();
        gone->close();
    });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    return result_of([&] { *error = comm_of(comm)->error().code; });
}

ncclResult_t ncclGroupStart() {
    ++groups().open;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    Groups& here = groups();
    return result_of([&] {
        if (here.open == 0) throw CommError{ncclInvalidUsage, "no group was started"};
        if (--here.open > 0) return;
        struct Forget {
            Groups& groups;
            ~Forget() {
                groups.asked.clear();
                groups.error = {};
            }
        };
        const Forget forget{here};
        if (here.error.code != ncclSuccess) throw CommError(here.error);
        here.submit();
    });
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
    auto* at = static_cast<std::byte*>(const_cast<void*>(from));
    return ask({true, peer, at, 0}, count, type, comm, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return ask({false, peer, static_cast<std::byte*>(to), 0}, count, type, comm, stream);
}

const char* ncclGetErrorString(ncclResult_t result) {
    switch (result) {
        case ncclSuccess:
            return "no error";
        case ncclUnhandledCudaError:
            return "unhandled cuda error";
        case ncclSystemError:
            return "unhandled system error";
        case ncclInternalError:
            return "internal error";
        case ncclInvalidArgument:
            return "invalid argument";
        case ncclInvalidUsage:
            return "invalid usage";
        case ncclRemoteError:
            return "remote process exited or there was a network error";
        case ncclInProgress:
            return "NCCL operation in progress";
    }
    return "unknown result code";
}

const char* ncclGetLastError(ncclComm_t comm) {
    const char* text = nullptr;
    (void)result_of([&] {
        const auto known_one = comm == nullptr ? nullptr : comm_of(comm);
        if (known_one != nullptr && known_one->error().code != ncclSuccess) {
            text = known_one->error_text();
        }
    });
    return text != nullptr ? text : last_error().c_str();
}

}  // namespace weft::core::emulated
