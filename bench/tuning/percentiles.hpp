// Where points stand among random ones.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tuning/points.hpp"

namespace weft::bench {

struct PercentileOptions {
    int random = 200;
    int rounds = 3;  ///< of the random points
    int again = 7;   ///< of those that count in the end
    int seeds = 20;  ///< of each search
    int most = 60;   ///< runs of a search
    std::uint64_t seed = 1;
};

/// Measures random points in turns, runs the searches, and measures again, in turns, whatever was
/// the fastest so far in some search, beside the fastest of the random ones: of each search the
/// share of random points that are faster than what it found, and the runs after which it had
/// something in the best percentile. Collective. One JSON object a line.
std::string percentiles(const Points& points, const PercentileOptions& options,
                        const nlohmann::ordered_json& header, bool speaks);

}  // namespace weft::bench
