#include "geometry/split.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace weft::core {

namespace {

/// How far apart ranks are whose coordinates in the factor differ by one.
Index ranks_apart(const ProcessGrid& grid, std::size_t factor) {
    Index apart = 1;
    for (std::size_t f = factor + 1; f < grid.factors.size(); ++f) apart *= grid.factors[f];
    return apart;
}

}  // namespace

std::optional<int> Split::heavy_factor(const ProcessGrid& grid) const {
    const Index ranks = grid.size();
    for (std::size_t f = grid.factors.size(); f-- > 0;) {
        const Index factor = grid.factors[f];
        if (factor == 1) continue;
        const Index apart = ranks_apart(grid, f);
        if (heavy % apart != 0 || period % apart != 0) continue;
        const bool outermost = apart * factor == ranks;
        if (outermost || factor % (period / apart) == 0) return static_cast<int>(f);
    }
    return {};
}

Partition Split::partition(Index n, const ProcessGrid& grid, const std::vector<int>& cuts) const {
    Partition result{n, 1, rule};
    for (const int factor : cuts) result.parts *= grid.factors[usize(factor)];
    if (even()) return result;
    const std::optional<int> factor = heavy_factor(grid);
    const auto found = factor ? std::find(cuts.begin(), cuts.end(), *factor) : cuts.end();
    if (found == cuts.end()) return result;
    Index inner = 1;
    for (auto f = found + 1; f != cuts.end(); ++f) inner *= grid.factors[usize(*f)];
    const Index apart = ranks_apart(grid, usize(*factor));
    result.weights = {weight, heavy / apart * inner, period / apart * inner,
                      grid.factors[usize(*factor)] * inner};
    return result;
}

// Balanced cuts nest: floor(N1*N2*r/P) with P = N1*k is floor(N2*r/k). Blocks nest only if they
// fill their line, weights only if they begin anew with each line: then all lines weigh alike.
bool Split::repeats(Index length, Index parts) const {
    return parts % period == 0 && (rule == CutRule::balanced || length % parts == 0);
}

}  // namespace weft::core
