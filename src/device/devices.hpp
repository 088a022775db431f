// The devices of this process, by name and by address.
#pragma once

#include <string_view>

#include "device/device.hpp"

namespace weft::core {

/// The device of that name in base/devices.def, made when it is first asked for. Throws
/// Error(bad_request) if there is none of that name, Error(not_available) if it is not here or
/// this build has not got it.
Device& device(std::string_view name);

/// The device whose memory it is; null: none of those that have been made, so the host's.
Device* device_of(const void* address);

/// A device that knows the address for memory of another one of its kind, which it cannot reach:
/// of the process's second GPU, say. Null: there is none.
Device* device_beside(const void* address);

/// For messages: `the host` of null, otherwise the device's name.
std::string_view name_of(const Device* device);

/// Whether this build has the device of that name.
bool is_built_in(std::string_view device);

/// fake_device(), ..: the one object of each, as its environment variables say; each is there only
/// where weft was built with it. Throws Error(not_available) if it is not here.
#define WEFT_DEVICE(name, ...) Device& name##_device();
#include "base/devices.def"

}  // namespace weft::core
