// The text of a tuning; see weft/choice.hpp.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/names.hpp"
#include "plan/parts.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Seconds, `10` or `10s`.
core::Part<Tuning> limit() {
    core::Part<Tuning> part = core::part_of("limit:SECONDS", &Tuning::limit);
    part.read = [](std::string_view value, const std::string& what, Tuning& tuning) {
        if (value.ends_with('s')) value.remove_suffix(1);
        core::read_field(value, what, tuning.limit);
    };
    return part;
}

/// The arrays are the caller's own, or come from weft::allocate, which may expose them.
core::Part<Tuning> arrays() {
    return {"arrays:plain, arrays:exposed",
            [](const Tuning& tuning) {
                return tuning.plain_arrays ? std::optional<std::string>("plain") : std::nullopt;
            },
            [](std::string_view value, const std::string& what, Tuning& tuning) {
                tuning.plain_arrays = value == "plain";
                if (tuning.plain_arrays || value == "exposed") return;
                bad_request(
                    fmt::format("{}:{} is not understood; there are plain, exposed", what, value));
            }};
}

std::span<const core::Part<Tuning>> tuning_parts() {
    static const std::vector<core::Part<Tuning>> rows = {
        limit(),
        core::part_of("uses:NUMBER", &Tuning::uses),
        core::part_of("machine:NAME, machine:FILE", &Tuning::machine),
        arrays(),
        core::part_of("forward:WEIGHT", &Tuning::forward),
        core::part_of("backward:WEIGHT", &Tuning::backward),
    };
    return rows;
}

}  // namespace

std::string to_string(const Tuning& tuning) {
    const std::vector<std::string> parts = core::texts_of(tuning_parts(), tuning);
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
        core::read_parts(fmt::format("tuning={}", text), call.arguments, tuning_parts(), tuning);
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
        bad_request(fmt::format(
            "tuning={}: forward and backward are weights: 0, or from {} to {}, and not both 0",
            weft::to_string(tuning), least, most));
    }
    if (tuning.machine.find_first_of(",();=\n") != std::string::npos) {
        bad_request(
            fmt::format("tuning: the name of the machine '{}' has one of the characters , ( ) ; =, "
                        "which separate items of a text: rename the file",
                        tuning.machine));
    }
    if (tuning.limit && !(*tuning.limit >= 0)) {
        bad_request(
            fmt::format("tuning: the limit is {} seconds, but must be 0 or more", *tuning.limit));
    }
    if (tuning.uses && !(*tuning.uses >= 1)) {
        bad_request(fmt::format("tuning: the uses are {}, but must be 1 or more", *tuning.uses));
    }
    if (!has_name(tuning.effort))
        bad_request("tuning: the effort is not one of the values of its type");
}

bool estimates_for_machine(const Tuning& tuning) {
    return tuning.effort == TuningEffort::estimate && !tuning.machine.empty();
}

bool needs_ranks(const Tuning& tuning) { return tuning.effort > TuningEffort::estimate; }

}  // namespace weft::core
