// JSON that does not contradict itself.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace weft::core {

/// Throws Error(bad_request) that names `origin` if the text is not JSON, is nested too deeply, or
/// has an object with a key twice: JSON keeps the last of two equal keys, but such a text
/// contradicts itself.
nlohmann::ordered_json parse_unique(std::string_view text, std::string_view origin);

}  // namespace weft::core
