// The names of an enumeration's values: a table in which either is looked up.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped.hpp"
#include "base/text.hpp"

namespace weft::core {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, const char*>, count>;

/// Of the values 0, 1, .. in turn.
template <class Value, class... Text>
constexpr Names<Value, sizeof...(Text)> names_in_order(Text... names) {
    int value = 0;
    return {{{static_cast<Value>(value++), names}...}};
}

/// GCC exports specialisations of variables, whatever it is told to hide.
#define WEFT_HIDDEN [[gnu::visibility("hidden")]]

/// The table of an enumeration, which a specialisation gives.
template <class Value>
inline constexpr std::nullptr_t names_of{};
template <>
inline constexpr auto names_of<bool> WEFT_HIDDEN = names_in_order<bool>("no", "yes");

/// `?` of a value without a name, which was cast from a number that is none of the enumeration's.
template <class Value>
std::string name_of(Value value) {
    for (const auto& [candidate, name] : names_of<Value>) {
        if (candidate == value) return name;
    }
    return "?";
}
template <class Value>
bool has_name(Value value) {
    return name_of(value) != "?";
}

template <class Value>
std::optional<Value> find_value(std::string_view text) {
    for (const auto& [value, name] : names_of<Value>) {
        if (text == name) return value;
    }
    return {};
}

template <class Value>
std::vector<std::string> all_names() {
    return mapped(names_of<Value>, [](const auto& one) { return std::string(one.second); });
}
/// `poll, thread, none`
template <class Value>
std::string list_of_names() {
    return fmt::format("{}", fmt::join(all_names<Value>(), ", "));
}

/// Throws Error(bad_request) that says which names, those of `what`, are spelt like it; if none is,
/// it lists all.
template <class Value>
Value named_value(std::string_view text, std::string_view what) {
    if (const std::optional<Value> value = find_value<Value>(text)) return *value;
    const std::string near = meant(nearest(all_names<Value>(), text));
    bad_request(fmt::format("{} '{}' is unknown{}", what, text,
                            near.empty() ? "; there are " + list_of_names<Value>() : near));
}

}  // namespace weft::core
