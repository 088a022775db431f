// The text of a space; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/devices.hpp"
#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/names.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Of a weight that the model proposes.
constexpr std::string_view open_weight_text = "auto";

[[noreturn]] void refuse(std::string_view space, std::string_view why) {
    bad_request(fmt::format("space={}: {}", space, why));
}

/// `memory:1073741824`, `staged`, `staged:65536`; empty where nothing is said.
std::string travel_text(const Space& space) {
    if (space.memory != 0) return fmt::format("memory:{}", space.memory);
    const std::string travel = core::name_of(space.travel);
    if (space.piece != 0) return fmt::format("{}:{}", travel, space.piece);
    return space.travel == Travel::automatic ? "" : travel;
}

/// `share:1of4`.
void parse_share(std::string_view text, std::string_view word, Share& share) {
    const auto of = word.find("of");
    if (of == std::string_view::npos) {
        refuse(text, "a share is so many of so many ranks, as in share:1of4");
    }
    const auto count = [&](std::string_view digits) {
        const Index number = core::parse_index(digits, "space");
        return static_cast<int>(std::clamp<Index>(number, -1, std::numeric_limits<int>::max()));
    };
    share.devices = count(word.substr(0, of));
    share.ranks = count(word.substr(of + 2));
    if (share.ranks == 0) refuse(text, "a share is of 2 ranks or more, as in share:1of4");
}

/// Whether it is a word with a number of its own, not one of how messages travel.
bool is_named(std::string_view name) {
    return name == "memory" || name == "share" || name == "weight";
}

/// One of the words in the parentheses.
void parse_word(std::string_view text, const std::string& word, Space& space) {
    const std::vector<std::string> parts = core::split(word, ':');
    const std::string& name = parts.front();
    const bool named = is_named(name);
    if (!named) space.travel = core::named_value<Travel>(name, "space");
    if (parts.size() > 2 || (named && parts.size() == 1)) {
        refuse(text,
               "each word has one number, as in staged:65536, memory:1073741824, share:1of4 and "
               "weight:3");
    }
    if (parts.size() == 1) return;
    if (name == "weight" && parts[1] == open_weight_text) {
        space.share.weight = Share::open_weight;
        return;
    }
    if (name == "share") return parse_share(text, parts[1], space.share);
    const Index number = core::parse_index(parts[1], "space");
    if (name == "weight" && number == Share::open_weight) {
        refuse(text, fmt::format("weights are 1 to {}, or auto", Share::most_weight));
    }
    if (name == "memory" && number == 0) refuse(text, "memory has a byte or more");
    (name == "memory"   ? space.memory
     : name == "weight" ? space.share.weight
                        : space.piece) = number;
}

}  // namespace

std::string to_string(const Space& space) {
    if (space.device.empty()) return "host";
    std::vector<std::string> words;
    if (std::string travel = travel_text(space); !travel.empty()) words.push_back(travel);
    const Share& share = space.share;
    if (share.ranks != 0) words.push_back(fmt::format("share:{}of{}", share.devices, share.ranks));
    if (share.weight == Share::open_weight) {
        words.push_back(fmt::format("weight:{}", open_weight_text));
    } else if (share.weight != 1) {
        words.push_back(fmt::format("weight:{}", share.weight));
    }
    if (words.empty()) return space.device;
    return fmt::format("{}({})", space.device, fmt::join(words, ","));
}

Space parse_space(std::string_view text) {
    const core::Call call = core::parse_call(text);
    if (call.name.empty()) bad_request("space '' is unknown; `weft info` lists the devices");
    Space space;
    if (call.name != "host") space.device = call.name;
    if (call.has_arguments) {
        std::vector<std::string> seen;
        for (const std::string& word : core::split(call.arguments, ',')) {
            const std::string name = core::split(word, ':').front();
            seen.push_back(is_named(name) ? name : "how messages travel");
            if (std::count(seen.begin(), seen.end(), seen.back()) > 1) {
                refuse(text, seen.back() + " is said twice");
            }
            parse_word(text, word, space);
        }
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
        if (share.devices != 0) return "a share is of 2 ranks or more, as in share:1of4";
        return share.weight == 1 ? "" : "a weight is of a share of the ranks, as in share:1of4";
    }
    if (space.device == open_space) return "auto takes all ranks; name the device to share them";
    if (share.devices < 1 || share.ranks < 1) return "a share has a rank or more";
    if (share.devices > share.ranks) {
        return fmt::format("there are no {} of {} ranks", share.devices, share.ranks);
    }
    if (share.devices == share.ranks) {
        return "all ranks compute on the device, so none shares with them; leave out share";
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
    if (!has_name(space.travel)) refuse("the travel is none of its type");
    if (space.device.empty() && space.share != Share{}) {
        refuse("all ranks are the host's; name the device of a share of them");
    }
    if (space.device.empty() && space != Space{}) refuse("the host's messages travel directly");
    const bool open = space.device == open_space;
    if (open && space.travel != Travel::automatic) {
        refuse("auto leaves open how messages travel; name the device to say it");
    }
    if (!open && !space.device.empty() && !find_device(space.device)) {
        refuse(fmt::format("there are host, {}; auto is whichever is faster", devices_text()));
    }
    if (const std::string why = why_not_share(space); !why.empty()) refuse(why);
    if (space.piece < 0) refuse("pieces have 0 bytes, which is all, or more");
    if (space.piece > 0 && space.travel != Travel::staged) refuse("pieces are of staged messages");
    if (space.memory < 0) refuse("memory has a byte or more");
    if (space.memory == 0) return;
    if (open) refuse("auto takes all of a device's memory; name the device to bound it");
    if (space.travel != Travel::automatic) refuse("with memory messages are the host's anyhow");
}

}  // namespace weft::core
