#include "clock/simulated.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/index.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"

namespace weft::core {

namespace {

void add(StagePrice& sum, const StagePrice& one, double factor) {
    sum.work += factor * one.work;
    sum.exchange += factor * one.exchange;
    sum.hop += factor * one.hop;
}

}  // namespace

ClockedRun simulated(const Plan& plan, const Machine& machine, const SimulationOptions& options) {
    const Environment environment = environment_on(plan, machine, options.arrays);
    const Plan fused = fuse(plan, environment);
    const Placement& place = plan.placements.first();
    const bool direct = place.on_device() && place.reach == Reach::both;
    const Machine met = direct ? with_direct_links(machine) : machine;
    const Site site{met, plan.ranks, plan.choice.shrink};
    const Scripts scripts(fused, machine, environment, options.calls);
    const Folded folds =
        folded(scripts, options.fold ? Fabric(site).apart() : std::optional<int>());
    Clock clock(scripts, folds, site, options.traced);
    clock.run();
    ClockedRun result;
    result.classes = static_cast<int>(folds.stands.size());
    result.programs = scripts.different();
    result.events = clock.events();
    result.messages = clock.messages();
    result.bytes = clock.bytes();
    result.spans = clock.spans();
    result.slowest.resize(plan.stages.size());
    result.average.resize(plan.stages.size());
    for (int one = 0; one < result.classes; ++one) {
        const double part = static_cast<double>(folds.size[usize(one)]) / plan.ranks;
        result.seconds = std::max(result.seconds, clock.ended(one));
        result.mean += part * clock.ended(one);
        const std::vector<StagePrice>& stages = clock.stages(one);
        for (std::size_t i = 0; i < std::min(stages.size(), result.average.size()); ++i) {
            add(result.average[i], stages[i], part);
            if (stages[i].seconds() > result.slowest[i].seconds()) result.slowest[i] = stages[i];
        }
        if (one >= options.traced) continue;
        const int rank = folds.stands[usize(one)];
        result.traced.emplace(rank, scripts.of(rank).script->program);
    }
    return result;
}

std::string chrome_trace(const Plan& plan, const ClockedRun& simulation) {
    constexpr double microsecond = 1e6;
    nlohmann::json events = nlohmann::json::array();
    for (const TracedOperation& span : simulation.spans) {
        const Operation& operation = simulation.traced.at(span.rank).operations[span.operation];
        nlohmann::json one = {{"name", name_of(operation.purpose)},
                              {"cat", name(operation)},
                              {"ph", "X"},
                              {"pid", 0},
                              {"tid", span.rank},
                              {"ts", span.begin * microsecond},
                              {"dur", (span.end - span.begin) * microsecond},
                              {"args", {{"stage", operation.stage}}}};
        if (operation.tile) one["args"]["tile"] = *operation.tile;
        events.push_back(std::move(one));
    }
    const nlohmann::json all = {{"displayTimeUnit", "ms"},
                                {"otherData", {{"plan", to_string(plan)}}},
                                {"traceEvents", events}};
    return all.dump() + "\n";
}

}  // namespace weft::core
