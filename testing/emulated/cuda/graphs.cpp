#include "testing/emulated/cuda/graphs.hpp"

#include <utility>

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/cuda/graph_run.hpp"

namespace weft::core::emulated {

GraphRun::GraphRun(std::shared_ptr<const Capture> capture,
                   std::vector<std::shared_ptr<Stream>> lanes)
    : capture_(std::move(capture)), lanes_(std::move(lanes)), marks_(capture_->marks()) {}

void GraphRun::launch(Stream& stream) {
    const std::scoped_lock lock(mutex_);
    stream.wait_for(last_);
    for (const Capture::Operation& operation : capture_->operations()) {
        Stream& lane =
            operation.lane == 0 ? stream : *lanes_[static_cast<std::size_t>(operation.lane) - 1];
        const auto& what = operation.what;
        if (const auto* work = std::get_if<Capture::Work>(&what)) {
            lane.work(*work->closure, work->step);
        } else if (const auto* copy = std::get_if<Capture::Copy>(&what)) {
            lane.copy(copy->from, copy->to, copy->bytes);
        } else if (const auto* mark = std::get_if<Capture::Mark>(&what)) {
            marks_[mark->number] = lane.now();
        } else if (const auto* wait = std::get_if<Capture::Wait>(&what)) {
            lane.wait_for(marks_[wait->mark]);
        }
    }
    last_ = stream.now();
}

void GraphRun::finish() {
    const std::scoped_lock lock(mutex_);
    if (const auto stream = last_.stream.lock()) stream->wait(last_);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return with_device([&](Context& here) {
        if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
            throw Thrown{cudaErrorInvalidValue};
        }
        if (stream == nullptr) throw Thrown{cudaErrorStreamCaptureUnsupported};
        here.add_capture(here.stream(stream)->begin_capture(), mode);
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return with_device([&](Context& here) {
        if (graph == nullptr) throw Thrown{cudaErrorInvalidValue};
        *graph = nullptr;
        const auto ended = here.stream(stream)->end_capture();
        if (!ended->valid()) throw Thrown{cudaErrorStreamCaptureInvalidated};
        if (!ended->joined()) throw Thrown{cudaErrorStreamCaptureUnjoined};
        *graph = here.add_graph(ended);
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return with_device([&](Context& here) {
        if (status == nullptr) throw Thrown{cudaErrorInvalidValue};
        const auto capture = here.stream(stream)->captured();
        *status = capture == nullptr ? cudaStreamCaptureStatusNone
                  : capture->valid() ? cudaStreamCaptureStatusActive
                                     : cudaStreamCaptureStatusInvalidated;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    return with_device([&](Context& here) {
        if (exec == nullptr || flags != 0) throw Thrown{cudaErrorInvalidValue};
        *exec = here.add_graph_run(graph);
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return with_device([&](Context& here) {
        const auto run = here.graph_run(exec);
        const auto chosen = here.stream_for_work(stream);
        if (const auto capture = chosen->captured()) {
            capture->invalidate();
            throw Thrown{cudaErrorNotSupported};  // CUDA makes a graph in the graph
        }
        run->launch(*chosen);
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return with_device([&](Context& here) { here.remove_graph(graph); }, true);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return with_device([&](Context& here) { here.remove_graph_run(exec); }, true);
}

}  // namespace weft::core::emulated
