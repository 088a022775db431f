#include "device/devices.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "base/devices.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Those that have been made, in the order of the table.
std::array<std::atomic<Device*>, device_table.size()>& made() {
    static std::array<std::atomic<Device*>, device_table.size()> devices{};
    return devices;
}

/// -1: not said.
std::atomic<int>& place() {
    static std::atomic<int> number = -1;
    return number;
}

using Make = Device& (*)();

#define WEFT_MADE_DEVICE_1(name) &name##_device
#define WEFT_MADE_DEVICE_0(name) nullptr
#define WEFT_JOIN_DEVICE(a, b) a##b
#define WEFT_MADE_DEVICE(name, has) WEFT_JOIN_DEVICE(WEFT_MADE_DEVICE_, has)(name)

/// By the table; null: this build has not got it.
constexpr std::array<Make, device_table.size()> makers = {
#define WEFT_DEVICE(name, ...) WEFT_MADE_DEVICE(name, WEFT_HAS_DEVICE_##name),
#include "base/devices.def"
};

#define WEFT_KNOWING_DEVICE_1(name) &name##_knows
#define WEFT_KNOWING_DEVICE_0(name) nullptr
#define WEFT_KNOWING_DEVICE(name, has) WEFT_JOIN_DEVICE(WEFT_KNOWING_DEVICE_, has)(name)

using Knows = bool (*)(const void*);
constexpr std::array<Knows, device_table.size()> knows = {
#define WEFT_DEVICE(name, ...) WEFT_KNOWING_DEVICE(name, WEFT_HAS_DEVICE_##name),
#include "base/devices.def"
};

}  // namespace

void set_place_among_devices(int number) { place() = number; }

std::optional<int> place_among_devices() {
    const int number = place();
    if (number < 0) return {};
    return number;
}

Device& device(std::string_view name) {
    for (std::size_t i = 0; i < device_table.size(); ++i) {
        if (device_table[i].name != name) continue;
        if (makers[i] == nullptr) {
            throw Error(ErrorCode::not_available,
                        fmt::format("device '{}' is not built in: weft has to be built with {}",
                                    name, device_table[i].needs));
        }
        Device& found = makers[i]();
        made()[i] = &found;
        return found;
    }
    throw Error(ErrorCode::bad_request,
                fmt::format("there is no device '{}'; there are {}", name, devices_text()));
}

bool is_built_in(std::string_view device) {
    for (std::size_t i = 0; i < device_table.size(); ++i) {
        if (device_table[i].name == device) return makers[i] != nullptr;
    }
    return false;
}

Device* device_of(const void* address) {
    for (const std::atomic<Device*>& one : made()) {
        Device* device = one.load();
        if (device != nullptr && device->owns(address)) return device;
    }
    return nullptr;
}

std::string_view unused_device_of(const void* address) {
    for (std::size_t i = 0; i < device_table.size(); ++i) {
        if (knows[i] == nullptr || !knows[i](address)) continue;
        return device_of(address) == nullptr ? device_table[i].name : std::string_view();
    }
    return {};
}

std::string_view name_of(const Device* device) {
    return device == nullptr ? "the host" : device->name();
}

}  // namespace weft::core
