// One-dimensional transforms of the study: which, how their lines lie in memory, how many.
#pragma once

#include <string>
#include <vector>

#include "base/transforms.hpp"
#include "study/options.hpp"

namespace weft::study {

/// lines: the elements of a line are adjacent. lanes: line by line adjacent, the batch is fastest.
enum class Order { lines, lanes };

/// How both arrays lie; if they differ, the transform permutes.
struct Pattern {
    Order from = Order::lines;
    Order to = Order::lines;
    /// Elements from one line (lines) or from one element of a line (lanes) to the next; 0: dense.
    Index distance = 0;
    bool operator==(const Pattern&) const = default;
};

/// The smallest memory of which both arrays together take at most half.
enum class Level { L1, L2, L3, memory };

struct LineCase {
    Kind kind = Kind::c2c;
    Precision precision = Precision::f64;
    Index length = 1;
    Pattern pattern;
    Level level = Level::L2;
    Index batch = 1;
    bool filled = false;  ///< as many lines as fill the level
    Effort effort = Effort::automatic;
    AxisKind axis = AxisKind::none;  ///< r2r: which one
    bool operator==(const LineCase&) const = default;
};

core::FftTask task(const LineCase& one);
/// What is read and written.
Index data_bytes(const LineCase& one);

/// `lines`, `lanes`, `lines-to-lanes`, `lanes-to-lines`, whatever the distance.
std::string to_string(const Pattern& pattern);
std::string to_string(Level level);
/// `c2c`, `r2c`, `c2r`, or of r2r the axis's kind.
std::string kind_word(const LineCase& one);
/// For people.
std::string to_string(const LineCase& one);

/// The largest prime factor; 1 of 1.
Index largest_prime(Index n);
/// `powers-of-two`, `2-3-5-7`, `primes` or `other`.
std::string group(Index n);

/// The cases of an extent that the options leave in, what matters most first.
std::vector<LineCase> line_cases(const Options& options);

}  // namespace weft::study
