// The text of a tiling; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "weft/choice.hpp"

namespace weft {

namespace {

using core::bad_request;

struct Extent {
    const char* name;
    Index Tiling::*value;
};
struct Count {
    const char* name;
    int Tiling::*value;
};

// In the order of the text, but for the axis, which comes first.
constexpr Extent tile_extent{"T", &Tiling::tile_extent};
constexpr Count tiles_in_flight{"W", &Tiling::tiles_in_flight};
constexpr std::array<Extent, 5> extents = {{{"Px", &Tiling::pack_block_across},
                                            {"Pz", &Tiling::pack_block},
                                            {"Uy", &Tiling::unpack_block_across},
                                            {"Uz", &Tiling::unpack_block},
                                            {"B", &Tiling::fields_together}}};
constexpr std::array<Count, 4> polls = {{{"Fy", &Tiling::polls_transforming},
                                         {"Fp", &Tiling::polls_packing},
                                         {"Fu", &Tiling::polls_unpacking},
                                         {"Fx", &Tiling::polls_finishing}}};

struct ProgressName {
    const char* name;
    TileProgress value;
};
constexpr std::array<ProgressName, 3> progress_names = {
    {{"poll", TileProgress::poll}, {"thread", TileProgress::thread}, {"none", TileProgress::none}}};

TileProgress parse_progress(const std::string& value) {
    for (const ProgressName& one : progress_names) {
        if (value == one.name) return one.value;
    }
    bad_request(
        fmt::format("tile: progress:{} is not understood; there are poll, thread, none", value));
}

std::string axis_text(int axis) {
    return axis == Decomposition::batch_axis ? "b" : std::to_string(axis);
}

bool parse_extent(const Extent& extent, const std::string& name, const std::string& value,
                  Tiling& tiling) {
    if (name != extent.name) return false;
    tiling.*extent.value = core::parse_index(value, "tile: " + name);
    if (tiling.*extent.value < 1) bad_request(fmt::format("tile: {}:{}: at least 1", name, value));
    return true;
}

bool parse_count(const Count& count, const std::string& name, const std::string& value,
                 Tiling& tiling) {
    if (name != count.name) return false;
    tiling.*count.value = core::parse_int(value, "tile: " + name);
    if (tiling.*count.value < 0) bad_request(fmt::format("tile: {}:{}: at least 0", name, value));
    return true;
}

void parse_part(const std::string& part, Tiling& tiling) {
    const std::size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    const std::string value = colon == std::string::npos ? "" : part.substr(colon + 1);
    if (name == "axis") {
        tiling.axis = value == "b" ? Decomposition::batch_axis : core::parse_int(value, "axis");
        if (value != "b" && tiling.axis < 0) {
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
        for (const Count& count : polls) parse_count(count, count.name, value, tiling);
        return;
    }
    bool known = parse_extent(tile_extent, name, value, tiling);
    known = known || parse_count(tiles_in_flight, name, value, tiling);
    for (const Extent& extent : extents) known = known || parse_extent(extent, name, value, tiling);
    for (const Count& count : polls) known = known || parse_count(count, name, value, tiling);
    if (known) return;
    bad_request(
        fmt::format("tile: '{}' is not understood; there are axis:, T:, W:, Px:, Pz:, Uy:, Uz:, "
                    "Fy:, Fp:, Fu:, Fx: (F: for all four), B:, progress:, late",
                    part));
}

}  // namespace

std::string to_string(const Tiling& tiling) {
    std::vector<std::string> parts;
    const auto add_extent = [&](const Extent& extent) {
        if (tiling.*extent.value == 0) return;
        parts.push_back(fmt::format("{}:{}", extent.name, tiling.*extent.value));
    };
    const auto add_count = [&](const Count& count) {
        if (tiling.*count.value < 0) return;
        parts.push_back(fmt::format("{}:{}", count.name, tiling.*count.value));
    };
    if (tiling.axis != Tiling::automatic) parts.push_back("axis:" + axis_text(tiling.axis));
    add_extent(tile_extent);
    add_count(tiles_in_flight);
    for (const Extent& extent : extents) add_extent(extent);
    for (const Count& count : polls) add_count(count);
    for (const ProgressName& one : progress_names) {
        const bool usual = one.value == TileProgress::poll;
        if (tiling.progress == one.value && !usual)
            parts.push_back(fmt::format("progress:{}", one.name));
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
    const bool axis = tiling.axis >= 0 || tiling.axis == Decomposition::batch_axis ||
                      tiling.axis == Tiling::automatic;
    const bool extents = tiling.tile_extent >= 0 && tiling.pack_block_across >= 0 &&
                         tiling.pack_block >= 0 && tiling.unpack_block_across >= 0 &&
                         tiling.unpack_block >= 0 && tiling.fields_together >= 0;
    const bool counts = tiling.tiles_in_flight >= -1 && tiling.polls_transforming >= -1 &&
                        tiling.polls_packing >= -1 && tiling.polls_unpacking >= -1 &&
                        tiling.polls_finishing >= -1;
    if (!axis || !extents || !counts) {
        bad_request(fmt::format("tile={}: axes, extents and counts are not negative",
                                weft::to_string(tiling)));
    }
    const auto known = [&](const ProgressName& one) { return one.value == tiling.progress; };
    if (std::none_of(progress_names.begin(), progress_names.end(), known)) {
        bad_request(fmt::format("tile: progress is {}; there are poll, thread, none",
                                static_cast<int>(tiling.progress)));
    }
    const bool polls = std::any_of(weft::polls.begin(), weft::polls.end(),
                                   [&](const Count& count) { return tiling.*count.value > 0; });
    if (polls && tiling.progress != TileProgress::poll) {
        bad_request(
            fmt::format("tile={}: a rank polls with progress:poll only; leave out Fy, Fp, Fu, Fx, "
                        "or progress",
                        weft::to_string(tiling)));
    }
}

}  // namespace weft::core
