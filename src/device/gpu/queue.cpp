#include "device/gpu/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "base/variables.hpp"
#include "device/gpu/check.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

GpuQueue::GpuQueue(int number, std::string name) : number_(number), name_(std::move(name)) {
    check(cudaSetDevice(number_), "cudaSetDevice");
    // Work of the default stream, which the caller may use, does not hold it up.
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    create_events();
}

GpuQueue::GpuQueue(int number, std::string name, cudaStream_t of_caller)
    : number_(number), name_(std::move(name)), stream_(of_caller), owned_(false) {
    check(cudaSetDevice(number_), "cudaSetDevice");
    create_events();
}

void GpuQueue::create_events() {
    for (cudaEvent_t& event : events_) {
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
}

GpuQueue::~GpuQueue() {
    // Whatever failed was told to whoever waited.
    if (owned_) (void)cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : events_) (void)cudaEventDestroy(event);
    if (owned_) (void)cudaStreamDestroy(stream_);
}

template <class Put>
DeviceQueue::Ticket GpuQueue::put(const Put& put_it, std::string_view step) {
    if (recording_) {
        put_it();
        return last_;
    }
    ++last_;
    if (error_) return last_;
    try {
        check(cudaSetDevice(number_), "cudaSetDevice");
        put_it();
        // A text is made, and allocated, only if there is need of it.
        const cudaError_t recorded = cudaEventRecord(events_[last_ % ring], stream_);
        if (recorded != cudaSuccess) {
            check(recorded, fmt::format("queue {}, step {}", name_, step));
        }
    } catch (...) {
        error_ = std::current_exception();
    }
    return last_;
}

namespace {

/// Destroys a graph once it has been made ready to run.
struct Captured : NoCopy {
    cudaGraph_t graph = nullptr;
    ~Captured() {
        if (graph != nullptr) (void)cudaGraphDestroy(graph);
    }
};

/// What was put into a stream, kept to be done again: a CUDA graph.
class Graph final : public PreparedWork {
  public:
    explicit Graph(cudaGraph_t graph) {
        check(cudaGraphInstantiate(&ready_, graph, 0), "cudaGraphInstantiate");
    }
    ~Graph() override { (void)cudaGraphExecDestroy(ready_); }
    void run(const DeviceView& view, std::span<std::byte* const> /*places*/) override {
        check(cudaGraphLaunch(ready_, static_cast<cudaStream_t>(view.stream())), "cudaGraphLaunch");
    }

  private:
    cudaGraphExec_t ready_ = nullptr;
};

/// Captures what `put` puts into the stream of the GPU of that number, and does it in each run.
/// Throws what `put` throws; the stream is as it was then.
std::unique_ptr<PreparedWork> recorded(int number, cudaStream_t stream, FunctionRef<void()> put) {
    check(cudaSetDevice(number), "cudaSetDevice");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    Captured captured;
    try {
        put();
    } catch (...) {
        (void)cudaStreamEndCapture(stream, &captured.graph);
        (void)cudaGetLastError();
        throw;
    }
    check(cudaStreamEndCapture(stream, &captured.graph), "cudaStreamEndCapture");
    return std::make_unique<Graph>(captured.graph);
}

}  // namespace

std::unique_ptr<PreparedWork> GpuQueue::record(FunctionRef<void()> put) {
    if (!wants_graphs() || error_) return nullptr;
    return recorded(number_, stream_, [&] {
        recording_ = true;
        try {
            put();
        } catch (...) {
            recording_ = false;
            throw;
        }
        recording_ = false;
    });
}

DeviceQueue::Ticket GpuQueue::launch(Work work, std::string_view step) {
    return put([&] { work(*this); }, step);
}

DeviceQueue::Ticket GpuQueue::copy(const std::byte* from, std::byte* to, Index bytes,
                                   std::string_view step) {
    const auto put_it = [&] {
        if (bytes == 0) return;
        const cudaError_t put_in =
            cudaMemcpyAsync(to, from, usize(bytes), cudaMemcpyDefault, stream_);
        if (put_in == cudaSuccess) return;
        check(put_in,
              fmt::format("queue {}, step {}: cudaMemcpyAsync of {} bytes", name_, step, bytes));
    };
    return put(put_it, step);
}

cudaEvent_t GpuQueue::event_of(Ticket ticket) const {
    const Ticket oldest = last_ < ring ? 1 : last_ - ring + 1;
    return events_[std::max(ticket, oldest) % ring];
}

void GpuQueue::wait_for(DeviceQueue& other, Ticket ticket) {
    auto& queue = dynamic_cast<GpuQueue&>(other);
    queue.check_given_out(ticket);
    if (&queue == this || ticket == 0) return;
    if (!error_) error_ = queue.error_;
    if (error_) return;
    try {
        check(cudaStreamWaitEvent(stream_, queue.event_of(ticket), 0), "cudaStreamWaitEvent");
    } catch (...) {
        error_ = std::current_exception();
    }
}

void GpuQueue::check_given_out(Ticket ticket) const {
    if (ticket <= last_) return;
    throw Error(ErrorCode::bad_request,
                fmt::format("queue {}: there is no ticket {}, the last one is {}; wait for work "
                            "after it was put in",
                            name_, ticket, last_));
}

void GpuQueue::throw_what_failed() const {
    if (error_) std::rethrow_exception(error_);
}

void GpuQueue::fail_if(cudaError_t result, std::string_view what) {
    if (result == cudaSuccess) return throw_what_failed();
    try {
        check(result, fmt::format("queue {}: {}", name_, what));
    } catch (...) {
        if (!error_) error_ = std::current_exception();
    }
    throw_what_failed();
}

bool GpuQueue::done(Ticket ticket) {
    check_given_out(ticket);
    throw_what_failed();
    if (ticket == 0) return true;
    const cudaError_t result = cudaEventQuery(event_of(ticket));
    if (result == cudaErrorNotReady) return false;
    fail_if(result, "cudaEventQuery");
    return true;
}

// After an error too all that is in the stream has run when it returns: the caller frees what work
// refers to.
void GpuQueue::wait(Ticket ticket) {
    check_given_out(ticket);
    if (error_) (void)cudaStreamSynchronize(stream_);
    throw_what_failed();
    if (ticket != 0) fail_if(cudaEventSynchronize(event_of(ticket)), "cudaEventSynchronize");
}

}  // namespace weft::core::WEFT_GPU_TARGET
