// The text of a tiling; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
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

namespace {

using core::bad_request;

core::Part<Tiling> axis() {
    return {"axis:AXIS, axis:b",
            [](const Tiling& tiling) -> std::optional<std::string> {
                if (!tiling.axis) return std::nullopt;
                const bool batch = tiling.axis == Decomposition::batch_axis;
                return batch ? "b" : std::to_string(*tiling.axis);
            },
            [](std::string_view value, const std::string& what, Tiling& tiling) {
                const bool batch = value == "b";
                tiling.axis = batch ? Decomposition::batch_axis : core::parse_int(value, what);
                if (batch || *tiling.axis >= 0) return;
                bad_request(fmt::format("{}:{}: an axis of the array, or b", what, value));
            }};
}

/// A word that says yes.
core::Part<Tiling> word(const char* name, bool Tiling::*said) {
    return {name,
            [said](const Tiling& tiling) {
                return tiling.*said ? std::optional<std::string>("") : std::nullopt;
            },
            {},
            [said](Tiling& tiling) { tiling.*said = true; }};
}

/// One number or several at once.
auto reader_of(std::span<const core::TileNumber> numbers) {
    return [numbers](std::string_view value, const std::string& what, Tiling& tiling) {
        for (const core::TileNumber& one : numbers) {
            core::read_field(value, what, tiling.*one.value);
            if (*(tiling.*one.value) >= one.least) continue;
            bad_request(fmt::format("{}:{}: at least {}", what, value, one.least));
        }
    };
}

std::span<const core::Part<Tiling>> tiling_parts() {
    static const std::vector<core::Part<Tiling>> rows = [] {
        std::vector<core::Part<Tiling>> parts = {axis()};
        for (const core::TileNumber& number : core::tile_numbers) {
            parts.push_back(core::part_of(fmt::format("{}:N", number.name), number.value));
            parts.back().read = reader_of({&number, 1});
        }
        parts.push_back({"F:N for all four", [](const Tiling& /*tiling*/) { return std::nullopt; },
                         reader_of(core::poll_numbers)});
        parts.push_back(core::part_of("progress:WORD", &Tiling::progress));
        parts.push_back(word("late", &Tiling::late));
        parts.push_back(word("strict", &Tiling::strict));
        return parts;
    }();
    return rows;
}

}  // namespace

std::string to_string(const Tiling& tiling) {
    const std::vector<std::string> parts = core::texts_of(tiling_parts(), tiling);
    return parts.empty() ? "default" : fmt::format("({})", fmt::join(parts, ","));
}

Tiling parse_tiling(std::string_view text) {
    Tiling result;
    if (text == "default") return result;
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        bad_request(fmt::format(
            "tile '{}' is not understood; write none, default, or a list, as (axis:2,T:16,W:2)",
            text));
    }
    core::read_parts(fmt::format("tile={}", text), text.substr(1, text.size() - 2), tiling_parts(),
                     result);
    core::validate(result);
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
        bad_request(fmt::format(
            "tile={}: an axis must be at least 0, extents at least 1, counts at least 0",
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
