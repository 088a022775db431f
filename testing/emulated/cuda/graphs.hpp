// Work that is captured once and launched often.
//
//     cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
//     ..                                      // launches, copies, events: kept, not run
//     cudaStreamEndCapture(stream, &graph);
//     cudaGraphInstantiate(&run, graph);
//     cudaGraphLaunch(run, stream);           // any number of times
//
// A stream that waits for an event of a captured one is captured too, until the capture ends; the
// first stream has to wait for its work before that. A graph runs what was captured in its first
// stream in the stream that it is launched in, and the rest in streams of its own, so that with
// `late` a wait that is missing in it shows.
#pragma once

#include "testing/emulated/cuda/errors.hpp"
#include "testing/emulated/cuda/streams.hpp"

namespace weft::core::emulated {

struct GraphHandle;
struct GraphExecHandle;
using cudaGraph_t = GraphHandle*;
using cudaGraphExec_t = GraphExecHandle*;

/// Which threads may not allocate or free memory meanwhile: all, the one that captures, none.
enum cudaStreamCaptureMode : int {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus : int {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2,
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags = 0);
/// Two launches of one run after the other.
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
/// Returns when all launches have run; CUDA's returns sooner.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

}  // namespace weft::core::emulated
