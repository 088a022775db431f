// The text of a choice; see weft/choice.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/names.hpp"
#include "base/text.hpp"
#include "exchange/via.hpp"
#include "plan/choice.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

constexpr core::Names<bool, 2> yes_no = {{{false, "no"}, {true, "yes"}}};

constexpr core::Names<Pack, 6> pack_names = {{{Pack::automatic, "auto"},
                                              {Pack::sender, "sender"},
                                              {Pack::receiver, "receiver"},
                                              {Pack::datatype, "datatype"},
                                              {Pack::fft, "fft"},
                                              {Pack::fused, "fused"}}};

constexpr core::Names<Carrier, 4> carrier_names = {{{Carrier::automatic, "auto"},
                                                    {Carrier::messages, "messages"},
                                                    {Carrier::region, "region"},
                                                    {Carrier::direct, "direct"}}};

constexpr core::Names<Effort, 4> effort_names = {{{Effort::automatic, "auto"},
                                                  {Effort::estimate, "estimate"},
                                                  {Effort::measure, "measure"},
                                                  {Effort::patient, "patient"}}};

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

std::string to_string(Pack pack) { return core::name_in(pack_names, pack).value_or("?"); }
std::string to_string(Carrier carrier) {
    return core::name_in(carrier_names, carrier).value_or("?");
}
std::string to_string(Effort effort) { return core::name_in(effort_names, effort).value_or("?"); }

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
            bad_request(fmt::format("'{}': single has a path at most, as single(-)", text));
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

