// Streams and events of the emulated runtime.
//
// A stream is a queue of the fake device: the k-th stream that is made is queue k, so that with
// `late` bit k - 1 of the seed says whether it runs at once or is held back (fake/fake.hpp). The
// default stream is a queue too, made when it is first used.
//
// Handles are numbers, and none is given twice: one that was destroyed is
// cudaErrorInvalidResourceHandle. Any thread may call anything; work of a stream runs in the order
// of the calls.
#pragma once

#include "testing/emulated/cuda/errors.hpp"

namespace weft::core::emulated {

struct StreamHandle;
struct EventHandle;
/// Null: the default stream, which waits for the streams that are not cudaStreamNonBlocking, and
/// they for it.
using cudaStream_t = StreamHandle*;
using cudaEvent_t = EventHandle*;
using cudaHostFn_t = void (*)(void*);

constexpr unsigned cudaStreamDefault = 0;
constexpr unsigned cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDefault = 0;
constexpr unsigned cudaEventBlockingSync = 1;
constexpr unsigned cudaEventDisableTiming = 2;

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
/// Priorities are taken and mean nothing.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
/// Returns when all in it has run; CUDA's returns sooner.
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaDeviceSynchronize();
/// A function that must not call the runtime; it is not called after an error.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to);

}  // namespace weft::core::emulated
