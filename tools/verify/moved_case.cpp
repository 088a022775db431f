// Random problems on a device, on some of the ranks, or in a bound of memory.
#include <algorithm>
#include <string>
#include <vector>

#include "base/engines.hpp"
#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "plan/device_memory.hpp"
#include "plan/placement.hpp"
#include "plan/problem.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

/// The host's engines gather lines for what those of devices cannot read or write, if all lines are
/// where they work.
void make_unfused(RandomCase& one) {
    one.choice.pack = Pack::automatic;
    const auto fuses = [](const std::string& via) {
        return !via.empty() && parse_via(via).how().packing == Packing::region;
    };
    if (fuses(one.choice.via)) one.choice.via.clear();
    std::erase_if(one.choice.via_of_redistribution,
                  [&](const auto& redistribution) { return fuses(redistribution.second); });
}

/// If there is no plan for it any more, leaves more to the planner: its path first.
void make_plain(RandomCase& one, int ranks) {
    if (fits(one, ranks)) return;
    one.choice.decomposition = {};
    if (fits(one, ranks)) return;
    one.choice.via_of_redistribution.clear();
    one.choice.tile.reset();
}

/// A share leaves a rank to the host, and goes with balanced cuts and process grids that carry its
/// weights.
void make_shared(RandomCase& one, int ranks) {
    Space& space = one.choice.space;
    if (ranks <= space.share.devices) space.share = {};
    if (Placements(one.choice).split(one.problem.cut).even()) return;
    one.problem.cut = CutRule::balanced;
    make_plain(one, ranks);
}

}  // namespace

void move_to(const Space& space, Random& random, RandomCase& one, int ranks) {
    one.choice.space = space;
    make_shared(one, ranks);
    const bool own = Placements(one.choice).first().own_engines;
    if (own && has_real_to_real(one.problem)) {  // for which devices have no engine
        if (one.problem.kind == Kind::r2r) one.problem.kind = Kind::c2c;
        const int r2c_axis = r2c_axis_of(one.problem);
        one.problem.kinds.clear();
        one.problem.r2c_axis = r2c_axis;
    }
    if (own && keeps_part(one.problem)) {  // nor for a part of lines
        one.problem.modes.clear();
        one.problem.even_modes = EvenModes::split;
        one.problem.inside.clear();
        one.problem.in = one.problem.out = {};
    }
    cover_ends(one.problem);       // which only the host can clear
    one.choice.wire = Wire::same;  // which only the host can round to
    if (!own && space.memory == 0) return make_plain(one, ranks);
    if (own) {
        std::vector<std::string> names;
        for (const DeviceEngineTraits& each : known_device_engines()) {
            if (each.device == space.device) names.emplace_back(each.engine.name);
        }
        one.choice.engine = random.pick(names);
    }
    if (!fits(one, ranks)) make_unfused(one);
    // One that fuses nothing goes with whatever there is.
    for (const DeviceEngineTraits& each : known_device_engines()) {
        if (each.device != space.device || each.engine.fuses || fits(one, ranks)) continue;
        one.choice.engine = each.engine.name;
    }
    // A path that leaves an axis out, of kind none before, does not do where it is transformed.
    make_plain(one, ranks);
    if (space.memory > 0) {
        Index& memory = one.choice.space.memory;
        memory = std::max(memory, least_memory(default_plan(one.problem, one.choice, ranks)));
    }
}

}  // namespace weft::core
