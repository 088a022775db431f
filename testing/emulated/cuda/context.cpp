#include "testing/emulated/cuda/context.hpp"

#include <utility>
#include <vector>

#include "base/variables.hpp"
#include "weft/error.hpp"

namespace weft::core::emulated {

namespace {

std::unique_ptr<Context>& current() {
    static std::unique_ptr<Context> one;
    return one;
}

std::mutex& first_use() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

Context& context() {
    const std::scoped_lock lock(first_use());
    std::unique_ptr<Context>& one = current();
    if (one == nullptr) {
        one = std::make_unique<Context>(
            emulated_options(variable("WEFT_EMULATED_DEVICE").value_or("")));
    }
    return *one;
}

bool is_runtime_used() {
    const std::scoped_lock lock(first_use());
    return current() != nullptr;
}

void set_emulated_device(const std::string& text) {
    const EmulatedOptions options = emulated_options(text);
    const std::scoped_lock lock(first_use());
    current().reset();
    current() = std::make_unique<Context>(options);
}

cudaError_t absence(const EmulatedOptions& options) {
    using Presence = EmulatedOptions::Presence;
    if (options.presence == Presence::here) return cudaSuccess;
    return options.presence == Presence::no_device ? cudaErrorNoDevice
                                                   : cudaErrorInsufficientDriver;
}

Context::Context(const EmulatedOptions& chosen)
    : options(chosen), device(make_fake_device(chosen.fake)) {}

Context::~Context() { synchronize(); }

std::shared_ptr<Stream> Context::stream(cudaStream_t handle) {
    const std::scoped_lock lock(mutex);
    const auto found = streams_.find(handle);
    if (found != streams_.end()) return found->second;
    if (handle != nullptr) throw Thrown{cudaErrorInvalidResourceHandle};
    return streams_[nullptr] = make_stream(true);
}

std::shared_ptr<Event> Context::event(cudaEvent_t handle) {
    const std::scoped_lock lock(mutex);
    const auto found = events_.find(handle);
    if (found == events_.end()) throw Thrown{cudaErrorInvalidResourceHandle};
    return found->second;
}

std::shared_ptr<Stream> Context::stream_for_work(cudaStream_t handle) {
    std::shared_ptr<Stream> chosen = stream(handle);
    if (!chosen->blocking() || chosen->captured() != nullptr) return chosen;
    std::vector<std::shared_ptr<Stream>> others;
    {
        const std::scoped_lock lock(mutex);
        for (const auto& [other, one] : streams_) {
            const bool is_default = other == nullptr;
            if (one->blocking() && (is_default != (handle == nullptr))) others.push_back(one);
            if (handle != nullptr) break;  // null is the first
        }
    }
    for (const auto& other : others) {
        if (const auto capture = other->captured()) {
            capture->invalidate();
            throw Thrown{cudaErrorStreamCaptureImplicit};
        }
        chosen->wait_for(other->now());
    }
    return chosen;
}

cudaStream_t Context::add_stream(bool blocking) {
    const std::scoped_lock lock(mutex);
    auto made = make_stream(blocking);
    auto* handle = reinterpret_cast<cudaStream_t>(++handles_);  // NOLINT(performance-no-int-to-ptr)
    streams_[handle] = std::move(made);
    return handle;
}

std::shared_ptr<Stream> Context::make_stream(bool blocking) {
    try {
        auto made = std::make_shared<Stream>(*device, numbers_ + 1, blocking, failure);
        ++numbers_;
        return made;
    } catch (const Error&) {
        throw Thrown{cudaErrorOperatingSystem};
    }
}

void Context::remove_stream(cudaStream_t handle) {
    std::shared_ptr<Stream> removed;
    {
        const std::scoped_lock lock(mutex);
        const auto found = streams_.find(handle);
        if (handle == nullptr || found == streams_.end())
            throw Thrown{cudaErrorInvalidResourceHandle};
        removed = std::move(found->second);
        streams_.erase(found);
    }
    if (const auto capture = removed->captured()) capture->invalidate();
    removed->drain();
}

cudaEvent_t Context::add_event(bool timed) {
    const std::scoped_lock lock(mutex);
    auto* handle = reinterpret_cast<cudaEvent_t>(++handles_);  // NOLINT(performance-no-int-to-ptr)
    events_[handle] = std::make_shared<Event>(timed);
    return handle;
}

void Context::remove_event(cudaEvent_t handle) {
    const std::scoped_lock lock(mutex);
    if (events_.erase(handle) == 0) throw Thrown{cudaErrorInvalidResourceHandle};
}

void Context::synchronize() {
    std::vector<std::shared_ptr<Stream>> all;
    {
        const std::scoped_lock lock(mutex);
        for (const auto& [handle, one] : streams_) all.push_back(one);
    }
    for (const auto& one : all) one->drain();
}

void Context::add_capture(const std::shared_ptr<Capture>& capture, cudaStreamCaptureMode mode) {
    const std::scoped_lock lock(mutex);
    std::erase_if(capturing_, [](const Capturing& one) { return one.capture->ended(); });
    capturing_.push_back({capture, mode, std::this_thread::get_id()});
}

void Context::require_no_capture() {
    const std::scoped_lock lock(mutex);
    bool forbidden = false;
    for (const Capturing& one : capturing_) {
        const bool concerned = one.mode == cudaStreamCaptureModeGlobal ||
                               (one.mode == cudaStreamCaptureModeThreadLocal &&
                                one.thread == std::this_thread::get_id());
        if (!concerned || one.capture->ended()) continue;
        one.capture->invalidate();
        forbidden = true;
    }
    if (forbidden) throw Thrown{cudaErrorStreamCaptureUnsupported};
}

cudaGraph_t Context::add_graph(const std::shared_ptr<const Capture>& capture) {
    const std::scoped_lock lock(mutex);
    auto* handle = reinterpret_cast<cudaGraph_t>(++handles_);  // NOLINT(performance-no-int-to-ptr)
    graphs_[handle] = capture;
    return handle;
}

void Context::remove_graph(cudaGraph_t handle) {
    const std::scoped_lock lock(mutex);
    if (graphs_.erase(handle) == 0) throw Thrown{cudaErrorInvalidValue};
}

cudaGraphExec_t Context::add_graph_run(cudaGraph_t handle) {
    const std::scoped_lock lock(mutex);
    const auto found = graphs_.find(handle);
    if (found == graphs_.end()) throw Thrown{cudaErrorInvalidValue};
    std::vector<std::shared_ptr<Stream>> lanes;
    for (int lane = 1; lane < found->second->lanes(); ++lane) lanes.push_back(make_stream(false));
    auto* made =
        reinterpret_cast<cudaGraphExec_t>(++handles_);  // NOLINT(performance-no-int-to-ptr)
    graph_runs_[made] = std::make_shared<GraphRun>(found->second, std::move(lanes));
    return made;
}

std::shared_ptr<GraphRun> Context::graph_run(cudaGraphExec_t handle) {
    const std::scoped_lock lock(mutex);
    const auto found = graph_runs_.find(handle);
    if (found == graph_runs_.end()) throw Thrown{cudaErrorInvalidValue};
    return found->second;
}

void Context::remove_graph_run(cudaGraphExec_t handle) {
    const auto removed = graph_run(handle);
    {
        const std::scoped_lock lock(mutex);
        graph_runs_.erase(handle);
    }
    removed->finish();
}

const Allocation* Context::find(const void* address, std::uintptr_t& begin) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    auto after = allocations.upper_bound(at);
    if (after == allocations.begin()) return nullptr;
    --after;
    begin = after->first;
    return at - begin < after->second.bytes ? &after->second : nullptr;
}

bool Context::require_usable(const void* address, std::size_t bytes) {
    if (bytes == 0) return address != nullptr && device->owns(address);
    if (address == nullptr) throw Thrown{cudaErrorInvalidValue};
    if (!device->owns(address)) return false;
    const std::scoped_lock lock(mutex);
    std::uintptr_t begin = 0;
    const Allocation* allocation = find(address, begin);
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin;
    if (allocation == nullptr || bytes > allocation->bytes - offset)
        throw Thrown{cudaErrorInvalidValue};
    return true;
}

}  // namespace weft::core::emulated
