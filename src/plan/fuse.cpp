#include "plan/fuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "plan/accesses.hpp"
#include "plan/carriers.hpp"
#include "plan/device_memory.hpp"
#include "plan/placement.hpp"

namespace weft::core {

namespace {

using Reason = std::optional<std::string>;

bool reads_regions(const Plan& plan, std::size_t stage) {
    const RedistributionStage* one = redistribution_at(plan, stage);
    return one != nullptr && one->via.how().packing == Packing::region;
}

Reason why_not_region(const Plan& plan, std::size_t stage, const Environment& environment) {
    if (!reads_regions(plan, stage)) {
        return fmt::format("via={} sends messages; via=shared reads regions",
                           to_string(redistribution_at(plan, stage)->via));
    }
    const Placements& placements = plan.placements;
    const Placement& place = placements.first();
    if (place.on_device() && place.reach != Reach::both) {
        return fmt::format(
            "space={}: only memory of devices from which messages go directly is "
            "shared between ranks",
            placements.text());
    }
    if (placements.mixed()) {
        return fmt::format("space={}: ranks of the host read no memory of the device",
                           placements.text());
    }
    if (place.on_device() && !environment.device_regions) {
        return fmt::format("ranks of a node cannot open each other's memory on {}", place.device);
    }
    if (!environment.regions) return "there is no room for memory that ranks of a node share";
    return {};
}

/// Smaller arrays of weft::allocate (api/transform.cpp) would take a page for little.
Reason not_exposed(std::string_view end) {
    return fmt::format(
        "the {} arrays are not exposed to other ranks, as those of weft::allocate from 65536 bytes "
        "on are; give such arrays on all ranks",
        end);
}

/// Direct access by the transform behind the first stage, which reads the input arrays of others.
Reason why_not_read_inputs(const Plan& plan, const Environment& environment) {
    if (transform_at(plan, 1) == nullptr) return "no transform follows that would read the arrays";
    if (plan.problem.in_place || plan.problem.may_destroy_input) {
        return "the input arrays change before all ranks have read them";
    }
    if (!environment.input_exposed) {
        return not_exposed("input");
    }
    return {};
}

/// Direct access by the transform before the last stage, which writes the output arrays of others.
Reason why_not_write_outputs(const Plan& plan, const Environment& environment) {
    const std::size_t stages = plan.stages.size();
    if (transform_at(plan, stages - 2) == nullptr) {
        return "no transform precedes that would write the arrays";
    }
    if (stages == 2 ? plan.problem.in_place : !reads_regions(plan, stages - 3)) {
        return "the transform would overwrite its own input";
    }
    if (!environment.output_exposed) {
        return not_exposed("output");
    }
    return {};
}

Reason why_not_direct(const Plan& plan, std::size_t stage, const Environment& environment) {
    if (Reason reason = why_not_region(plan, stage, environment)) return reason;
    if (plan.placements.on_device()) return "arrays on devices are not exposed to others";
    if (plan.pipeline) return "tiles travel as messages";
    if (!environment.nodes.one_node()) return "the ranks are on several nodes";
    if (plan.at[stage].where.sparse() || plan.at[stage + 1].where.sparse()) {
        return "an end leaves elements out, so the data for a rank consists of many boxes";
    }
    const bool last = stage + 1 == plan.stages.size();
    if (plan.stages.size() == 1 || (stage != 0 && !last)) {
        return "only the first and the last stage can use the caller's arrays; with another in= or "
               "out= the plan begins or ends with a redistribution";
    }
    if (last) return why_not_write_outputs(plan, environment);
    // A single transform between two redistributions writes outputs, if it can, and reads regions.
    const bool writes_outputs = plan.stages.size() == 3 && redistribution_at(plan, 2) != nullptr &&
                                !why_not(plan, 2, Carrier::direct, environment);
    if (writes_outputs) return "the transform behind it has direct access to the output arrays";
    return why_not_read_inputs(plan, environment);
}

/// The first of these that is possible is taken; messages always are.
constexpr std::array preferred_carriers = {Carrier::direct, Carrier::region, Carrier::messages};

Carrier best_carrier(const Plan& plan, std::size_t stage, const Environment& environment) {
    return *std::find_if(
        preferred_carriers.begin(), preferred_carriers.end(),
        [&](Carrier carrier) { return !why_not(plan, stage, carrier, environment); });
}

void choose_carriers(Plan& plan, const Environment& environment) {
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        auto* one = std::get_if<RedistributionStage>(&plan.stages[stage]);
        if (one == nullptr) continue;
        if (one->carrier == Carrier::automatic) {
            one->carrier = best_carrier(plan, stage, environment);
        } else if (const Reason reason = why_not(plan, stage, one->carrier, environment)) {
            bad_request(fmt::format(
                "carrier={} of stage {}: {}; leave carrier out, and weft takes one that fits",
                weft::to_string(one->carrier), stage, *reason));
        }
    }
}

/// Whether nothing but regions on the device carries that stage's redistribution, if messages of
/// the plan are direct.
bool stays_on_node(const Plan& plan, std::size_t stage, const Environment& environment) {
    const Carrier carrier = redistribution_at(plan, stage)->carrier;
    return reads_regions(plan, stage) && environment.device_regions && environment.regions &&
           environment.nodes.one_node() && carrier != Carrier::messages;
}

/// Throws if the memory that is bounded is not what the plan works in.
void check_bound(const Plan& plan, const Environment& environment) {
    if (sends_from_device(plan)) {
        plan.placements.refuse(
            fmt::format("with memory: messages are sent from the host's memory, from which via={} "
                        "does not send; leave out via, or memory",
                        name_of(Carries::device)));
    }
    if (environment.device_arrays) {
        plan.placements.refuse("the arrays are the device's already; leave out memory");
    }
    require_room_for_lines(plan);
}

/// Says whose memory messages leave from, as the environment allows.
void settle_reach(Plan& plan, const Environment& environment) {
    const Placements& asked = plan.placements;
    if (asked.open_device()) {
        asked.refuse("no model has chosen between the host and a device; name one");
    }
    if (asked.open_weight()) asked.refuse("no model has chosen the weight; name one");
    if (asked.first().memory > 0) check_bound(plan, environment);
    if (asked.first().reach == Reach::open) {
        const bool direct = environment.mpi_reaches_device || sends_from_device(plan);
        plan.place(asked.with(direct ? Reach::both : Reach::host));
    }
    const Placement& place = plan.placements.first();
    if (place.reach != Reach::both || environment.mpi_reaches_device ||
        leaves_without_mpi(plan, environment)) {
        return;
    }
    if (sends_from_device(plan)) {
        bad_request(fmt::format(
            "space={}: this MPI does not reach the memory of {}, but some redistributions use MPI "
            "and others do not; take via={} for all redistributions or for none",
            place.device, place.device, name_of(Carries::device)));
    }
    plan.placements.refuse(
        fmt::format("this MPI does not reach the memory of {}; say {}(staged), or {} alone, to "
                    "stage messages through the host's memory",
                    place.device, place.device, place.device));
}

/// Whether fuse() would have that stage's redistribution access arrays directly, or try to.
bool may_be_direct(const Plan& plan, std::size_t stage, const Environment& environment) {
    const RedistributionStage* one = redistribution_at(plan, stage);
    if (one == nullptr) return false;
    if (one->carrier != Carrier::automatic) return one->carrier == Carrier::direct;
    return !why_not(plan, stage, Carrier::direct, environment);
}

}  // namespace

