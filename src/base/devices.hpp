// The devices that weft knows besides the host, and the memory of either.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace weft::core {

/// Whose memory it is: the host's, or its device's, on which transforms and copies are done then.
enum class MemorySpace { host, device };

/// As base/devices.def says.
struct DeviceInfo {
    std::string_view name;
    std::string_view summary;
    std::string_view needs;  ///< what a build without it lacks
};

inline constexpr std::array device_table = {
#define WEFT_DEVICE(name, summary, needs) DeviceInfo{#name, summary, needs},
#include "base/devices.def"
};

/// Null if there is none of that name.
constexpr const DeviceInfo* find_device(std::string_view name) {
    for (const DeviceInfo& device : device_table) {
        if (device.name == name) return &device;
    }
    return nullptr;
}

/// `fake`, ..: the names.
inline std::string devices_text() {
    std::string text;
    for (const DeviceInfo& device : device_table) {
        text += (text.empty() ? "" : ", ") + std::string(device.name);
    }
    return text;
}

}  // namespace weft::core
