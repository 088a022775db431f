#include "base/devices.hpp"

#include <fmt/format.h>

#include "base/mapped.hpp"

namespace weft::core {

namespace {

std::vector<DeviceInfo>& devices() {
    static std::vector<DeviceInfo> all = {
#define WEFT_DEVICE(name_, ...) DeviceInfo{.name = #name_, __VA_ARGS__},
#include "base/devices.def"
    };
    return all;
}

std::vector<DeviceEngineTraits>& device_engines() {
    static std::vector<DeviceEngineTraits> all = {
#define WEFT_DEVICE_ENGINE(device, name_, summary_, ...) \
    DeviceEngineTraits{#device, {.name = #name_, .summary = summary_, __VA_ARGS__}},
#include "base/device_engines.def"
    };
    return all;
}

}  // namespace

const std::vector<DeviceInfo>& known_devices() { return devices(); }

const std::vector<DeviceEngineTraits>& known_device_engines() { return device_engines(); }

void add_device(const DeviceInfo& device, std::span<const EngineTraits> engines) {
    devices().push_back(device);
    for (const EngineTraits& engine : engines) device_engines().push_back({device.name, engine});
}

const DeviceInfo* find_device(std::string_view name) {
    for (const DeviceInfo& device : known_devices()) {
        if (device.name == name) return &device;
    }
    return nullptr;
}

std::string devices_text() {
    return fmt::format("{}", fmt::join(mapped(known_devices(), &DeviceInfo::name), ", "));
}

}  // namespace weft::core
