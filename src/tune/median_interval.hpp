// The interval in which the median of what is measured lies, whatever its distribution.
//
// Each of n measurements is above the median with probability 1/2. So the median lies between the
// k-th least and the k-th largest with probability 1 - 2 P(fewer than k of n coins show heads).
// Example: of 6 measurements the least and the largest enclose the median with probability
// 1 - 2/64 = 0.97; of 5 with 0.94, so that 5 have no interval of confidence 0.95.
#pragma once

#include <optional>
#include <vector>

namespace weft::core {

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

/// Of at least one number; of an even count the mean of the middle two.
double median(std::vector<double> values);

/// The narrowest interval between order statistics that encloses the median with at least that
/// probability; nothing if the measurements are too few.
std::optional<Interval> median_interval(std::vector<double> values, double confidence = 0.95);

}  // namespace weft::core
