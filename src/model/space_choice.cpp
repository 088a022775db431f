#include "model/space_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/devices.hpp"
#include "plan/device_memory.hpp"

namespace weft::core {

namespace {

/// Bytes of staged messages that may hop together, besides all of them.
constexpr std::array<Index, 4> piece_sizes = {Index{1} << 22, Index{1} << 20, Index{1} << 18,
                                              Index{1} << 16};

/// Where a plan may be computed.
std::vector<Placements> placements_of(const Plan& plan, const Machine& machine) {
    if (sends_from_device(plan)) return {plan.placements};
    return open_placements(plan.placements, machine);
}

/// A layout of one tile, where tiles go through it.
Layout of_a_tile(const Plan& plan, std::size_t number) {
    Layout layout = plan.at[number];
    if (!plan.pipeline) return layout;
    const Pipeline& pipeline = *plan.pipeline;
    if (number < pipeline.first_tiled || number > pipeline.last_tiled) return layout;
    for (const TileLevel& level : pipeline.levels) {
        layout = layout.tile({level.axis, level.extent, 0});
    }
    return layout;
}

/// In how many pieces the messages of each redistribution hop, as far as the plan says; 0: they do
/// not. Placements of which this is the same take the same time.
std::vector<Index> pieces_by_redistribution(const Plan& plan, const Machine& machine) {
    const Placement& place = plan.placements.first();
    const bool staged =
        machine.devices && place.on_device() && goes_staged(place.reach, *machine.devices);
    std::vector<Index> result;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) == nullptr) continue;
        const Layout from = of_a_tile(plan, i);
        const Layout to = of_a_tile(plan, i + 1);
        const Index bytes = std::max(from.largest_span(), to.largest_span()) * from.scalar.bytes();
        result.push_back(staged ? pieces_in(bytes, place.piece) : 0);
    }
    return result;
}

std::optional<PricedPlan> in_fastest_of(const std::vector<Placements>& ways, double bound,
                                        Plan plan, const Machine& machine, Arrays arrays) {
    constexpr double tie = 1 - 1.0 / 64;
    std::optional<PricedPlan> best;
    std::optional<std::vector<Index>> before;
    for (const Placements& way : ways) {
        plan.place(way);
        std::vector<Index> in_pieces = pieces_by_redistribution(plan, machine);
        if (way.on_device() && in_pieces == before) continue;
        const bool staged = !in_pieces.empty() && in_pieces.front() > 0;
        before = std::move(in_pieces);
        const PlanPrice its = price(plan, machine, arrays, bound);
        if (its.seconds() < bound) {
            best = {plan, its.seconds()};
            bound = tie * best->seconds;
        }
        // What follows does the same in smaller pieces.
        if (staged && its.busiest >= bound) break;
    }
    return best;
}

}  // namespace

std::vector<Placements> travels(const Placements& open, bool reached) {
    std::vector<Placements> result = {open};
    if (reached) result.push_back(open.with(Reach::both));
    result.push_back(open.with(Reach::host));
    for (const Index piece : piece_sizes) result.push_back(open.with(Reach::host, piece));
    return result;
}

std::vector<Placements> open_placements(const Placements& asked, const Machine& machine) {
    const bool anywhere = asked.open_device();
    if (!machine.devices) return {anywhere ? asked.on("") : asked};
    const std::string& device = anywhere ? machine.devices->kind : asked.first().device;
    const bool known = find_device(device) != nullptr;
    if (!anywhere && (!known || asked.first().reach != Reach::open)) return {asked};
    std::vector<Placements> result;
    if (anywhere) result.push_back(asked.on(""));
    if (!known) return result;
    // Direct is what a travel that is left open is predicted as; where the MPI at hand does not
    // reach the device after all, messages are staged.
    const Placements open = anywhere ? asked.on(device) : asked;
    for (const Placements& way : travels(open, machine.devices->direct.has_value())) {
        if (way.first().reach != Reach::both) result.push_back(way);
    }
    return result;
}

std::string open_space_text(const Choice& asked, const Machine& machine) {
    const Placements open(asked);
    if (!open.open_device() || open_placements(open, machine).size() > 1) return "";
    if (!machine.devices) {
        return fmt::format("space      auto is the host: {} has no devices\n", machine.name);
    }
    return fmt::format(
        "space      auto is the host: this weft has no {}; name one of {} to stand for it\n",
        machine.devices->kind, devices_text());
}

Plan in_fastest_space(Plan plan, const Machine& machine, Arrays arrays) {
    const std::vector<Placements> ways = placements_of(plan, machine);
    plan.place(ways.front());
    if (ways.size() == 1) return plan;
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const auto best = in_fastest_of(ways, unbounded, plan, machine, arrays);
    return best ? best->plan : plan;
}

std::optional<PricedPlan> in_fastest_space_below(double seconds, Plan plan, const Machine& machine,
                                                 Arrays arrays) {
    const std::vector<Placements> ways = placements_of(plan, machine);
    return in_fastest_of(ways, seconds, std::move(plan), machine, arrays);
}

}  // namespace weft::core
