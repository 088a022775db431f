// What serial transforms cost: one model for all engines, fed with a few measured rates of each.
//
// The rates are of one machine, and no plan depends on them: a model that prices plans has to be
// given the rates of the machine that it is about. In the library they decide one thing, whether a
// rank's threads share a task; those below 100 microseconds are one thread's (TeamEngine). Besides,
// `weft engines` prints the estimate beside what it measures, and leaves out what takes too long.
#pragma once

#include <array>
#include <string_view>

#include "base/transforms.hpp"

namespace weft::core {

/// How the lines along an axis lie in memory: adjacent elements on both sides (lines), on neither
/// side, where lines lie side by side (lanes), or on one of them (permuting).
enum class Pattern { lines, lanes, permuting };
inline constexpr std::array<Pattern, 3> all_patterns = {Pattern::lines, Pattern::lanes,
                                                        Pattern::permuting};

Pattern pattern_of(const Loop& axis);
std::string_view to_string(Pattern pattern);

/// By the usual count, 5 n log2 n for a complex line of n (as for n = 2, if it is shorter) and half
/// of it for a real one; all axes, all lines.
double flops(const FftTask& task);

/// GFLOP/s of an engine, of complex double lines whose length has no prime factor above 7.
struct Rates {
    struct Rate {
        double cached;  ///< source and destination fit in a core's own cache
        double beyond;  ///< they do not
        bool operator==(const Rate&) const = default;
    };
    Rate lines;
    Rate lanes;
    Rate permuting;
    double rough;   ///< times these for lengths that have a prime factor above 7
    double single;  ///< times these in single precision
    double start;   ///< seconds that a call takes besides
    bool operator==(const Rates&) const = default;
};

/// The engine's, of base/engines.def; those of the reference engine for a name that has none. Good
/// enough anywhere to tell tasks that threads should share from those that are too short; not to
/// compare plans on another machine.
Rates rates(std::string_view engine);

/// Estimated seconds of one execution on one core of the machines that the rates are of; good to a
/// factor of two or so, to compare engines and tasks, not to predict.
double seconds(const FftTask& task, const Rates& rates);

}  // namespace weft::core
