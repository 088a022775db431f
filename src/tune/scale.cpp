#include "tune/scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.hpp"

namespace weft::core {

std::vector<Index> log_scale(Index low, Index high) {
    std::vector<Index> values = {low};
    for (Index power = 1; power < high; power *= 2) {
        if (power > low) values.push_back(power);
    }
    if (high > low) values.push_back(high);
    return values;
}

std::vector<Index> linear_scale(Index low, Index high) {
    std::vector<Index> values(usize(high - low + 1));
    std::iota(values.begin(), values.end(), low);
    return values;
}

int nearest_step(const std::vector<Index>& scale, Index value) {
    // One more, so that 0 has a logarithm.
    const auto far = [&](Index other) {
        return std::abs(std::log(static_cast<double>(other + 1) / static_cast<double>(value + 1)));
    };
    const auto nearest = std::min_element(scale.begin(), scale.end(),
                                          [&](Index a, Index b) { return far(a) < far(b); });
    return static_cast<int>(nearest - scale.begin());
}

}  // namespace weft::core
