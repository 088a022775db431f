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

#define WEFT_MADE_DEVICE_1(name) &name##_device
#define WEFT_MADE_DEVICE_0(name) nullptr
#define WEFT_JOIN_DEVICE(a, b) a##b
#define WEFT_MADE_DEVICE(name, has) WEFT_JOIN_DEVICE(WEFT_MADE_DEVICE_, has)(name)

/// By the table; null: this build has not got it.
constexpr std::array<Make, device_table.size()> makers = {
#define WEFT_DEVICE(name, ...) WEFT_MADE_DEVICE(name, WEFT_HAS_DEVICE_##name),
#include "base/devices.def"
};

}  // namespace

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