std::string to_string(const Choice& choice) {
    std::vector<std::string> items;
    if (choice.decomposition != Decomposition{}) {
        items.push_back("decomposition=" + to_string(choice.decomposition));
    }
    if (choice.shrink != 0) items.push_back(fmt::format("shrink={}", choice.shrink));
    if (!choice.via.empty()) items.push_back("via=" + choice.via);
    for (const auto& [move, via] : choice.via_of_move) {
        items.push_back(fmt::format("via[{}]={}", move, via));
    }
    if (choice.pack != Pack::automatic) items.push_back("pack=" + to_string(choice.pack));
    if (choice.carrier != Carrier::automatic) {
        items.push_back("carrier=" + to_string(choice.carrier));
    }
    for (const auto& [number, carrier] : choice.carrier_of_move) {
        items.push_back(fmt::format("carrier[{}]={}", number, to_string(carrier)));
    }
    if (choice.space != Space{}) items.push_back("space=" + to_string(choice.space));
    if (choice.tile) items.push_back("tile=" + to_string(*choice.tile));
    if (!choice.engine.empty()) items.push_back("engine=" + choice.engine);
    if (choice.effort != Effort::automatic) items.push_back("effort=" + to_string(choice.effort));
    if (choice.threads != 1) items.push_back(fmt::format("threads={}", choice.threads));
    if (choice.reproducible) items.emplace_back("reproducible=yes");
    if (choice.chunk != Choice::largest_chunk)
        items.push_back(fmt::format("chunk={}", choice.chunk));
    if (choice.tuning != Tuning{}) items.push_back("tuning=" + to_string(choice.tuning));
    return fmt::format("{}", fmt::join(items, "; "));
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

void validate(const Decomposition& decomposition) {
    validate_unusual(decomposition);
    const auto factors = static_cast<int>(decomposition.grid.size());
    if (decomposition.cuts && *decomposition.cuts < 0) {
        bad_request(fmt::format("decomposition: {} cuts; 0 is the least", *decomposition.cuts));
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

void validate_reproducible(const Choice& choice) {
    if (!choice.reproducible) return;
    if (!choice.engine.empty() && choice.engine != "native") {
        bad_request(fmt::format(
            "reproducible=yes: engine={} chooses its arithmetic by strides, alignment and the "
            "number of lines; take engine=native or leave engine out",
            choice.engine));
    }
    if (!choice.space.device.empty()) {
        bad_request(fmt::format(
            "reproducible=yes: the engines of space={} choose their arithmetic by strides and the "
            "number of lines; take space=host",
            to_string(choice.space)));
    }
}

bool is_name(std::string_view text) {
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") ==
           std::string_view::npos;
}

}  // namespace

void validate(const Choice& choice) {
    validate(choice.decomposition);
    if (choice.tile) core::validate(*choice.tile);
    core::validate(choice.tuning);
    core::validate(choice.space);
    if (choice.shrink < 0) {
        bad_request(fmt::format("shrink={}: at least 1 rank, or 0 for all", choice.shrink));
    }
    if (!is_name(choice.engine)) {
        bad_request(fmt::format("engine '{}' is no name of an engine", choice.engine));
    }
    if (choice.chunk < Choice::smallest_chunk || choice.chunk > Choice::largest_chunk) {
        bad_request(fmt::format("chunk={}: {} to {} elements", choice.chunk, Choice::smallest_chunk,
                                Choice::largest_chunk));
    }
    if (choice.threads < 1 || choice.threads > Choice::most_threads) {
        bad_request(fmt::format("threads={}: 1 to {}", choice.threads, Choice::most_threads));
    }
    validate_reproducible(choice);
    if (!core::name_in(pack_names, choice.pack) || !core::name_in(effort_names, choice.effort) ||
        !core::name_in(carrier_names, choice.carrier)) {
        bad_request("pack, carrier or effort is none of the values of its type");
    }
}

Choice parse_choice(std::string_view text) {
    Choice choice;
    std::set<std::string> seen;
    for (const std::string& item : core::split(text, ';')) {
        if (item.empty()) continue;
        core::check_not_repeated(item, seen);
        core::parse_choice_item(item, choice);
    }
    validate(choice);
    return choice;
}

}  // namespace weft

namespace weft::core {

void check_not_repeated(std::string_view item, std::set<std::string>& seen) {
    const std::string name = parse_setting(item).name;
    if (!seen.insert(name).second) bad_request(fmt::format("'{}': {} is given twice", item, name));
}

const std::string& via_of(const Choice& choice, int move) {
    const auto own = choice.via_of_move.find(move);
    return own == choice.via_of_move.end() ? choice.via : own->second;
}

namespace {

std::string canonical_via(const std::string& text) {
    return text == measured_via ? text : to_string(parse_via(text));
}

/// 1 of `via[1]`.
int number_in(std::string_view name) {
    const std::size_t bracket = name.find('[');
    return parse_int(name.substr(bracket + 1, name.size() - bracket - 2),
                     fmt::format("{}[move]", name.substr(0, bracket)));
}

}  // namespace

void parse_choice_item(std::string_view item, Choice& choice) {
    const Setting setting = parse_setting(item);
    const std::string& name = setting.name;
    const std::string& value = setting.value;
    if (name == "decomposition") {
        choice.decomposition = parse_decomposition(value);
    } else if (name == "shrink") {
        choice.shrink = parse_int(value, "shrink");
    } else if (name == "via") {
        choice.via = canonical_via(value);
    } else if (name.starts_with("via[") && name.ends_with(']')) {
        const int number = number_in(name);
        choice.via_of_move[number] = canonical_via(value);
    } else if (name == "pack") {
        choice.pack = core::value_in(pack_names, value, "pack");
    } else if (name == "carrier") {
        choice.carrier = core::value_in(carrier_names, value, "carrier");
    } else if (name.starts_with("carrier[") && name.ends_with(']')) {
        const int number = number_in(name);
        choice.carrier_of_move[number] = core::value_in(carrier_names, value, "carrier");
    } else if (name == "space") {
        choice.space = parse_space(value);
    } else if (name == "tile") {
        choice.tile.reset();
        if (value != "none") choice.tile = parse_tiling(value);
    } else if (name == "engine") {
        if (value.empty()) bad_request("engine '' is unknown; `weft info` lists the engines");
        choice.engine = value;
    } else if (name == "effort") {
        choice.effort = core::value_in(effort_names, value, "effort");
    } else if (name == "tuning") {
        choice.tuning = parse_tuning(value);
    } else if (name == "threads") {
        choice.threads = parse_int(value, "threads");
    } else if (name == "reproducible") {
        choice.reproducible = value_in(yes_no, value, "reproducible");
    } else if (name == "chunk") {
        choice.chunk = parse_index(value, "chunk");
    } else {
        bad_request(fmt::format(
            "'{}' is not understood in a choice; there are decomposition=, "
            "shrink=, via=, via[1]=, pack=, carrier=, carrier[1]=, space=, tile=, engine=, "
            "effort=, threads=, reproducible=, chunk=, tuning=",
            item));
    }
}

}  // namespace weft::core
