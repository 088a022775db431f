#include "fake_memory.h"

#include <map>
#include <memory>

#include "device/devices.hpp"
#include "testing/fake/fake.hpp"

using weft::core::DeviceMemory;
using weft::core::DeviceQueue;

namespace {

weft::core::Device& fake() { return weft::core::device("fake"); }

template <class T>
std::map<void*, std::unique_ptr<T>>& all() {
    static std::map<void*, std::unique_ptr<T>> owned;
    return owned;
}

void copy(DeviceQueue& queue, const void* from, void* to, int64_t bytes) {
    queue.copy(static_cast<const std::byte*>(from), static_cast<std::byte*>(to), bytes, "test");
}

}  // namespace

void* fake_allocate(int64_t bytes) {
    weft::core::Device& device = fake();  // Made before what it gives, so destroyed after it.
    auto memory = device.allocate(bytes, "test");
    void* data = memory->data();
    all<DeviceMemory>()[data] = std::move(memory);
    return data;
}

void fake_free(void* memory) { all<DeviceMemory>().erase(memory); }

void fake_copy(const void* from, void* to, int64_t bytes) {
    const auto queue = fake().queue("test");
    copy(*queue, from, to, bytes);
    queue->wait(queue->last());
}

void* fake_stream_new() {
    auto queue = fake().queue("the caller's");
    void* stream = weft::core::fake_stream(*queue);
    all<DeviceQueue>()[stream] = std::move(queue);
    return stream;
}

void fake_stream_copy(void* stream, const void* from, void* to, int64_t bytes) {
    copy(*all<DeviceQueue>().at(stream), from, to, bytes);
}

void fake_stream_wait(void* stream) {
    DeviceQueue& queue = *all<DeviceQueue>().at(stream);
    queue.wait(queue.last());
}

void fake_stream_free(void* stream) { all<DeviceQueue>().erase(stream); }
