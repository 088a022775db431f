#include "fft/engine.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/engines.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "fft/kept_lines.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using Made = const FftEngine& (*)();

#define WEFT_MADE_1(name) &name##_engine
#define WEFT_MADE_0(name) nullptr
#define WEFT_JOIN(a, b) a##b
#define WEFT_MADE(name, has) WEFT_JOIN(WEFT_MADE_, has)(name)

/// What makes the engine of that name; null if this build has none.
Made made(std::string_view name) {
#define WEFT_ENGINE(engine, ...) \
    if (name == #engine) return WEFT_MADE(engine, WEFT_HAS_##engine);
#include "base/engines.def"
    return nullptr;
}

}  // namespace

double FftEngine::cost(const FftTask& task, const CoreRates& rates) const {
    return seconds(task, rates);
}

std::unique_ptr<TilePlan> FftEngine::tiles(const TileTask& task) const {
    if (!task.line.is_whole()) return kept_tiles(*this, task);
    return gathered_tiles(*this, task);
}

std::unique_ptr<PreparedWork> FftEngine::device_lines(const FusedLines& /*lines*/) const {
    throw std::logic_error("lines in segments on a device, by an engine that has no kernel");
}

const std::vector<EngineInfo>& engines() {
    static const std::vector<EngineInfo> table = mapped(engine_table, [](const auto& one) {
        return EngineInfo{one.name, made(one.name) != nullptr, one.summary};
    });
    return table;
}

std::string resolve_engine(std::string_view name) {
    if (name == measured_engine) {
        bad_request(
            "engine=auto needs the ranks for its measurements: make the plan with their "
            "communicator, say tuning=estimate(machine:FILE) to use the rates of a machine, or "
            "name an engine; `weft info` lists the engines");
    }
    std::string usable;
    for (const EngineInfo& info : engines()) {
        if (!info.built_in) continue;
        if (name.empty() || name == info.name) return std::string(info.name);
        usable += fmt::format("{}{}", usable.empty() ? "" : ", ", info.name);
    }
    if (host_engine(name) != nullptr) {
        throw Error(ErrorCode::not_available,
                    fmt::format("engine '{}' is not built in; this weft has: {}. Install the "
                                "library's development package and build again",
                                name, usable));
    }
    bad_request(fmt::format("engine '{}' is unknown; this weft has: {}, auto", name, usable));
}

std::string resolve_engine(std::string_view name, std::string_view device) {
    const EngineTraits* standard = default_engine_of(device);
    if (standard == nullptr || name == measured_engine) {
        for (const DeviceEngineTraits& one : known_device_engines()) {
            if (one.engine.name != name || host_engine(name) != nullptr) continue;
            bad_request(fmt::format("engine '{}' computes on devices; say space={} as well", name,
                                    one.device));
        }
        return resolve_engine(name);
    }
    std::string usable;
    for (const DeviceEngineTraits& one : known_device_engines()) {
        if (one.device != device) continue;
        if (name.empty() || name == one.engine.name) return std::string(one.engine.name);
        usable += fmt::format("{}{}", usable.empty() ? "" : ", ", one.engine.name);
    }
    bad_request(
        fmt::format("engine '{}' does not compute on {}; there are: {}", name, device, usable));
}

std::shared_ptr<const FftEngine> engine_on(Device* device, std::string_view name) {
    const std::string_view device_name = device == nullptr ? "" : device->name();
    const std::string resolved = resolve_engine(name, device_name);
    if (default_engine_of(device_name) == nullptr) {
        return {std::shared_ptr<const FftEngine>(), &engine(resolved)};
    }
    const DeviceKind* kind = find_device_kind(device_name);
    if (kind != nullptr && kind->engine != nullptr) return kind->engine(*device, resolved);
    throw Error(ErrorCode::not_available,
                fmt::format("device '{}' has no engines in this build", device_name));
}

const FftEngine& engine(std::string_view name) { return made(resolve_engine(name))(); }

}  // namespace weft::core