bool asks_for_regions(const Plan& plan) {
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        if (reads_regions(plan, stage)) return true;
    }
    return false;
}

bool leaves_without_mpi(const Plan& plan, const Environment& environment) {
    bool any = false;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const RedistributionStage* one = redistribution_at(plan, stage);
        if (one == nullptr) continue;
        const bool device = transport(message_transport(one->via)).carries == Carries::device;
        if (!device && !stays_on_node(plan, stage, environment)) return false;
        any = true;
    }
    return any;
}

Reason why_not(const Plan& plan, std::size_t stage, Carrier carrier,
               const Environment& environment) {
    switch (carrier) {
        case Carrier::automatic:
        case Carrier::messages:
            return {};
        case Carrier::region:
            return why_not_region(plan, stage, environment);
        case Carrier::direct:
            return why_not_direct(plan, stage, environment);
    }
    return {};
}

Plan fuse(Plan plan, const Environment& environment) {
    settle_reach(plan, environment);
    choose_carriers(plan, environment);
    return set_line_axes(set_accesses(record_carriers(std::move(plan))));
}

std::string why_text(const Plan& plan, const Environment& environment) {
    const Plan fused = fuse(plan, environment);
    std::string text;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const RedistributionStage* one = redistribution_at(fused, stage);
        if (one == nullptr) continue;
        const bool asked = redistribution_at(plan, stage)->carrier != Carrier::automatic;
        text += fmt::format("why        stage {}: carrier {}{}\n", stage,
                            weft::to_string(one->carrier), asked ? ", as is asked for" : "");
        for (const Carrier better : preferred_carriers) {
            if (asked || better == one->carrier) break;
            text += fmt::format("           not {}: {}\n", weft::to_string(better),
                                *why_not(plan, stage, better, environment));
        }
    }
    return text;
}

Environment environment_of(const Plan& plan, const Topology& nodes) {
    Environment environment{nodes, true, is_direct(plan, 0),
                            is_direct(plan, plan.stages.size() - 1)};
    // As a plan that says so was bound.
    environment.mpi_reaches_device = plan.placements.first().reach == Reach::both;
    environment.device_regions = environment.mpi_reaches_device && !plan.placements.mixed();
    return environment;
}

bool wants_input_exposed(const Plan& plan, Environment environment) {
    environment.input_exposed = true;
    return may_be_direct(plan, 0, environment);
}

bool wants_output_exposed(const Plan& plan, Environment environment) {
    environment.output_exposed = true;
    return may_be_direct(plan, plan.stages.size() - 1, environment);
}

}  // namespace weft::core
