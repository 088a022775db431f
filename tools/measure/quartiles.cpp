#include "measure/quartiles.hpp"

#include <algorithm>
#include <cmath>

namespace weft::cli {

Quartiles quartiles(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double fraction) {
        const double place = fraction * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], place - std::floor(place));
    };
    return {at(0.5), at(0.25), at(0.75)};
}

}  // namespace weft::cli
