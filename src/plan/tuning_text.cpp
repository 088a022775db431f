// The text of a tuning; see weft/choice.hpp.
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/names.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

void set(Tuning& tuning, const std::string& part, std::string_view text) {
    const std::size_t colon = part.find(':');
    const std::string name(core::trim(part.substr(0, colon)));
    std::string value(colon == std::string::npos ? "" : core::trim(part.substr(colon + 1)));
    const std::string what = fmt::format("tuning={}: {}", text, name);
    if (name == "limit") {
        if (value.ends_with('s')) value.pop_back();
        tuning.limit = core::parse_real(value, what);
        if (*tuning.limit < 0) bad_request(fmt::format("{} {}: seconds, 0 or more", what, value));
    } else if (name == "machine" && !value.empty()) {
        tuning.machine = value;
    } else if (name == "arrays" && (value == "plain" || value == "exposed")) {
        tuning.plain_arrays = value == "plain";
    } else if (name == "forward" || name == "backward") {
        (name == "forward" ? tuning.forward : tuning.backward) = core::parse_real(value, what);
    } else {
        bad_request(fmt::format(
            "tuning={}: '{}' is not understood; there are limit:SECONDS, machine:NAME, "
            "machine:FILE, arrays:plain, arrays:exposed, forward:WEIGHT, backward:WEIGHT",
            text, part));
    }
}

}  // namespace

std::string to_string(const Tuning& tuning) {
    std::vector<std::string> parts;
    if (tuning.limit) parts.push_back("limit:" + core::real_text(*tuning.limit));
    if (!tuning.machine.empty()) parts.push_back("machine:" + tuning.machine);
    if (tuning.plain_arrays) parts.emplace_back("arrays:plain");
    if (tuning.forward != 1) parts.push_back("forward:" + core::real_text(tuning.forward));
    if (tuning.backward != 1) parts.push_back("backward:" + core::real_text(tuning.backward));
    const std::string effort = to_string(tuning.effort);
    return parts.empty() ? effort : fmt::format("{}({})", effort, fmt::join(parts, ","));
}

Tuning parse_tuning(std::string_view text) {
    const core::Call call = core::parse_call(text);
    const auto effort = core::find_value<TuningEffort>(call.name);
    if (!effort) {
        bad_request(fmt::format("tuning '{}' is unknown; there are {}", call.name,
                                core::list_of_names<TuningEffort>()));
    }
    Tuning tuning{*effort};
    if (call.has_arguments) {
        std::set<std::string> said;
        for (const std::string& part : core::split(call.arguments, ',')) {
            set(tuning, part, text);
            const std::string name(core::trim(part.substr(0, part.find(':'))));
            if (!said.insert(name).second) {
                bad_request(fmt::format("tuning={}: {} is said twice", text, name));
            }
        }
    }
    core::validate(tuning);
    return tuning;
}

}  // namespace weft

namespace weft::core {

void validate(const Tuning& tuning) {
    // Sums of weighted times stay exact enough; numbers that are none fit neither.
    constexpr double least = 1e-6;
    constexpr double most = 1e6;
    const auto fits = [](double weight) {
        return weight == 0 || (weight >= least && weight <= most);
    };
    if (!fits(tuning.forward) || !fits(tuning.backward) || tuning.forward + tuning.backward == 0) {
        bad_request(
            fmt::format("tuning={}: forward and backward say how much each direction "
                        "counts: 0, or from {} to {}, and not both 0",
                        weft::to_string(tuning), least, most));
    }
    if (tuning.machine.find_first_of(",();=\n") != std::string::npos) {
        bad_request(
            fmt::format("tuning: the machine '{}' has one of the characters , ( ) ; =, "
                        "which its text cannot have: rename the file",
                        tuning.machine));
    }
    if (tuning.limit && !(*tuning.limit >= 0)) {
        bad_request(
            fmt::format("tuning: the limit is {} seconds, and has to be 0 or more", *tuning.limit));
    }
    if (!has_name(tuning.effort)) bad_request("tuning: the effort is none of its type");
}

bool estimates_for_machine(const Tuning& tuning) {
    return tuning.effort == TuningEffort::estimate && !tuning.machine.empty();
}

bool needs_ranks(const Tuning& tuning) { return tuning.effort > TuningEffort::estimate; }

}  // namespace weft::core
