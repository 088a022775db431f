// The text of a decomposition; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

/// A path's word for one state; `-` where no axis is cut.
std::string state_text(const std::vector<int>& axes) {
    const std::string digits = core::axis_digits(axes, Decomposition::batch_axis);
    return digits.empty() ? "-" : digits;
}

/// Without a number of factors the words are orders of axes.
std::vector<std::vector<int>> parse_path(std::string_view text,
                                         std::optional<std::size_t> factors = {}) {
    std::vector<std::vector<int>> path;
    if (text == "none") return path;
    for (const std::string& state : core::split(text, '>')) {
        path.push_back(
            core::parse_axis_digits(state == "-" ? "" : state, Decomposition::batch_axis));
        if (path.back().size() != factors.value_or(path.back().size())) {
            bad_request(fmt::format("path '{}': '{}' cuts {} axes, the process grid has {} factors",
                                    text, state, path.back().size(), *factors));
        }
    }
    return path;
}

std::string path_text(const std::vector<std::vector<int>>& path) {
    std::vector<std::string> states(path.size());
    std::transform(path.begin(), path.end(), states.begin(), state_text);
    return states.empty() ? "none" : fmt::format("{}", fmt::join(states, ">"));
}

std::string decomposition_name(int cuts) {
    return cuts == 0 ? "single" : cuts == 1 ? "slab" : cuts == 2 ? "pencil" : "grid";
}

}  // namespace

std::string to_string(const Decomposition& decomposition) {
    if (decomposition.least_volume) return "least-volume";
    if (decomposition.row_wise) {
        return decomposition.path ? fmt::format("row-wise({})", path_text(*decomposition.path))
                                  : "row-wise";
    }
    if (!decomposition.cuts) return "auto";
    const int cuts = *decomposition.cuts;
    std::vector<std::string> arguments;
    if (!decomposition.grid.empty()) arguments.push_back(core::join(decomposition.grid, "x"));
    if (decomposition.path) arguments.push_back(path_text(*decomposition.path));
    if (arguments.empty()) {
        return cuts < 3 ? decomposition_name(cuts) : fmt::format("cuts({})", cuts);
    }
    return fmt::format("{}({})", decomposition_name(cuts), fmt::join(arguments, ","));
}

Decomposition parse_decomposition(std::string_view text) {
    Decomposition result;
    const core::Call call = core::parse_call(text);
    if (call.name == "auto" && !call.has_arguments) return result;
    result.least_volume = call.name == "least-volume" && !call.has_arguments;
    result.row_wise = call.name == "row-wise";
    if (call.has_arguments && result.row_wise) result.path = parse_path(call.arguments);
    if (result.least_volume || result.row_wise) return result;
    if (call.name == "cuts") {
        result.cuts = core::parse_int(call.arguments, "cuts");
        if (*result.cuts < 0) bad_request(fmt::format("{}: the number is negative", text));
        return result;
    }
    std::vector<std::string> arguments;
    if (call.has_arguments) arguments = core::split(call.arguments, ',');
    if (call.name == "single") {
        result.cuts = 0;
        if (arguments.size() > 1 || (call.has_arguments && call.arguments.empty())) {
            bad_request(fmt::format("'{}': single takes only a path, as single(-)", text));
        }
        if (!arguments.empty()) result.path = parse_path(arguments[0], 0);
        return result;
    }
    if (call.name == "slab") result.cuts = 1;
    if (call.name == "pencil") result.cuts = 2;
    if (!result.cuts && call.name != "grid") {
        bad_request(
            fmt::format("decomposition '{}' is unknown; there are auto, single, slab, "
                        "pencil(2x4), grid(2x2x2), cuts(3), pencil(2x4,01>02>12), row-wise, "
                        "row-wise(012>201>210), least-volume",
                        text));
    }
    if (!result.cuts && arguments.empty()) {
        bad_request("decomposition 'grid' needs its factors, as in grid(2x2x2)");
    }
    if (arguments.size() > 2) bad_request(fmt::format("'{}' has too many arguments", text));
    if (arguments.empty()) return result;
    for (const Index factor : core::parse_extents(arguments[0], "grid")) {
        result.grid.push_back(core::parse_int(std::to_string(factor), "grid"));
    }
    const int factors = static_cast<int>(result.grid.size());
    if (result.cuts.value_or(factors) != factors) {
        bad_request(
            fmt::format("'{}': {} has {} factors, not {}", text, call.name, *result.cuts, factors));
    }
    result.cuts = factors;
    if (arguments.size() == 2) result.path = parse_path(arguments[1], result.grid.size());
    return result;
}

namespace {

/// 0, 1, .. in any order.
bool is_order(const std::vector<int>& axes) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (std::count(axes.begin(), axes.end(), static_cast<int>(axis)) != 1) return false;
    }
    return !axes.empty();
}

void validate_unusual(const Decomposition& decomposition) {
    const bool grid_or_cuts = decomposition.cuts || !decomposition.grid.empty();
    if (decomposition.row_wise && (grid_or_cuts || decomposition.least_volume)) {
        bad_request("decomposition: row-wise has no cuts, no process grid and no other objective");
    }
    if (decomposition.least_volume && (grid_or_cuts || decomposition.path)) {
        bad_request("decomposition: least-volume chooses cuts, process grid and path itself");
    }
    if (!decomposition.row_wise || !decomposition.path) return;
    for (const std::vector<int>& state : *decomposition.path) {
        if (is_order(state)) continue;
        bad_request(fmt::format("decomposition {}: '{}' is not an order of axes, as 201",
                                to_string(decomposition), state_text(state)));
    }
}

}  // namespace

void core::validate(const Decomposition& decomposition) {
    validate_unusual(decomposition);
    const auto factors = static_cast<int>(decomposition.grid.size());
    if (decomposition.cuts && *decomposition.cuts < 0) {
        bad_request(
            fmt::format("decomposition: {} cuts; at least 0 is needed", *decomposition.cuts));
    }
    for (const int factor : decomposition.grid) {
        if (factor < 1) {
            bad_request(fmt::format("decomposition: a process grid has no factor {}", factor));
        }
    }
    if (factors > 0 && decomposition.cuts != factors) {
        bad_request(fmt::format("decomposition: the process grid {} has {} factors, but {} cuts",
                                core::join(decomposition.grid, "x"), factors,
                                decomposition.cuts ? std::to_string(*decomposition.cuts) : "no"));
    }
    if (!decomposition.path || decomposition.row_wise) return;
    if (factors == 0 && decomposition.cuts != 0) {
        bad_request("decomposition: a path needs the process grid whose factors it places");
    }
    for (const auto& state : *decomposition.path) {
        if (state.size() != decomposition.grid.size()) {
            bad_request(fmt::format("decomposition: a state of the path places {} of {} factors",
                                    state.size(), factors));
        }
    }
}

}  // namespace weft
