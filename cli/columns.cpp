#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace weft::cli {

std::string wrapped(std::string_view text, std::size_t indent) {
    std::string result;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::size_t column = indent;
        if (!result.empty()) result += "\n" + std::string(indent, ' ');
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            const bool first = column == indent;
            if (!first && column + 1 + word.size() > columns) {
                result += "\n" + std::string(indent, ' ');
                column = indent;
            } else if (!first) {
                result += ' ';
                ++column;
            }
            result += word;
            column += word.size();
        }
    }
    return result;
}

namespace {

/// The last place of a line from column `least` to the right edge that is right, or npos.
template <class Right>
std::size_t last_place(std::string_view line, std::size_t least, const Right& right) {
    for (std::size_t at = columns; at > least; --at) {
        if (line[at] == ' ' && right(at)) return at;
    }
    return std::string_view::npos;
}

/// The space at which a line that is too long is cut, or npos.
std::size_t place_to_cut(std::string_view line) {
    const std::size_t label = std::max(label_columns, line.find_first_not_of(' '));
    const auto gap_before_word = [&](std::size_t at) {
        const std::size_t next = line.find_first_not_of(' ', at);
        return line[at - 1] == ' ' && next != std::string_view::npos &&
               std::isdigit(static_cast<unsigned char>(line[next])) == 0;
    };
    const auto behind_item = [&](std::size_t at) {
        return line[at - 1] == ',' || line[at - 1] == ';';
    };
    const auto outside_brackets = [&](std::size_t at) {
        const std::string_view before = line.substr(0, at);
        return std::count(before.begin(), before.end(), '[') ==
               std::count(before.begin(), before.end(), ']');
    };
    std::size_t place = last_place(line, label, gap_before_word);
    if (place == std::string_view::npos) place = last_place(line, columns / 2, behind_item);
    if (place == std::string_view::npos) place = last_place(line, label, outside_brackets);
    return place != std::string_view::npos ? place : line.find(' ', columns);
}

std::string folded_line(std::string line) {
    std::string result;
    while (line.size() > columns) {
        const std::size_t at = place_to_cut(line);
        if (at == std::string::npos) break;
        const std::size_t end = line.find_last_not_of(' ', at);
        const std::size_t next = line.find_first_not_of(' ', at);
        if (next == std::string::npos) break;
        result += line.substr(0, end + 1) + "\n";
        line = std::string(label_columns, ' ') + line.substr(next);
    }
    return result + line;
}

}  // namespace

std::string folded(std::string_view text) {
    std::string result;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) result += folded_line(line) + "\n";
    return result;
}

std::string verdict_text(std::string_view sentence) {
    return fmt::format("{:<{}}{}\n", "verdict", label_columns, wrapped(sentence, label_columns));
}

std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, ",");
    return text;
}

std::string time_text(double seconds) {
    const auto digits = [](double value, const char* unit) {
        const int decimals = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
        return fmt::format("{:.{}f} {}", value, decimals, unit);
    };
    if (seconds < 1e-3) return digits(1e6 * seconds, "us");
    return seconds < 1 ? digits(1e3 * seconds, "ms") : digits(seconds, "s");
}

}  // namespace weft::cli
