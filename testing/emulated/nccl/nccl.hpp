// The part of NCCL that weft uses, made of software: ranks are processes, or threads, of one
// machine, and send over Unix sockets from emulated device to emulated device.
//
// As with NCCL, sends and receives are put into a stream. Those of one group run together; those of
// different groups one group after the other, so a send that is alone waits until its receive has
// come to its turn on the other rank:
//
//     ncclGroupStart();                                   // without the group both ranks would
//     ncclSend(out, 80, ncclInt8, other, comm, stream);   // wait here for ever
//     ncclRecv(in, 80, ncclInt8, other, comm, stream);
//     ncclGroupEnd();
//
// Between two ranks the n-th send goes to the n-th receive. Sizes that differ are an error, where
// NCCL says nothing. What NCCL waits for without end is an error after the patience of
// WEFT_EMULATED_DEVICE (testing/emulated/cuda/options.hpp), as is a peer that is gone at once. The
// error is the communicator's, for ncclCommGetAsyncError, from then on: its streams go on without
// it.
//
// All emulated devices of a machine stand for one GPU: a version before 2.30, as the options may
// say, takes one rank only.
#pragma once

#include <cstddef>
#include <optional>

#include "testing/emulated/cuda/runtime.hpp"

namespace weft::core::emulated {

enum ncclResult_t : int {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
};

enum ncclDataType_t : int {
    ncclInt8 = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclFloat32 = 7,
    ncclFloat64 = 8,
};

struct ncclUniqueId {
    char internal[128];
};

struct CommHandle;
using ncclComm_t = CommHandle*;

ncclResult_t ncclGetVersion(int* version);
ncclResult_t ncclGetUniqueId(ncclUniqueId* id);
/// Returns when all ranks have called it.
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank);
/// Returns when all of it has run.
ncclResult_t ncclCommDestroy(ncclComm_t comm);
/// What is still to run fails.
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
const char* ncclGetErrorString(ncclResult_t result);
/// Of that communicator, or of the last call of this thread that failed.
const char* ncclGetLastError(ncclComm_t comm);

/// A fault for tests: of the groups of this process from now on the n-th (1: the next one) fails,
/// when its turn in the stream has come or, `at_once`, when it is put there. Nothing: none.
void set_failing_group(std::optional<int> next, bool at_once = false);
/// How many groups there have been.
int groups_of_process();

}  // namespace weft::core::emulated
