#include "api/usable_engines.hpp"

#include "base/engines.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"
#include "plan/placement.hpp"

namespace weft {

namespace {

/// Those that this weft knows, whether they are there or not.
std::vector<std::string> known_engines(const core::Placement& place) {
    std::vector<std::string> result;
    if (place.own_engines) {
        for (const core::DeviceEngineTraits& one : core::known_device_engines()) {
            if (one.device == place.device) result.emplace_back(one.engine.name);
        }
        return result;
    }
    for (const core::EngineTraits& one : core::engine_table) {
        if (!one.oracle) result.emplace_back(one.name);
    }
    return result;
}

bool is_usable(const std::string& name, const core::Placement& place) {
    if (place.own_engines) return true;
    return !core::attempt([&] { (void)core::engine(name).description(); }).happened;
}

}  // namespace

std::string engine_of(const Choice& choice) {
    return core::resolve_engine(choice.engine, core::Placements(choice).first().device);
}

std::vector<std::string> usable_engines(const Choice& choice) {
    const core::Placement place = core::Placements(choice).first();
    std::vector<std::string> result = known_engines(place);
    std::erase_if(result, [&](const std::string& name) { return !is_usable(name, place); });
    return result;
}

std::vector<std::string> engines_of_all(MPI_Comm comm, const Choice& choice) {
    std::vector<std::string> known;
    std::vector<int> usable;
    core::all_or_none(comm, [&] {
        const core::Placement place = core::Placements(choice).first();
        known = known_engines(place);
        for (const std::string& name : known) usable.push_back(is_usable(name, place) ? 1 : 0);
    });
    usable = core::on_all_ranks(comm, usable);
    std::vector<std::string> result;
    core::all_or_none(comm, [&] {
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (usable[i] == 1) result.push_back(known[i]);
        }
    });
    return result;
}

}  // namespace weft
