// Texts of values whose parts stand in parentheses, `measure(limit:10,arrays:plain)`: a row for each
// part, by which it is written, read, and listed where one is not understood.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/names.hpp"
#include "base/text.hpp"
#include "weft/error.hpp"

namespace weft::core {

// A field is written and read by its type.

inline std::string field_text(const std::string& value) { return value; }
inline std::string field_text(double value) { return real_text(value); }
template <class Value>
std::string field_text(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        return name_of(value);
    } else {
        return std::to_string(value);
    }
}
template <class Value>
std::string field_text(const std::optional<Value>& value) {
    return value ? field_text(*value) : "";
}

inline void read_field(std::string_view value, std::string_view what, std::string& field) {
    if (value.empty()) bad_request(fmt::format("{} needs a name, not ''", what));
    field = value;
}
inline void read_field(std::string_view value, std::string_view what, double& field) {
    field = parse_real(value, what);
}
inline void read_field(std::string_view value, std::string_view what, int& field) {
    field = parse_int(value, what);
}
inline void read_field(std::string_view value, std::string_view what, Index& field) {
    field = parse_index(value, what);
}
template <class Value>
void read_field(std::string_view value, std::string_view what, Value& field) {
    field = named_value<Value>(value, what);
}
template <class Value>
void read_field(std::string_view value, std::string_view what, std::optional<Value>& field) {
    read_field(value, what, field.emplace());
}

/// A part of the text of a T.
template <class T>
struct Part {
    std::string usage;  ///< as refusals list it: `limit:SECONDS`; up to the colon its name
    /// The value behind the colon, "" of a part without one; null: the part is left out.
    std::function<std::optional<std::string>(const T&)> text;
    /// Reads the value behind the colon; `what` begins refusals: `tuning=measure(limit:x): limit`.
    /// Null: the part has no colon.
    std::function<void(std::string_view value, const std::string& what, T&)> read{};
    std::function<void(T&)> bare{};  ///< reads the part without a colon; null: it has to have one
    std::string_view group{};  ///< names parts of which a text has one; empty: this part alone
    [[nodiscard]] std::string_view name() const {
        return std::string_view(usage).substr(0, usage.find(':'));
    }
};

/// A field, which is left out where it is as in a T by default.
template <class T, class Field>
Part<T> part_of(std::string usage, Field T::*field) {
    return {std::move(usage),
            [field](const T& value) -> std::optional<std::string> {
                const T usual;
                if (value.*field == usual.*field) return std::nullopt;
                return field_text(value.*field);
            },
            [field](std::string_view value, const std::string& what, T& whole) {
                read_field(value, what, whole.*field);
            }};
}

/// The parts that are not left out.
template <class T>
std::vector<std::string> texts_of(std::span<const Part<T>> parts, const T& value) {
    std::vector<std::string> texts;
    for (const Part<T>& part : parts) {
        const std::optional<std::string> text = part.text(value);
        if (!text) continue;
        texts.push_back(fmt::format("{}{}{}", part.name(), text->empty() ? "" : ":", *text));
    }
    return texts;
}

/// Reads `limit:10,arrays:plain`; throws Error(bad_request), which begins with `whole`.
template <class T>
void read_parts(std::string_view whole, std::string_view text, std::span<const Part<T>> parts,
                T& value) {
    std::set<std::string_view> said;
    for (const std::string& item : split(text, ',')) {
        const std::size_t colon = item.find(':');
        const bool bare = colon == std::string::npos;
        const std::string name(trim(item.substr(0, colon)));
        const auto part = std::find_if(parts.begin(), parts.end(),
                                       [&](const Part<T>& each) { return each.name() == name; });
        if (part == parts.end() || (bare ? !part->bare : !part->read)) {
            std::vector<std::string> names;
            std::string usages;
            for (const Part<T>& each : parts) {
                names.emplace_back(each.name());
                usages += (usages.empty() ? "; there are " : ", ") + each.usage;
            }
            const std::string near = meant(nearest(names, name));
            const bool known = part != parts.end() || near.empty();
            bad_request(
                fmt::format("{}: '{}' is not understood{}", whole, item, known ? usages : near));
        }
        const std::string_view group = part->group.empty() ? part->name() : part->group;
        if (!said.insert(group).second)
            bad_request(fmt::format("{}: {} is given twice", whole, group));
        if (bare) {
            part->bare(value);
        } else {
            part->read(trim(std::string_view(item).substr(colon + 1)),
                       fmt::format("{}: {}", whole, name), value);
        }
    }
}

}  // namespace weft::core
