#include "api/usable_engines.hpp"

#include <algorithm>

#include "base/engines.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"

namespace weft {

namespace {

/// Those that this weft knows for the space, whether they are there or not.
std::vector<std::string> known_engines(const Space& space) {
    std::vector<std::string> result;
    if (core::default_engine_of(space.device) != nullptr) {
        for (const core::DeviceEngineTraits& one : core::device_engine_table) {
            if (one.device == space.device) result.emplace_back(one.engine.name);
        }
        return result;
    }
    for (const core::EngineInfo& info : core::engines()) {
        if (info.name != "reference") result.emplace_back(info.name);
    }
    return result;
}

bool is_usable(const std::string& name, const Space& space) {
    if (core::default_engine_of(space.device) != nullptr) return true;
    return !core::attempt([&] { (void)core::engine(name).description(); }).happened;
}

}  // namespace

std::vector<std::string> usable_engines(const Space& space) {
    std::vector<std::string> result = known_engines(space);
    std::erase_if(result, [&](const std::string& name) { return !is_usable(name, space); });
    return result;
}

std::vector<std::string> engines_of_all(MPI_Comm comm, const Space& space) {
    std::vector<std::string> known;
    std::vector<int> usable;
    core::all_or_none(comm, [&] {
        known = known_engines(space);
        for (const std::string& name : known) usable.push_back(is_usable(name, space) ? 1 : 0);
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
