// The text of a space; see weft/choice.hpp.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/devices.hpp"
#include "base/names.hpp"
#include "base/text.hpp"
#include "plan/choice.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

constexpr core::Names<Travel, 3> travel_names = {
    {{Travel::automatic, "auto"}, {Travel::direct, "direct"}, {Travel::staged, "staged"}}};

}  // namespace

std::string to_string(const Space& space) {
    if (space.device.empty()) return "host";
    if (space.memory != 0) return fmt::format("{}(memory:{})", space.device, space.memory);
    if (space.travel == Travel::automatic) return space.device;
    const std::string travel = core::name_in(travel_names, space.travel).value_or("?");
    if (space.piece == 0) return fmt::format("{}({})", space.device, travel);
    return fmt::format("{}({}:{})", space.device, travel, space.piece);
}

Space parse_space(std::string_view text) {
    const core::Call call = core::parse_call(text);
    if (call.name.empty()) bad_request("space '' is unknown; `weft info` lists the devices");
    Space space;
    if (call.name != "host") space.device = call.name;
    if (call.has_arguments) {
        const std::vector<std::string> words = core::split(call.arguments, ':');
        const bool bounded = words.front() == "memory";
        if (!bounded) space.travel = core::value_in(travel_names, words.front(), "space");
        if (words.size() > 2 || (bounded && words.size() == 1)) {
            bad_request(
                fmt::format("space={}: there is one number, as in staged:65536 and "
                            "memory:1073741824",
                            text));
        }
        if (words.size() == 2) {
            (bounded ? space.memory : space.piece) = core::parse_index(words[1], "space");
        }
        if (bounded && space.memory == 0) {
            bad_request(fmt::format("space={}: memory has a byte or more", text));
        }
    }
    core::validate(space);
    return space;
}

}  // namespace weft

namespace weft::core {

void validate(const Space& space) {
    const auto refuse = [&](std::string_view why) {
        bad_request(fmt::format("space={}: {}", weft::to_string(space), why));
    };
    if (!name_in(travel_names, space.travel)) refuse("the travel is none of its type");
    if (space.device.empty() && space != Space{}) refuse("the host's messages travel directly");
    const bool open = space.device == open_space;
    if (open && space.travel != Travel::automatic) {
        refuse("auto leaves open how messages travel; name the device to say it");
    }
    if (!open && !space.device.empty() && !find_device(space.device)) {
        refuse(fmt::format("there are host, {}; auto is whichever is faster", devices_text()));
    }
    if (space.piece < 0) refuse("pieces have 0 bytes, which is all, or more");
    if (space.piece > 0 && space.travel != Travel::staged) refuse("pieces are of staged messages");
    if (space.memory < 0) refuse("memory has a byte or more");
    if (space.memory == 0) return;
    if (open) refuse("auto takes all of a device's memory; name the device to bound it");
    if (space.travel != Travel::automatic) refuse("with memory messages are the host's anyhow");
}

}  // namespace weft::core
