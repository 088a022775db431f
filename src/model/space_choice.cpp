#include "model/space_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/devices.hpp"
#include "plan/choice.hpp"
#include "plan/device_memory.hpp"

namespace weft::core {

namespace {

/// Bytes of staged messages that may hop together, besides all of them.
constexpr std::array<Index, 4> piece_sizes = {Index{1} << 22, Index{1} << 20, Index{1} << 18,
                                              Index{1} << 16};

/// The spaces that a plan may be in.
std::vector<Space> spaces_of(const Plan& plan, const Machine& machine) {
    if (sends_from_device(plan)) return {plan.choice.space};
    return open_spaces(plan.choice.space, machine);
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

/// In how many pieces the messages of each redistribution hop, as far as a space says; 0: they do
/// not. Spaces of which this is the same take the same time.
std::vector<Index> pieces_by_move(const Plan& plan, const Machine& machine) {
    const Space& space = plan.choice.space;
    const bool staged =
        machine.devices && !space.device.empty() && goes_staged(space, *machine.devices);
    std::vector<Index> result;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) == nullptr) continue;
        const Layout from = of_a_tile(plan, i);
        const Layout to = of_a_tile(plan, i + 1);
        const Index bytes = std::max(from.largest_span(), to.largest_span()) * from.scalar.bytes();
        result.push_back(staged ? pieces_in(bytes, space.piece) : 0);
    }
    return result;
}

std::optional<PricedPlan> in_fastest_of(const std::vector<Space>& spaces, double bound, Plan plan,
                                        const Machine& machine, Arrays arrays) {
    constexpr double tie = 1 - 1.0 / 64;
    std::optional<PricedPlan> best;
    std::optional<std::vector<Index>> before;
    for (const Space& space : spaces) {
        plan.choice.space = space;
        std::vector<Index> in_pieces = pieces_by_move(plan, machine);
        if (!space.device.empty() && in_pieces == before) continue;
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

std::vector<Space> travels(const Space& open, bool reached) {
    std::vector<Space> result = {open};
    const auto add = [&](Travel travel, Index piece) {
        result.push_back(open);
        result.back().travel = travel;
        result.back().piece = piece;
    };
    if (reached) add(Travel::direct, 0);
    add(Travel::staged, 0);
    for (const Index piece : piece_sizes) add(Travel::staged, piece);
    return result;
}

std::vector<Space> open_spaces(const Space& asked, const Machine& machine) {
    const bool anywhere = asked.device == open_space;
    if (!machine.devices) return {anywhere ? Space{} : asked};
    const std::string& device = anywhere ? machine.devices->kind : asked.device;
    const bool known = !device.empty() && find_device(device) != nullptr;
    const bool says_how = asked.travel != Travel::automatic || asked.memory > 0;
    if (!anywhere && (!known || says_how)) return {asked};
    std::vector<Space> result;
    if (anywhere) result.emplace_back();
    if (!known) return result;
    // Direct is what a travel that is left open is predicted as; where the MPI at hand does not
    // reach the device after all, messages are staged.
    const Space open = anywhere ? Space{device} : asked;
    for (const Space& space : travels(open, machine.devices->direct.has_value())) {
        if (space.travel != Travel::direct) result.push_back(space);
    }
    return result;
}

std::string open_space_text(const Space& asked, const Machine& machine) {
    if (asked.device != open_space || open_spaces(asked, machine).size() > 1) return "";
    if (!machine.devices) {
        return fmt::format("space      auto is the host: {} has no devices\n", machine.name);
    }
    return fmt::format(
        "space      auto is the host: this weft has no {}; name one of {} to stand for it\n",
        machine.devices->kind, devices_text());
}

Plan in_fastest_space(Plan plan, const Machine& machine, Arrays arrays) {
    const std::vector<Space> spaces = spaces_of(plan, machine);
    plan.choice.space = spaces.front();
    if (spaces.size() == 1) return plan;
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const auto best = in_fastest_of(spaces, unbounded, plan, machine, arrays);
    return best ? best->plan : plan;
}

std::optional<PricedPlan> in_fastest_space_below(double seconds, Plan plan, const Machine& machine,
                                                 Arrays arrays) {
    const std::vector<Space> spaces = spaces_of(plan, machine);
    return in_fastest_of(spaces, seconds, std::move(plan), machine, arrays);
}

}  // namespace weft::core
