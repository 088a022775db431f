// Reading and writing the small texts that name problems and choices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/box.hpp"

namespace weft::core {

std::string_view trim(std::string_view text);

/// The pieces between separators that stand outside parentheses, trimmed; empty pieces are kept.
/// Throws Error(bad_request) if the parentheses are not balanced.
std::vector<std::string> split(std::string_view text, char separator);
/// The words between blanks that stand outside parentheses.
std::vector<std::string> words(std::string_view text);

/// A decimal integer, nothing else; `what` names it in the error.
Index parse_index(std::string_view text, std::string_view what);
int parse_int(std::string_view text, std::string_view what);
double parse_real(std::string_view text, std::string_view what);
/// `2x4` with separator x; every entry at least 1.
std::vector<Index> parse_extents(std::string_view text, std::string_view what);

/// `name(arguments)` or `name`.
struct Call {
    std::string name;
    std::string arguments;
    bool has_arguments = false;
};
Call parse_call(std::string_view text);

/// `name=value` or `name`.
struct Setting {
    std::string name;
    std::string value;
    bool has_value = false;
};
Setting parse_setting(std::string_view text);

/// Axes as digits, `b` for the batch axis (number `dims`).
std::string axis_digits(const std::vector<int>& axes, int dims);
std::vector<int> parse_axis_digits(std::string_view text, int dims);

template <class T>
std::string join(const std::vector<T>& items, std::string_view separator) {
    std::string text;
    for (const T& item : items) {
        if (!text.empty()) text += separator;
        text += std::to_string(item);
    }
    return text;
}

/// A number that reads back as the same double.
std::string real_text(double value);

/// 64-bit FNV-1a.
std::uint64_t hash(std::string_view text);

[[noreturn]] void bad_request(const std::string& message);

/// `1 rank`, `2 ranks`.
std::string number_of(std::size_t count, std::string_view noun);

/// The known words that are spelt most like `word`, in their order; none if more than a third of
/// its letters would have to be changed, put in or left out.
std::vector<std::string> nearest(const std::vector<std::string>& known, std::string_view word);

/// `; do you mean dct1 or dct2?`, of those; empty if there are none.
std::string meant(const std::vector<std::string>& words);

}  // namespace weft::core
