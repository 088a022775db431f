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

#include "base/nearest.hpp"
#include "base/text.hpp"

namespace weft::core {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, const char*>, count>;

/// Nothing if the value was cast from a number that is none of the enumeration's.
template <class Value, std::size_t count>
std::optional<std::string> name_in(const Names<Value, count>& names, Value value) {
    for (const auto& [candidate, name] : names) {
        if (candidate == value) return name;
    }
    return {};
}

/// Throws Error(bad_request) that says which names, those of `what`, are spelt like it; if none is,
/// it lists all.
template <class Value, std::size_t count>
Value value_in(const Names<Value, count>& names, std::string_view text, std::string_view what) {
    std::vector<std::string> all;
    for (const auto& [value, name] : names) {
        if (text == name) return value;
        all.emplace_back(name);
    }
    const std::string near = meant(nearest(all, text));
    bad_request(
        fmt::format("{} '{}' is unknown{}", what, text,
                    near.empty() ? fmt::format("; there are {}", fmt::join(all, ", ")) : near));
}

}  // namespace weft::core
