// The text of a space; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/devices.hpp"
#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/names.hpp"
#include "plan/parts.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Of a weight that the model proposes, and of memory that devices are asked for.
constexpr std::string_view open_text = "auto";

std::string number_text(Index number, Index open) {
    return number == open ? std::string(open_text) : std::to_string(number);
}

/// Throws Error(bad_request) if it is neither `auto` nor a number from 1 on.
Index read_number(std::string_view value, const std::string& what, Index open,
                  std::string_view range) {
    if (value == open_text) return open;
    const Index number = core::parse_index(value, what);
    if (number <= 0) bad_request(fmt::format("{}{}, or auto", what, range));
    return number;
}

/// How messages travel, of staged ones with the bytes of a piece: `staged`, `staged:65536`.
core::Part<Space> travel_part(Travel travel, const char* name) {
    return {.usage = name,
            .text = [travel](const Space& space) -> std::optional<std::string> {
                const bool usual = travel == Travel::automatic && space.piece == 0;
                if (space.travel != travel || usual) return std::nullopt;
                return space.piece == 0 ? "" : std::to_string(space.piece);
            },
            .read =
                [travel](std::string_view value, const std::string& what, Space& space) {
                    space.travel = travel;
                    space.piece = core::parse_index(value, what);
                },
            .bare = [travel](Space& space) { space.travel = travel; },
            .group = "how messages travel"};
}

core::Part<Space> share_part() {
    return {"share:1of4",
            [](const Space& space) -> std::optional<std::string> {
                if (space.share.ranks == 0) return std::nullopt;
                return fmt::format("{}of{}", space.share.devices, space.share.ranks);
            },
            [](std::string_view value, const std::string& what, Space& space) {
                const auto of = value.find("of");
                if (of == std::string_view::npos) {
                    bad_request(what + " is N of P ranks, as in share:1of4");
                }
                const auto count = [&](std::string_view digits) {
                    constexpr Index most = std::numeric_limits<int>::max();
                    const Index number = core::parse_index(digits, what);
                    return static_cast<int>(std::clamp<Index>(number, -1, most));
                };
                space.share.devices = count(value.substr(0, of));
                space.share.ranks = count(value.substr(of + 2));
                if (space.share.ranks != 0) return;
                bad_request(what + " needs 2 ranks or more, as in share:1of4");
            }};
}

core::Part<Space> weight_part() {
    return {"weight:3, weight:auto",
            [](const Space& space) -> std::optional<std::string> {
                if (space.share.weight == 1) return std::nullopt;
                return number_text(space.share.weight, Share::open_weight);
            },
            [](std::string_view value, const std::string& what, Space& space) {
                space.share.weight = read_number(value, what, Share::open_weight,
                                                 fmt::format("s are 1 to {}", Share::most_weight));
            }};
}

core::Part<Space> memory_part() {
    return {"memory:BYTES, memory:auto",
            [](const Space& space) -> std::optional<std::string> {
                if (space.memory == 0) return std::nullopt;
                return number_text(space.memory, Space::open_memory);
            },
            [](std::string_view value, const std::string& what, Space& space) {
                space.memory =
                    read_number(value, what, Space::open_memory, ": at least 1 byte is needed");
            }};
}

std::span<const core::Part<Space>> space_parts() {
    static const std::vector<core::Part<Space>> rows = [] {
        std::vector<core::Part<Space>> parts;
        for (const auto& [travel, name] : core::names_of<Travel>) {
            parts.push_back(travel_part(travel, name));
        }
        parts.push_back(memory_part());
        parts.push_back(share_part());
        parts.push_back(weight_part());
        return parts;
    }();
    return rows;
}

}  // namespace

std::string to_string(const Space& space) {
    if (space.device.empty()) return "host";
    const std::vector<std::string> parts = core::texts_of(space_parts(), space);
    return parts.empty() ? space.device
                         : fmt::format("{}({})", space.device, fmt::join(parts, ","));
}

Space parse_space(std::string_view text) {
    const core::Call call = core::parse_call(text);
    if (call.name.empty()) bad_request("space '' is unknown; `weft info` lists the devices");
    Space space;
    if (call.name != "host") space.device = call.name;
    if (call.has_arguments) {
        core::read_parts(fmt::format("space={}", text), call.arguments, space_parts(), space);
    }
    core::validate(space);
    return space;
}

}  // namespace weft

namespace weft::core {

namespace {

/// Why the ranks cannot be shared between the host and devices so; empty if they can.
std::string why_not_share(const Space& space) {
    const Share& share = space.share;
    if (share.ranks == 0) {
        if (share.devices != 0) return "a share needs 2 ranks or more, as in share:1of4";
        return share.weight == 1 ? "" : "a weight needs a share of the ranks, as in share:1of4";
    }
    if (space.device == open_space) return "auto takes all ranks; name the device to share them";
    if (share.devices < 1 || share.ranks < 1) return "a share needs at least 1 rank";
    if (share.devices > share.ranks) {
        return fmt::format("there are no {} of {} ranks", share.devices, share.ranks);
    }
    if (share.devices == share.ranks) {
        return "all ranks compute on the device, and none on the host; leave out share";
    }
    const bool is_open = share.weight == Share::open_weight;
    if (!is_open && (share.weight < 1 || share.weight > Share::most_weight)) {
        return fmt::format("weights are 1 to {}, or auto", Share::most_weight);
    }
    return "";
}

}  // namespace

void validate(const Space& space) {
    const auto refuse = [&](std::string_view why) {
        bad_request(fmt::format("space={}: {}", weft::to_string(space), why));
    };
    if (!has_name(space.travel)) refuse("the travel is not one of the values of its type");
    if (space.device.empty() && space.share != Share{}) {
        refuse("all ranks compute on the host; name the device of the share");
    }
    if (space.device.empty() && space != Space{})
        refuse("messages of the host always travel directly; name a device, or leave out the list");
    const bool open = space.device == open_space;
    if (open && space.travel != Travel::automatic) {
        refuse("auto leaves open how messages travel; name the device to say it");
    }
    if (!open && !space.device.empty() && !find_device(space.device)) {
        refuse(fmt::format("there are host, {}; auto is whichever is faster", devices_text()));
    }
    if (const std::string why = why_not_share(space); !why.empty()) refuse(why);
    if (space.piece < 0) refuse("pieces have at least 1 byte; 0 sends each message whole");
    if (space.piece > 0 && space.travel != Travel::staged)
        refuse("only staged messages are sent in pieces");
    if (space.memory < 0 && space.memory != Space::open_memory) {
        refuse("memory: at least 1 byte is needed, or auto");
    }
    if (space.memory == 0) return;
    if (open) refuse("auto takes all of a device's memory; name the device to bound it");
    if (space.travel != Travel::automatic) {
        refuse(
            "with memory: values stay in the host's memory, so neither direct nor staged "
            "applies");
    }
}

}  // namespace weft::core
