#include "fft/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/engines.hpp"
#include "base/text.hpp"
#include "fft/cost.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// An engine of this build; null: it is not built in.
using Made = const FftEngine& (*)();

constexpr std::array<std::pair<std::string_view, Made>, 4> built = {{
    {"native", &native_engine},
#ifdef WEFT_WITH_FFTW
    {"fftw", &fftw_engine},
#else
    {"fftw", nullptr},
#endif
#ifdef WEFT_WITH_MKL
    {"mkl", &mkl_engine},
#else
    {"mkl", nullptr},
#endif
    {"reference", &reference_engine},
}};

Made made(std::string_view name) {
    const auto* found = std::find_if(built.begin(), built.end(),
                                     [&](const auto& one) { return one.first == name; });
    return found == built.end() ? nullptr : found->second;
}

}  // namespace

double FftEngine::cost(const FftTask& task) const { return seconds(task, rates(name())); }

std::unique_ptr<TilePlan> FftEngine::tiles(const TileTask& task) const {
    return gathered_tiles(*this, task);
}

const std::vector<EngineInfo>& engines() {
    static const std::vector<EngineInfo> table = [] {
        std::vector<EngineInfo> all;
        all.reserve(engine_table.size());
        for (const EngineTraits& one : engine_table) {
            all.push_back({one.name, made(one.name) != nullptr, one.summary});
        }
        return all;
    }();
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

const FftEngine& engine(std::string_view name) { return made(resolve_engine(name))(); }

}  // namespace weft::core
