// Letters of rules (rules.hpp) that were learned in this process, on a processor that fastest.def does not know.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "memory/processor.hpp"
#include "weft/problem.hpp"

namespace weft::core::native {

/// How the lines of a batch lie.
enum Pattern { lines, lanes, crowded_lanes, lines_to_lanes, lanes_to_lines, patterns };
inline constexpr std::array<std::string_view, patterns> pattern_names = {
    "lines", "lanes", "crowded_lanes", "lines_to_lanes", "lanes_to_lines"};
/// Elements of lanes are crowded if all of a line meet in one set of the nearest cache, whose ways
/// have so many bytes.
inline constexpr Index way_bytes = 4096;

/// How fastest.def calls a processor: by its vendor and family, `AuthenticAMD 26`. Intel's
/// processors of many years are of family 6, so the model goes with it: `GenuineIntel 6 207`. Model
/// 143 (Sapphire Rapids) goes by the name of 207 (Emerald Rapids), whose core and nearest two caches
/// it has.
std::string processor_key(const ProcessorId& id);
/// WEFT_PROCESSOR, or the key of this one.
const std::string& processor_here();
/// Whether fastest.def has rows for it, with the vectors that are the best here.
bool is_measured_processor();

/// Lines in the caches that were measured.
struct LearnedCase {
    Precision precision = Precision::f64;
    Pattern pattern = lines;
    Index length = 1;
    auto operator<=>(const LearnedCase&) const = default;
};
/// As in fastest.def; nothing: it was not measured.
std::optional<char> learned(const LearnedCase& one);
void learn(const LearnedCase& one, char letter);

}  // namespace weft::core::native
