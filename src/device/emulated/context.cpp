#include "device/emulated/context.hpp"

#include <cstdlib>
#include <vector>

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
        const char* text = std::getenv("WEFT_EMULATED_DEVICE");
        one = std::make_unique<Context>(emulated_options(text != nullptr ? text : ""));
    }
    return *one;
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
    if (handle != nullptr) throw cudaErrorInvalidResourceHandle;
    auto made = std::make_shared<Stream>(*device, ++numbers_, true, failure);
    streams_[nullptr] = made;
    return made;
}

std::shared_ptr<Event> Context::event(cudaEvent_t handle) {
    const std::scoped_lock lock(mutex);
    const auto found = events_.find(handle);
    if (found == events_.end()) throw cudaErrorInvalidResourceHandle;
    return found->second;
}

std::shared_ptr<Stream> Context::stream_for_work(cudaStream_t handle) {
    std::shared_ptr<Stream> chosen = stream(handle);
    if (!chosen->blocking()) return chosen;
    std::vector<std::shared_ptr<Stream>> others;
    {
        const std::scoped_lock lock(mutex);
        for (const auto& [other, one] : streams_) {
            const bool is_default = other == nullptr;
            if (one->blocking() && (is_default != (handle == nullptr))) others.push_back(one);
            if (handle != nullptr) break;  // null is the first
        }
    }
    for (const auto& other : others) chosen->wait_for(other->now());
    return chosen;
}

cudaStream_t Context::add_stream(bool blocking) {
    const std::scoped_lock lock(mutex);
    try {
        auto made = std::make_shared<Stream>(*device, numbers_ + 1, blocking, failure);
        ++numbers_;
        auto* handle = reinterpret_cast<cudaStream_t>(++handles_);
        streams_[handle] = std::move(made);
        return handle;
    } catch (const Error&) {
        throw cudaErrorOperatingSystem;
    }
}

void Context::remove_stream(cudaStream_t handle) {
    std::shared_ptr<Stream> removed;
    {
        const std::scoped_lock lock(mutex);
        const auto found = streams_.find(handle);
        if (handle == nullptr || found == streams_.end()) throw cudaErrorInvalidResourceHandle;
        removed = std::move(found->second);
        streams_.erase(found);
    }
    removed->wait(removed->now());
}

cudaEvent_t Context::add_event(bool timed) {
    const std::scoped_lock lock(mutex);
    auto* handle = reinterpret_cast<cudaEvent_t>(++handles_);
    events_[handle] = std::make_shared<Event>(timed);
    return handle;
}

void Context::remove_event(cudaEvent_t handle) {
    const std::scoped_lock lock(mutex);
    if (events_.erase(handle) == 0) throw cudaErrorInvalidResourceHandle;
}

void Context::synchronize() {
    std::vector<std::shared_ptr<Stream>> all;
    {
        const std::scoped_lock lock(mutex);
        for (const auto& [handle, one] : streams_) all.push_back(one);
    }
    for (const auto& one : all) one->wait(one->now());
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
    if (address == nullptr) throw cudaErrorInvalidValue;
    if (!device->owns(address)) return false;
    const std::scoped_lock lock(mutex);
    std::uintptr_t begin = 0;
    const Allocation* allocation = find(address, begin);
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin;
    if (allocation == nullptr || bytes > allocation->bytes - offset) throw cudaErrorInvalidValue;
    return true;
}

}  // namespace weft::core::emulated
