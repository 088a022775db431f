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

using Make = Device& (*)();
constexpr std::array<Make, device_table.size()> makers = {
#define WEFT_DEVICE(name, ...) &name##_device,
#include "base/devices.def"
};

using Knows = bool (*)(const void*);
constexpr std::array<Knows, device_table.size()> knows = {
#define WEFT_DEVICE(name, ...) &name##_knows,
#include "base/devices.def"
};

}  // namespace

Device& device(std::string_view name) {
    for (std::size_t i = 0; i < device_table.size(); ++i) {
        if (device_table[i].name != name) continue;
        Device& found = makers[i]();
        made()[i] = &found;
        return found;
    }
    throw Error(ErrorCode::bad_request,
                fmt::format("there is no device '{}'; there are {}", name, devices_text()));
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
        if (!knows[i](address)) continue;
        return device_of(address) == nullptr ? device_table[i].name : std::string_view();
    }
    return {};
}

std::string_view name_of(const Device* device) {
    return device == nullptr ? "the host" : device->name();
}

}  // namespace weft::core
