// The engines that weft knows, and what a plan has to know of them.
#pragma once

#include <array>
#include <string_view>

namespace weft::core {

/// As base/engines.def says.
struct EngineTraits {
    std::string_view name;
    bool fuses = false;
    bool wants_contiguous = false;
    bool measures = false;
    std::string_view summary;
};

/// The default first.
inline constexpr std::array engine_table = {
#define WEFT_ENGINE(name, fuses, wants_contiguous, measures, summary, ...) \
    EngineTraits{#name, fuses, wants_contiguous, measures, summary},
#include "base/engines.def"
};

/// Of the default for an empty name; an engine that is not known has no traits.
constexpr EngineTraits engine_traits(std::string_view name) {
    if (name.empty()) return engine_table.front();
    for (const EngineTraits& engine : engine_table) {
        if (engine.name == name) return engine;
    }
    return {name, false, true, false, ""};
}

}  // namespace weft::core
