#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "weft/error.hpp"

namespace weft::core {

void bad_request(const std::string& message) { throw Error(ErrorCode::bad_request, message); }

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

namespace {

template <class IsSeparator>
std::vector<std::string> split_outside_parentheses(std::string_view text,
                                                   IsSeparator is_separator) {
    std::vector<std::string> pieces(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (depth == 0 && is_separator(c)) {
            pieces.emplace_back();
        } else {
            pieces.back() += c;
        }
    }
    if (depth != 0) bad_request(fmt::format("'{}': the parentheses are not balanced", text));
    for (std::string& piece : pieces) piece = std::string(trim(piece));
    return pieces;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
    return split_outside_parentheses(text, [separator](char c) { return c == separator; });
}

std::vector<std::string> words(std::string_view text) {
    auto pieces = split_outside_parentheses(
        text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
    std::erase_if(pieces, [](const std::string& piece) { return piece.empty(); });
    return pieces;
}

Index parse_index(std::string_view text, std::string_view what) {
    Index value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status == std::errc::result_out_of_range && end == text.data() + text.size()) {
        bad_request(fmt::format("{}: {} is out of range", what, text));
    }
    if (text.empty() || status != std::errc() || end != text.data() + text.size()) {
        bad_request(fmt::format("{}: '{}' is not an integer", what, text));
    }
    return value;
}

int parse_int(std::string_view text, std::string_view what) {
    const Index value = parse_index(text, what);
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
        bad_request(fmt::format("{}: {} is out of range", what, text));
    }
    return static_cast<int>(value);
}

double parse_real(std::string_view text, std::string_view what) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc() || end != text.data() + text.size()) {
        bad_request(fmt::format("{}: '{}' is not a number", what, text));
    }
    return value;
}

std::vector<Index> parse_extents(std::string_view text, std::string_view what) {
    std::vector<Index> extents;
    for (const std::string& piece : split(text, 'x')) {
        extents.push_back(parse_index(piece, what));
        if (extents.back() < 1) {
            bad_request(
                fmt::format("{}: {} in '{}' must be at least 1", what, extents.back(), text));
        }
    }
    return extents;
}

Call parse_call(std::string_view text) {
    const auto open = text.find('(');
    if (open == std::string_view::npos) return {std::string(text), "", false};
    if (text.back() != ')') bad_request(fmt::format("'{}': the parenthesis is not closed", text));
    return {std::string(trim(text.substr(0, open))),
            std::string(trim(text.substr(open + 1, text.size() - open - 2))), true};
}

Setting parse_setting(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return {std::string(trim(text)), "", false};
    return {std::string(trim(text.substr(0, equals))), std::string(trim(text.substr(equals + 1))),
            true};
}

std::string axis_digits(const std::vector<int>& axes, int dims) {
    std::string text;
    for (const int axis : axes) {
        text += axis == dims ? 'b' : static_cast<char>('0' + axis);
    }
    return text;
}

std::vector<int> parse_axis_digits(std::string_view text, int dims) {
    std::vector<int> axes;
    for (const char c : text) {
        if (c != 'b' && (c < '0' || c > '9')) {
            bad_request(fmt::format("axes '{}': '{}' is neither a digit nor b", text, c));
        }
        axes.push_back(c == 'b' ? dims : c - '0');
    }
    return axes;
}

std::string real_text(double value) { return fmt::format("{}", value); }

std::uint64_t hash(std::string_view text) {
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

std::string number_of(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

namespace {

/// How many letters have to be changed, put in or left out (V. Levenshtein, 1966).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::iota(before.begin(), before.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::vector<std::size_t> now = {i + 1};
        for (std::size_t k = 0; k < b.size(); ++k) {
            const std::size_t changed = before[k] + (a[i] == b[k] ? 0 : 1);
            now.push_back(std::min({changed, before[k + 1] + 1, now[k] + 1}));
        }
        before = std::move(now);
    }
    return before.back();
}

}  // namespace

std::vector<std::string> nearest(const std::vector<std::string>& known, std::string_view word) {
    std::size_t least = word.size() / 3;
    for (const std::string& one : known) least = std::min(least, distance(one, word));
    std::vector<std::string> result;
    for (const std::string& one : known) {
        if (distance(one, word) == least) result.push_back(one);
    }
    return result;
}

std::string meant(const std::vector<std::string>& words) {
    if (words.empty()) return "";
    std::string text = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) {
        text += (i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return fmt::format("; do you mean {}?", text);
}

}  // namespace weft::core
