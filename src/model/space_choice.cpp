#include "model/space_choice.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/devices.hpp"
#include "plan/choice.hpp"

namespace weft::core {

namespace {

/// Bytes of staged messages that may hop together, besides all of them.
constexpr std::array<Index, 4> pieces = {Index{1} << 22, Index{1} << 20, Index{1} << 18,
                                         Index{1} << 16};

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
    for (const Index piece : pieces) add(Travel::staged, piece);
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
    if (sends_from_device(plan)) return plan;
    const std::vector<Space> spaces = open_spaces(plan.choice.space, machine);
    plan.choice.space = spaces.front();
    if (spaces.size() == 1) return plan;
    constexpr double tie = 1 - 1.0 / 64;
    double least = price(plan, machine, arrays).seconds();
    Space best = spaces.front();
    for (std::size_t i = 1; i < spaces.size(); ++i) {
        plan.choice.space = spaces[i];
        const double seconds = price(plan, machine, arrays).seconds();
        if (seconds >= tie * least) continue;
        least = seconds;
        best = spaces[i];
    }
    plan.choice.space = best;
    return plan;
}

}  // namespace weft::core
