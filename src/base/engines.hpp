// The engines that weft knows, and what a plan has to know of them.
#pragma once

#include <array>
#include <string_view>

namespace weft::core {

struct EngineTraits {
    std::string_view name;
    /// Its tiles cost no more than its batches, so that transforms write what redistributions carry
    /// and read what they have brought as they compute. Others gather and scatter lines for that.
    bool fuses = false;
    /// Lines far apart cost more than a copy to where they are contiguous and back.
    bool wants_contiguous = false;
    /// It measures while it plans, unless the effort is estimate, and learns from that.
    bool measures = false;
    std::string_view summary;
};

/// The default first.
inline constexpr std::array<EngineTraits, 4> engine_table = {{
    {"native", true, false, false,
     "weft's own: any length, vectorised across lines for this machine"},
    {"fftw", false, true, true, "FFTW 3, single and double precision"},
    {"mkl", false, true, false, "Intel MKL through DFTI, single and double precision"},
    {"reference", false, true, false, "mixed radix in long double; slow, any length, always built"},
}};

/// Of the default for an empty name; an engine that is not known has no traits.
constexpr EngineTraits engine_traits(std::string_view name) {
    if (name.empty()) return engine_table.front();
    for (const EngineTraits& engine : engine_table) {
        if (engine.name == name) return engine;
    }
    return {name, false, true, false, ""};
}

}  // namespace weft::core
