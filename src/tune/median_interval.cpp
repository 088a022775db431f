#include "tune/median_interval.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<Interval> median_interval(std::vector<double> values, double confidence) {
    std::sort(values.begin(), values.end());
    const std::size_t count = values.size();
    std::optional<Interval> narrowest;
    double outside = 0;                                          // P(fewer than k heads)
    double exactly = std::pow(0.5, static_cast<double>(count));  // P(k - 1 heads)
    for (std::size_t k = 1; 2 * k <= count; ++k) {
        outside += exactly;
        exactly *= static_cast<double>(count - k + 1) / static_cast<double>(k);
        if (1 - 2 * outside < confidence) break;
        narrowest = {values[k - 1], values[count - k]};
    }
    return narrowest;
}

}  // namespace weft::core
