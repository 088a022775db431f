#include "model/unique_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace weft::core {

nlohmann::ordered_json parse_unique(std::string_view text, std::string_view origin) {
    using Json = nlohmann::ordered_json;
    // Printing nested JSON takes stack at each level.
    constexpr int deepest = 64;
    std::vector<std::set<std::string>> open;
    std::string twice;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > deepest) {
            bad_request(fmt::format("{}: it is nested deeper than {} levels", origin, deepest));
        }
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end) open.pop_back();
        if (event == Json::parse_event_t::key &&
            !open.back().insert(parsed.get<std::string>()).second) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    Json json;
    try {
        json = Json::parse(text, watch);
    } catch (const Json::exception& error) {
        // `[json.exception.parse_error.101] parse error at line 1, column 8: ..`.
        std::string_view what = error.what();
        what.remove_prefix(std::min(what.find(' ') + 1, what.size()));
        bad_request(
            fmt::format("{}: this is not JSON, or a part of it is missing: {}", origin, what));
    }
    if (!twice.empty()) {
        bad_request(fmt::format(
            "{}: the key {} is there twice in one object; leave one of them out", origin, twice));
    }
    return json;
}

}  // namespace weft::core
