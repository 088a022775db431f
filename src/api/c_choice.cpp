// The C interface: choices as texts.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "api/c_guard.hpp"
#include "api/c_struct.hpp"
#include "base/text.hpp"
#include "weft/choice.hpp"
#include "weft/weft.h"

namespace {

weft_choice known_choice(const weft_choice* given) {
    weft::require(given, "choice");
    weft_choice result = WEFT_CHOICE_INIT;
    constexpr size_t least = sizeof(size_t);  // every member may be left to the planner
    weft::take_struct(
        &result, given,
        {"weft_choice", "WEFT_CHOICE_INIT", sizeof result, least, alignof(weft_choice)});
    return result;
}

std::string text_of(const weft_choice& c) {
    std::vector<std::string> items;
    const auto add = [&](const char* name, const char* value) {
        if (value == nullptr) return;
        // Another setting would hide in it.
        if (std::string_view(value).find(';') != std::string_view::npos) {
            weft::core::bad_request(
                fmt::format("weft_choice.{} is '{}', but has to be one setting", name, value));
        }
        items.push_back(fmt::format("{}={}", name, value));
    };
    const auto add_number = [&](const char* name, int64_t value) {
        if (value != 0) items.push_back(fmt::format("{}={}", name, value));
    };
    add("decomposition", c.decomposition);
    add("via", c.via);
    add("pack", c.pack);
    add("carrier", c.carrier);
    add("space", c.space);
    add("tile", c.tile);
    add("engine", c.engine);
    add("effort", c.effort);
    add("tuning", c.tuning);
    if (c.of_moves != nullptr && *c.of_moves != '\0') items.emplace_back(c.of_moves);
    add_number("shrink", c.shrink);
    add_number("threads", c.threads);
    add_number("chunk", c.chunk);
    if (c.reproducible != 0) items.emplace_back("reproducible=yes");
    return fmt::format("{}", fmt::join(items, "; "));
}

}  // namespace

weft_code weft_choice_text(const weft_choice* choice, char** text) {
    return weft::guarded([&] {
        weft::require(text, "text");
        const weft::Choice parsed = weft::parse_choice(text_of(known_choice(choice)));
        weft::validate(parsed);
        *text = weft::copied(to_string(parsed));
    });
}
