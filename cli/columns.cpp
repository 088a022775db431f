#include "columns.hpp"

#include <fmt/format.h>

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

std::string verdict_text(std::string_view sentence) {
    constexpr std::string_view label = "verdict    ";
    return fmt::format("{}{}\n", label, wrapped(sentence, label.size()));
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
