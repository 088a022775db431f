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

/// Where values begin in lines of a label and its value, such as `choice     decomposition=..`.
inline constexpr std::size_t label_columns = 11;

/// Lines of labels and values, those that are too long in several: cut before a word in a column
/// of its own, else behind the last item of a list, else at the last space outside brackets. What
/// is cut off goes on where values begin: `at 0       N0/64 x N1/64 x N2 pencil(0:64,1:64)@012
/// ..` with `           pencil(0:64,1:64)@012 ..` in the next line.
std::string folded(std::string_view text);

/// The first line of what a verb says: `verdict    ` and the sentence, wrapped.
std::string verdict_text(std::string_view sentence);

/// `999,992`.
std::string grouped(std::int64_t number);

/// A time with its unit, three or four digits: `12.3 us`, `1.234 ms`, `2.50 s`.
std::string time_text(double seconds);

}  // namespace weft::cli
