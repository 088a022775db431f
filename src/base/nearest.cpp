#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace weft::core {

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
