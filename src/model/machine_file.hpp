// Machine descriptions as JSON, and those that weft has by name (machines/*.json).
//
// A figure is a number, a table [[x, y], ..] or a word, or says where it comes from:
// {"value": 23.5e9, "source": "[ayala] section IV-A"}. docs/model.md lists the keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"

namespace weft::core {

inline constexpr std::string_view machine_format = "weft machine";
inline constexpr int machine_format_version = 1;

/// `origin` names the text in errors: the file. Throws Error(bad_request) that quotes it, the key
/// and the value, and says what to do.
Machine parse_machine(std::string_view text, std::string_view origin);
/// With the sources of its figures: parse_machine gives the same machine.
std::string to_json(Machine machine);

/// The names of the machines that weft knows, ascending; `default` is one of them.
std::vector<std::string> machine_names();
/// Throws Error(bad_request) that lists the names.
Machine named_machine(std::string_view name);

inline constexpr std::string_view default_machine = "default";

}  // namespace weft::core
