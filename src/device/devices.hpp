// The devices of this process, by name and by address.
#pragma once

#include <optional>
#include <string_view>

#include "device/device.hpp"

namespace weft::core {

/// The device of that name in base/devices.def, made when it is first asked for. Throws
/// Error(bad_request) if there is none of that name, Error(not_available) if it is not here or
/// this build has not got it.
Device& device(std::string_view name);

/// The number of this process among those of its machine that compute on devices, where others
/// compute on the host: by it they take the machine's GPUs in turn. Said before a device is asked
/// for; without it the launcher's number counts.
void set_place_among_devices(int place);
std::optional<int> place_among_devices();

/// The device whose memory it is; null: none of those that have been made, so the host's.
Device* device_of(const void* address);

/// Of what kind of device the memory is, if it is none of device_of()'s: of the process's second
/// GPU, say, or of a device that weft has not used. Empty: it is the host's.
std::string_view unused_device_of(const void* address);

/// For messages: `the host` of null, otherwise the device's name.
std::string_view name_of(const Device* device);

/// Whether this build has the device of that name.
bool is_built_in(std::string_view device);

/// fake_device(), ..: the one object of each, as its environment variables say; throws
/// Error(not_available) if it is not here. fake_knows(), ..: whether an address is memory of any
/// device of that kind, asked without making one. They are there only where weft was built with
/// that device.
#define WEFT_DEVICE(name, ...) \
    Device& name##_device();   \
    bool name##_knows(const void* address);
#include "base/devices.def"

}  // namespace weft::core
