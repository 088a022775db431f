// Text within the 80 columns of a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::cli {

inline constexpr std::size_t columns = 80;

/// Words in lines from column `indent` on, which the first one has reached. A line's end in the
/// text stays one. A word longer than a line has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent);

/// The first line of what a verb says: `verdict    ` and the sentence, wrapped.
std::string verdict_text(std::string_view sentence);

/// `999,992`.
std::string grouped(std::int64_t number);

/// A time with its unit, three or four digits: `12.3 us`, `1.234 ms`, `2.50 s`.
std::string time_text(double seconds);

}  // namespace weft::cli
