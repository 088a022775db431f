// The devices of this process, by name and by address.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/devices.hpp"
#include "base/engines.hpp"
#include "device/device.hpp"

namespace weft::core {

/// The known device of that name (base/devices.hpp), made when it is first asked for. Throws
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

class FftEngine;
struct DeviceComms;

/// The functions of a device. Null where this build has not got what they give.
struct DeviceKind {
    std::string_view name;
    /// The one object, as its environment variables say; throws Error(not_available) if it is not
    /// here.
    Device& (*device)() = nullptr;
    /// Whether an address is memory of any device of that kind, asked without making one.
    bool (*knows)(const void* address) = nullptr;
    /// Its own engine of that name, with work memory of its own.
    std::shared_ptr<const FftEngine> (*engine)(Device& device, std::string_view name) = nullptr;
    /// What makes communicators between its memories (net/device_comms.hpp).
    const DeviceComms& (*comms)() = nullptr;
};

/// Adds a device that base/devices.def does not name, with its own engines, the default first. A
/// program that is linked with one does so before main, by a variable that this initialises:
///
///     const bool registered = register_device({"mine", "my device", ""}, {.name = "mine", ..});
bool register_device(const DeviceInfo& info, const DeviceKind& kind,
                     std::span<const EngineTraits> engines = {});

/// Of base/devices.def, then those that were registered; find_device_kind: null if there is none.
std::vector<const DeviceKind*> device_kinds();
const DeviceKind* find_device_kind(std::string_view name);

/// cuda_device(), ..: the functions of each, there only where weft was built with that device.
#define WEFT_DEVICE(kind, ...)                                                           \
    Device& kind##_device();                                                             \
    bool kind##_knows(const void* address);                                              \
    const DeviceComms& kind##_comms();                                                   \
    namespace kind {                                                                     \
    std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name); \
    }
#include "base/devices.def"

}  // namespace weft::core
