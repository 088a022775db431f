// The C interface: choices as texts.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

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

/// `key=value; `, or nothing if the member is not set.
std::string item(const char* key, const char* value) {
    if (value == nullptr) return "";
    // Another setting would hide in it.
    if (std::string_view(value).find(';') != std::string_view::npos) {
        weft::core::bad_request(
            fmt::format("weft_choice.{} is '{}', but has to be one setting", key, value));
    }
    return fmt::format("{}={}; ", key, value);
}
std::string item(const char* key, int64_t value) {
    return value == 0 ? "" : fmt::format("{}={}; ", key, value);
}

std::string text_of(const weft_choice& c) {
    std::string text;
#define WEFT_CHOICE_TEXT(name, takes, summary) text += item(#name, c.name);
#define WEFT_CHOICE_YES(name, summary) text += c.name == 0 ? "" : #name "=yes; ";
#include "plan/choice.def"
    return c.of_redistributions == nullptr ? text : text + c.of_redistributions;
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
