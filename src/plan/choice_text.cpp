// The text of a choice; see weft/choice.hpp and plan/choice.def.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/engines.hpp"
#include "base/text.hpp"
#include "exchange/via.hpp"
#include "plan/choice.hpp"
#include "plan/fields.hpp"
#include "plan/names.hpp"
#include "plan/parts.hpp"
#include "plan/placement.hpp"
#include "weft/choice.hpp"

namespace weft {

using core::bad_request;

namespace {

// A field is written and read by its type, as the parts of a field are.

template <class T>
std::string text_of(const T& value) {
    using std::to_string;
    return to_string(value);
}
std::string text_of(const std::string& name) { return name; }
std::string text_of(bool yes) { return core::name_of(yes); }
std::string text_of(const std::optional<Tiling>& tile) { return tile ? to_string(*tile) : "none"; }

template <class T>
void read(std::string_view value, std::string_view key, T& field) {
    core::read_field(value, key, field);
}
void read(std::string_view value, std::string_view /*key*/, Decomposition& field) {
    field = parse_decomposition(value);
}
void read(std::string_view value, std::string_view /*key*/, Space& field) {
    field = parse_space(value);
}
void read(std::string_view value, std::string_view /*key*/, Tuning& field) {
    field = parse_tuning(value);
}
void read(std::string_view value, std::string_view /*key*/, std::optional<Tiling>& field) {
    field = value == "none" ? std::nullopt : std::optional(parse_tiling(value));
}
/// The name of a method or of an engine.
void read(std::string_view value, std::string_view key, std::string& field) {
    const bool method = key == "via" && value != core::measured_via;
    field = method ? to_string(core::parse_via(value)) : value;
    if (field.empty()) bad_request("engine '' is unknown; `weft info` lists the engines");
}

template <class T>
void add(std::vector<std::string>& items, const char* key, const T& value, const T& usual) {
    if (value != usual) items.push_back(fmt::format("{}={}", key, text_of(value)));
}

}  // namespace

std::string to_string(const Choice& choice) {
    const Choice usual;
    std::vector<std::string> items;
#define WEFT_CHOICE_TEXT(name, takes, summary) add(items, #name, choice.name, usual.name);
#define WEFT_CHOICE_OF_REDISTRIBUTIONS(name)                                   \
    for (const auto& [number, value] : choice.name##_of_redistribution) {      \
        items.push_back(fmt::format(#name "[{}]={}", number, text_of(value))); \
    }
#include "plan/choice.def"
    return fmt::format("{}", fmt::join(items, "; "));
}

Choice parse_choice(std::string_view text) {
    Choice choice;
    if (text.empty()) return choice;
    std::set<std::string> seen;
    for (const std::string& item : core::split(text, ';')) {
        if (item.empty()) continue;
        core::check_not_repeated(item, seen);
        core::parse_choice_item(item, choice);
    }
    validate(choice);
    return choice;
}

namespace {

void validate_reproducible(const Choice& choice) {
    if (!choice.reproducible) return;
    if (!choice.engine.empty() && !core::engine_traits(choice.engine, {}).reproducible) {
        bad_request(fmt::format(
            "reproducible=yes: engine={} chooses its arithmetic by strides, alignment and the "
            "number of lines; take engine={} or leave engine out",
            choice.engine, core::reproducible_engine()));
    }
    const core::Placements placements(choice);
    if (placements.on_device() || placements.open_device()) {
        bad_request(fmt::format(
            "reproducible=yes: the engines of space={} choose their arithmetic by strides and the "
            "number of lines; take space=host",
            placements.text()));
    }
}

void check_number(std::string_view key, Index number, Index least, Index most,
                  std::string_view range) {
    if (number >= least && number <= most) return;
    bad_request(
        fmt::format("{}={}: {}", key, number, fmt::format(fmt::runtime(range), least, most)));
}

}  // namespace

void validate(const Choice& choice) {
    core::validate(choice.decomposition);
    if (choice.tile) core::validate(*choice.tile);
    core::validate(choice.tuning);
    core::validate(choice.space);
    if (choice.engine.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") !=
        std::string::npos) {
        bad_request(fmt::format("engine '{}' is not the name of an engine", choice.engine));
    }
#define WEFT_CHOICE_NUMBER(name, least, most, range, summary) \
    check_number(#name, choice.name, least, most, range);
#include "plan/choice.def"
    validate_reproducible(choice);
    if (!core::has_name(choice.pack) || !core::has_name(choice.effort) ||
        !core::has_name(choice.carrier)) {
        bad_request("pack, carrier or effort is not one of the values of its type");
    }
}

}  // namespace weft

namespace weft::core {

std::span<const Field> choice_fields() {
    static constexpr std::array fields = {
#define WEFT_CHOICE_TEXT(name, takes, summary) Field{#name, takes, summary},
#include "plan/choice.def"
    };
    return fields;
}

void check_not_repeated(std::string_view item, std::set<std::string>& seen) {
    const std::string name = parse_setting(item).name;
    if (!seen.insert(name).second) bad_request(fmt::format("'{}': {} is given twice", item, name));
}

const std::string& via_of(const Choice& choice, int redistribution) {
    const auto own = choice.via_of_redistribution.find(redistribution);
    return own == choice.via_of_redistribution.end() ? choice.via : own->second;
}

namespace {

/// 1 of `via[1]`.
int number_in(std::string_view name) {
    const std::size_t bracket = name.find('[');
    return parse_int(name.substr(bracket + 1, name.size() - bracket - 2),
                     fmt::format("{}[redistribution]", name.substr(0, bracket)));
}

}  // namespace

void parse_choice_item(std::string_view item, Choice& choice) {
    const Setting said = parse_setting(item);
#define WEFT_CHOICE_TEXT(field, takes, summary) \
    if (said.name == #field) return read(said.value, #field, choice.field);
#define WEFT_CHOICE_OF_REDISTRIBUTIONS(field)                                      \
    if (said.name.starts_with(#field "[") && said.name.ends_with(']')) {           \
        const int number = number_in(said.name);                                   \
        return read(said.value, #field, choice.field##_of_redistribution[number]); \
    }
#include "plan/choice.def"
    constexpr std::string_view known =
#define WEFT_CHOICE_TEXT(name, takes, summary) ", " #name "="
#define WEFT_CHOICE_OF_REDISTRIBUTIONS(name) ", " #name "[1]="
#include "plan/choice.def"
        ;
    bad_request(
        fmt::format("'{}' is not understood in a choice; there are {}", item, known.substr(2)));
}

}  // namespace weft::core
