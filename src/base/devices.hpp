// The devices that weft knows besides the host, and the memory of either.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/engines.hpp"

namespace weft::core {

/// Whose memory it is: the host's, or its device's, on which transforms and copies are done then.
enum class MemorySpace { host, device };

/// As base/devices.def says.
struct DeviceInfo {
    std::string_view name;
    std::string_view summary;
    std::string_view needs{};  ///< what a build without it lacks
};

/// Those of base/devices.def, then those that were added.
const std::vector<DeviceInfo>& known_devices();

/// Adds one with its own engines, the default first; none: the host's engines compute on it.
/// Before main, by register_device() of device/devices.hpp.
void add_device(const DeviceInfo& device, std::span<const EngineTraits> engines);

/// Null if there is none of that name.
const DeviceInfo* find_device(std::string_view name);

/// `cuda, hip`: the names.
std::string devices_text();

}  // namespace weft::core
