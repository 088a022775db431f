// The text of a tiling; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/names.hpp"
#include "weft/choice.hpp"

namespace weft {

namespace {

using core::bad_request;

TileProgress parse_progress(const std::string& value) {
    if (const auto progress = core::find_value<TileProgress>(value)) return *progress;
    bad_request(fmt::format("tile: progress:{} is not understood; there are {}", value,
                            core::list_of_names<TileProgress>()));
}

std::string axis_text(int axis) {
    return axis == Decomposition::batch_axis ? "b" : std::to_string(axis);
}

bool parse_number(const core::TileNumber& number, std::string_view name, const std::string& value,
                  Tiling& tiling) {
    if (name != number.name) return false;
    tiling.*number.value = core::parse_index(value, fmt::format("tile: {}", name));
    if (tiling.*number.value < number.least) {
        bad_request(fmt::format("tile: {}:{}: at least {}", name, value, number.least));
    }
    return true;
}

void parse_part(const std::string& part, Tiling& tiling) {
    const std::size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    const std::string value = colon == std::string::npos ? "" : part.substr(colon + 1);
    if (name == "axis") {
        tiling.axis = value == "b" ? Decomposition::batch_axis : core::parse_int(value, "axis");
        if (value != "b" && *tiling.axis < 0) {
            bad_request(fmt::format("tile: axis:{}: an axis of the array, or b", value));
        }
        return;
    }
    if (name == "late" && colon == std::string::npos) {
        tiling.late = true;
        return;
    }
    if (name == "progress") {
        tiling.progress = parse_progress(value);
        return;
    }
    if (name == "F") {
        for (const core::TileNumber& one : core::poll_numbers) {
            parse_number(one, one.name, value, tiling);
        }
        return;
    }
    for (const core::TileNumber& one : core::tile_numbers) {
        if (parse_number(one, name, value, tiling)) return;
    }
    bad_request(
        fmt::format("tile: '{}' is not understood; there are axis:, T:, W:, Px:, Pz:, Uy:, Uz:, "
                    "Fy:, Fp:, Fu:, Fx: (F: for all four), B:, progress:, late",
                    part));
}

}  // namespace

std::string to_string(const Tiling& tiling) {
    std::vector<std::string> parts;
    if (tiling.axis) parts.push_back("axis:" + axis_text(*tiling.axis));
    for (const core::TileNumber& one : core::tile_numbers) {
        const std::optional<Index>& value = tiling.*one.value;
        if (value) parts.push_back(fmt::format("{}:{}", one.name, *value));
    }
    if (tiling.progress != TileProgress::poll) {
        parts.push_back("progress:" + core::name_of(tiling.progress));
    }
    if (tiling.late) parts.emplace_back("late");
    return parts.empty() ? "default" : fmt::format("({})", fmt::join(parts, ","));
}

Tiling parse_tiling(std::string_view text) {
    Tiling result;
    if (text == "default") return result;
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        bad_request(fmt::format(
            "tile '{}' is not understood; write none, default, or as (axis:2,T:16,W:2)", text));
    }
    std::set<std::string> seen;
    for (const std::string& part : core::split(text.substr(1, text.size() - 2), ',')) {
        if (!seen.insert(part.substr(0, part.find(':'))).second) {
            bad_request(fmt::format("tile: '{}' is given twice", part));
        }
        parse_part(part, result);
    }
    return result;
}

}  // namespace weft

namespace weft::core {

void validate(const Tiling& tiling) {
    const auto negative = [&](const TileNumber& one) {
        return (tiling.*one.value).value_or(one.least) < one.least;
    };
    const bool axis = !tiling.axis || *tiling.axis >= 0 || tiling.axis == Decomposition::batch_axis;
    if (!axis || std::any_of(tile_numbers.begin(), tile_numbers.end(), negative)) {
        bad_request(
            fmt::format("tile={}: an axis is not negative, extents are at least 1, counts "
                        "at least 0",
                        weft::to_string(tiling)));
    }
    if (!has_name(tiling.progress)) {
        bad_request(fmt::format("tile: progress is {}; there are {}",
                                static_cast<int>(tiling.progress), list_of_names<TileProgress>()));
    }
    const bool polls = std::any_of(poll_numbers.begin(), poll_numbers.end(), [&](const auto& one) {
        return (tiling.*one.value).value_or(0) > 0;
    });
    if (polls && tiling.progress != TileProgress::poll) {
        bad_request(
            fmt::format("tile={}: a rank polls with progress:poll only; leave out Fy, Fp, Fu, Fx, "
                        "or progress",
                        weft::to_string(tiling)));
    }
}

}  // namespace weft::core
