#include "fft/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "fft/cost.hpp"
#include "weft/error.hpp"

namespace weft::core {

#ifdef WEFT_WITH_FFTW
constexpr bool fftw_built_in = true;
#else
constexpr bool fftw_built_in = false;
#endif
#ifdef WEFT_WITH_MKL
constexpr bool mkl_built_in = true;
#else
constexpr bool mkl_built_in = false;
#endif

double FftEngine::cost(const FftTask& task) const { return seconds(task, rates(name())); }

std::unique_ptr<TilePlan> FftEngine::tiles(const TileTask& task) const {
    return gathered_tiles(*this, task);
}

const std::vector<EngineInfo>& engines() {
    static const std::vector<EngineInfo> table = {
        {"native", true, "weft's own: any length, vectorised across lines for this machine"},
        {"fftw", fftw_built_in, "FFTW 3, single and double precision"},
        {"mkl", mkl_built_in, "Intel MKL through DFTI, single and double precision"},
        {"reference", true, "mixed radix in long double; slow, any length, always built"},
    };
    return table;
}

std::string resolve_engine(std::string_view name) {
    std::string usable;
    for (const EngineInfo& info : engines()) {
        if (!info.built_in) continue;
        if (name.empty() || name == info.name) return std::string(info.name);
        usable += fmt::format("{}{}", usable.empty() ? "" : ", ", info.name);
    }
    const bool known = std::any_of(engines().begin(), engines().end(),
                                   [&](const EngineInfo& info) { return info.name == name; });
    if (known) {
        throw Error(ErrorCode::not_available,
                    fmt::format("engine '{}' is not built in; this weft has: {}. Install the "
                                "library's development package and build again",
                                name, usable));
    }
    bad_request(fmt::format("engine '{}' is unknown; this weft has: {}", name, usable));
}

const FftEngine& engine(std::string_view name) {
    const std::string resolved = resolve_engine(name);
#ifdef WEFT_WITH_FFTW
    if (resolved == "fftw") return fftw_engine();
#endif
    if (resolved == "native") return native_engine();
#ifdef WEFT_WITH_MKL
    if (resolved == "mkl") return mkl_engine();
#endif
    return reference_engine();
}

}  // namespace weft::core
