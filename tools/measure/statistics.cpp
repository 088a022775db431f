#include "measure/statistics.hpp"

#include <cmath>
#include <numeric>

namespace weft::cli {

Statistics statistics(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    Statistics result;
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    if (values.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
    result.quartiles = quartiles(values);
    return result;
}

}  // namespace weft::cli
