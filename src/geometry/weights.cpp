#include "geometry/weights.hpp"

#include "base/index.hpp"

namespace weft::core {

Index PartWeights::part_at(Index weighed) const {
    const Index of_block = before_in_block(block);
    const Index of_period = period + (weight - 1) * heavy;
    const Index in_block = weighed % of_block;
    const Index in_period = in_block % of_period;
    const Index part =
        in_period < heavy * weight ? in_period / weight : heavy + in_period - heavy * weight;
    return weighed / of_block * block + in_block / of_period * period + part;
}

namespace {

/// How far apart ranks are whose coordinates in the factor differ by one.
Index ranks_apart(const ProcessGrid& grid, std::size_t factor) {
    Index apart = 1;
    for (std::size_t f = factor + 1; f < grid.factors.size(); ++f) apart *= grid.factors[f];
    return apart;
}

}  // namespace

std::optional<int> weighted_factor(const ProcessGrid& grid, const RankWeights& weights) {
    const Index ranks = grid.size();
    for (std::size_t f = grid.factors.size(); f-- > 0;) {
        const Index factor = grid.factors[f];
        if (factor == 1) continue;
        const Index apart = ranks_apart(grid, f);
        if (weights.heavy % apart != 0 || weights.period % apart != 0) continue;
        const bool outermost = apart * factor == ranks;
        if (outermost || factor % (weights.period / apart) == 0) return static_cast<int>(f);
    }
    return {};
}

PartWeights part_weights(const ProcessGrid& grid, const std::vector<int>& cuts,
                         const RankWeights& weights) {
    if (weights.even()) return {};
    const std::optional<int> factor = weighted_factor(grid, weights);
    const auto found = factor ? std::find(cuts.begin(), cuts.end(), *factor) : cuts.end();
    if (found == cuts.end()) return {};
    Index inner = 1;
    for (auto f = found + 1; f != cuts.end(); ++f) {
        inner *= grid.factors[usize(*f)];
    }
    const auto f = usize(*factor);
    const Index apart = ranks_apart(grid, f);
    return {weights.weight, weights.heavy / apart * inner, weights.period / apart * inner,
            grid.factors[f] * inner};
}

}  // namespace weft::core
