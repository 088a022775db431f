// Wisdom as text: JSON lines, one entry each, in the order of their keys.
//
// {"format": "weft wisdom", "version": 1, "problem": "c2c:f64:64x64x64 in=free out=free",
//  "ranks": 2, "site": {"processor": .., "instruction_set": .., "mpi": .., "nodes": 1,
//  "ranks_per_node": 2, "placement": "block", "threads": 1, "weft": "0.2.0"}, "choice": "..",
//  "evidence": {"date": "2024-05-31T12:00:00Z", "tuning": "measure", "spent": 1.9,
//  "evaluations": 38, "winner": {"seconds": 1e-3, "low": .., "high": .., "rounds": 9},
//  "losers": [{"choice": "..", "time": {..}, "reason": ".."}]}, "engines": {"fftw": ".."}}
//
// `constraint`, `conditions`, `losers` and `engines` may be missing; docs/tuning.md lists all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tune/wisdom.hpp"

namespace weft::core {

inline constexpr std::string_view wisdom_format = "weft wisdom";
inline constexpr int wisdom_format_version = 1;

/// A line of a text that brought no entry.
struct SkippedLine {
    int number = 0;  ///< counted from 1
    std::string reason{};

    bool operator==(const SkippedLine&) const = default;
};
/// `line 3: ..`
std::string to_string(const SkippedLine& line);

struct ReadWisdom {
    Wisdom wisdom{};
    std::vector<SkippedLine> skipped{};
};

/// Never throws Error: a line that is damaged, of another format or version, or whose entry is not
/// well formed, is skipped and kept as foreign; of two lines with one key the better one counts.
/// Empty lines are no lines. Problems and choices become canonical.
ReadWisdom read_wisdom(std::string_view text);

/// read_wisdom gives an equal value. Foreign lines come last.
std::string to_text(const Wisdom& wisdom);

/// Fit for a terminal: a question mark for each byte that is no printable one of ASCII, and at most
/// 300 bytes.
std::string printable(std::string text);

}  // namespace weft::core
