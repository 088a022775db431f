#include "device/devices.hpp"

#include <fmt/format.h>

#include <atomic>
#include <deque>

#include "base/mapped.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

struct Known {
    explicit Known(const DeviceKind& one) : kind(one) {}
    DeviceKind kind;
    std::atomic<Device*> made = nullptr;
};

#define WEFT_IF_1(function) function
#define WEFT_IF_0(function) nullptr
#define WEFT_JOIN_IF(is) WEFT_IF_##is
#define WEFT_IF(is) WEFT_JOIN_IF(is)

/// Never destroyed: what is at the end of the process may still ask.
std::deque<Known>& known() {
    static auto* all = [] {
        auto* devices = new std::deque<Known>;
#define WEFT_DEVICE(name, ...)                                                               \
    devices->emplace_back(DeviceKind{#name, WEFT_IF(WEFT_HAS_DEVICE_##name)(&name##_device), \
                                     WEFT_IF(WEFT_HAS_DEVICE_##name)(&name##_knows),         \
                                     WEFT_IF(WEFT_HAS_DEVICE_##name)(&name::make_engine),    \
                                     WEFT_IF(WEFT_HAS_COMMS_##name)(&name##_comms)});
#include "base/devices.def"
        return devices;
    }();
    return *all;
}

/// Null: there is none of that name.
Known* find(std::string_view name) {
    for (Known& one : known()) {
        if (one.kind.name == name) return &one;
    }
    return nullptr;
}

/// -1: not said.
std::atomic<int>& place() {
    static std::atomic<int> number = -1;
    return number;
}

}  // namespace

void set_place_among_devices(int number) { place() = number; }

std::optional<int> place_among_devices() {
    const int number = place();
    if (number < 0) return {};
    return number;
}

bool register_device(const DeviceInfo& info, const DeviceKind& kind,
                     std::span<const EngineTraits> engines) {
    add_device(info, engines);
    known().emplace_back(kind);
    return true;
}

std::vector<const DeviceKind*> device_kinds() {
    return mapped(known(), [](const Known& one) { return &one.kind; });
}

const DeviceKind* find_device_kind(std::string_view name) {
    const Known* found = find(name);
    return found == nullptr ? nullptr : &found->kind;
}

Device& device(std::string_view name) {
    Known* one = find(name);
    if (one == nullptr) {
        throw Error(ErrorCode::bad_request,
                    fmt::format("there is no device '{}'; there are {}", name, devices_text()));
    }
    if (one->kind.device == nullptr) {
        throw Error(ErrorCode::not_available,
                    fmt::format("device '{}' is not built in: weft has to be built with {}", name,
                                find_device(name)->needs));
    }
    Device& found = one->kind.device();
    one->made = &found;
    return found;
}

bool is_built_in(std::string_view device) {
    const Known* one = find(device);
    return one != nullptr && one->kind.device != nullptr;
}

Device* device_of(const void* address) {
    for (const Known& one : known()) {
        Device* device = one.made.load();
        if (device != nullptr && device->owns(address)) return device;
    }
    return nullptr;
}

std::string_view unused_device_of(const void* address) {
    for (const Known& one : known()) {
        if (one.kind.knows == nullptr || !one.kind.knows(address)) continue;
        return device_of(address) == nullptr ? one.kind.name : std::string_view();
    }
    return {};
}

std::string_view name_of(const Device* device) {
    return device == nullptr ? "the host" : device->name();
}

}  // namespace weft::core
