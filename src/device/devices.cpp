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

namespace {

template <class Is>
Device* first_that(const Is& is) {
    for (const std::atomic<Device*>& one : made()) {
        Device* device = one.load();
        if (device != nullptr && is(*device)) return device;
    }
    return nullptr;
}

}  // namespace

Device* device_of(const void* address) {
    return first_that([&](const Device& device) { return device.owns(address); });
}

Device* device_beside(const void* address) {
    return first_that([&](const Device& device) { return device.is_of_another(address); });
}

std::string_view name_of(const Device* device) {
    return device == nullptr ? "the host" : device->name();
}

}  // namespace weft::core
