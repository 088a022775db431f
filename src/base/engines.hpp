// The engines that weft knows, and what a plan has to know of them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace weft::core {

/// As base/engines.def says.
struct EngineTraits {
    std::string_view name;
    bool fuses = false;
    bool wants_contiguous = false;
    bool measures = false;
    std::string_view summary;
};

/// The word of a choice that leaves the engine to measuring (api/fastest).
inline constexpr std::string_view measured_engine = "auto";

/// The default first.
inline constexpr std::array engine_table = {
#define WEFT_ENGINE(name, fuses, wants_contiguous, measures, summary, ...) \
    EngineTraits{#name, fuses, wants_contiguous, measures, summary},
#include "base/engines.def"
};

/// An engine of a device, as base/device_engines.def or who added the device says.
struct DeviceEngineTraits {
    std::string_view device;
    EngineTraits engine;
};

/// By device, the default of each first.
const std::vector<DeviceEngineTraits>& known_device_engines();

/// The default of a device that has engines of its own; null: the host's engines compute on it, or
/// it is the host (an empty name).
inline const EngineTraits* default_engine_of(std::string_view device) {
    for (const DeviceEngineTraits& one : known_device_engines()) {
        if (one.device == device) return &one.engine;
    }
    return nullptr;
}

/// Of the host; null: there is none of that name.
constexpr const EngineTraits* host_engine(std::string_view name) {
    for (const EngineTraits& engine : engine_table) {
        if (engine.name == name) return &engine;
    }
    return nullptr;
}

/// Of an engine on that device (empty: the host). Of the default for an empty name; an engine that
/// is not known has no traits.
inline EngineTraits engine_traits(std::string_view name, std::string_view device) {
    if (const EngineTraits* standard = default_engine_of(device)) {
        if (name.empty()) return *standard;
        for (const DeviceEngineTraits& one : known_device_engines()) {
            if (one.device == device && one.engine.name == name) return one.engine;
        }
        return {name, false, true, false, ""};
    }
    if (name.empty()) return engine_table.front();
    if (const EngineTraits* known = host_engine(name)) return *known;
    return {name, false, true, false, ""};
}

}  // namespace weft::core
