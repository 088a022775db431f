// The engines that weft knows, and what a plan has to know of them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace weft::core {

/// As base/engines.def says.
struct EngineTraits {
    std::string_view name{};
    std::string_view summary{};
    /// Its tiles cost no more than its batches, so transforms write what redistributions carry and
    /// read what they have brought as they compute; others gather and scatter lines for that.
    bool fuses = false;
    /// Lines far apart cost more than a copy to where they are contiguous and back.
    bool wants_contiguous = false;
    /// It measures while it plans, unless the effort is estimate, and learns from that.
    bool measures = false;
    /// Its arithmetic depends on neither strides nor alignment nor the number of lines, if asked.
    bool reproducible = false;
    bool oracle = false;  ///< for comparisons: so slow that it is only taken where it is named
};

/// The word of a choice that leaves the engine to measuring (api/fastest).
inline constexpr std::string_view measured_engine = "auto";

/// The default first.
inline constexpr std::array engine_table = {
#define WEFT_ENGINE(name_, summary_, ...) \
    EngineTraits{.name = #name_, .summary = summary_, __VA_ARGS__},
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

/// The first of the host whose arithmetic can be reproducible.
constexpr std::string_view reproducible_engine() {
    std::string_view first;
    for (const EngineTraits& engine : engine_table) {
        if (first.empty() && engine.reproducible) first = engine.name;
    }
    return first;
}

/// Of an engine on that device (empty: the host). Of the default for an empty name; an engine that
/// is not known has no traits.
inline EngineTraits engine_traits(std::string_view name, std::string_view device) {
    if (const EngineTraits* standard = default_engine_of(device)) {
        if (name.empty()) return *standard;
        for (const DeviceEngineTraits& one : known_device_engines()) {
            if (one.device == device && one.engine.name == name) return one.engine;
        }
        return {.name = name, .wants_contiguous = true};
    }
    if (name.empty()) return engine_table.front();
    if (const EngineTraits* known = host_engine(name)) return *known;
    return {.name = name, .wants_contiguous = true};
}

}  // namespace weft::core
