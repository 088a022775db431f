// Random distributions for the tests of geometry and exchange.
#pragma once

#include "base/random.hpp"
#include "geometry/distribution.hpp"

namespace weft::core::test {

inline std::vector<Index> random_shape(Random& random, int most_axes) {
    std::vector<Index> shape(static_cast<std::size_t>(random.between(1, most_axes)));
    for (Index& n : shape) n = random.between(1, 9);
    return shape;
}

/// Factors of that many ranks, in any order on any axes, several to an axis.
inline Distribution random_distribution(Random& random, const std::vector<Index>& shape, int ranks,
                                        const ProcessGrid& grid, CutRule rule) {
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < grid.factors.size(); ++f) {
        const Index axis = random.between(0, static_cast<Index>(shape.size()) - 1);
        cuts[static_cast<std::size_t>(axis)].push_back(static_cast<int>(f));
    }
    for (auto& factors : cuts) random.shuffle(factors);
    return Distribution(shape, ranks, grid, cuts, rule);
}

/// A grid of all ranks or, sometimes, of fewer.
inline ProcessGrid random_grid(Random& random, int ranks) {
    const int size = random.once_in(4) ? static_cast<int>(random.between(1, ranks)) : ranks;
    const int factors = static_cast<int>(random.between(1, 4));
    return {random.pick(ordered_factorizations(size, factors, 1))};
}

inline CutRule random_rule(Random& random) {
    return random.once_in(2) ? CutRule::block : CutRule::balanced;
}

}  // namespace weft::core::test
