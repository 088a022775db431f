#include "geometry/process_grid.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "weft/problem.hpp"

namespace weft::core {

Index ProcessGrid::size() const {
    constexpr Index most = Index{1} << 62;
    Index n = 1;
    for (const int factor : factors) n = factor > most / n ? most : n * factor;
    return n;
}

std::vector<int> ProcessGrid::coordinates(int rank) const {
    std::vector<int> result(factors.size());
    for (std::size_t f = factors.size(); f-- > 0;) {
        result[f] = rank % factors[f];
        rank /= factors[f];
    }
    return result;
}

int ProcessGrid::rank(const std::vector<int>& coordinates) const {
    int result = 0;
    for (std::size_t f = 0; f < factors.size(); ++f) result = result * factors[f] + coordinates[f];
    return result;
}

namespace {

std::vector<int> divisors(int n) {
    std::vector<int> small;
    std::vector<int> large;
    for (int d = 1; d <= n / d; ++d) {
        if (n % d != 0) continue;
        small.push_back(d);
        if (d != n / d) large.push_back(n / d);
    }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

void factorize(int rest, int count, int least, const std::vector<int>& candidates,
               std::vector<int>& prefix, std::vector<std::vector<int>>& found) {
    if (count == 1) {
        if (rest < least) return;
        found.push_back(prefix);
        found.back().push_back(rest);
        return;
    }
    for (const int factor : candidates) {
        if (factor > rest) break;
        if (factor < least || rest % factor != 0) continue;
        prefix.push_back(factor);
        factorize(rest / factor, count - 1, least, candidates, prefix, found);
        prefix.pop_back();
    }
}

}  // namespace

std::vector<std::vector<int>> ordered_factorizations(int ranks, int count, int least) {
    std::vector<std::vector<int>> found;
    std::vector<int> prefix;
    if (count == 0 && ranks == 1) found.emplace_back();
    if (count > 0) factorize(ranks, count, least, divisors(ranks), prefix, found);
    return found;
}

bool nearer_to_square(std::vector<int> grid, std::vector<int> other) {
    std::sort(grid.rbegin(), grid.rend());
    std::sort(other.rbegin(), other.rend());
    return grid < other;
}

std::vector<int> near_square(int ranks, int count) {
    const auto all = ordered_factorizations(ranks, count, 1);
    return *std::min_element(all.begin(), all.end(), nearer_to_square);
}

}  // namespace weft::core

namespace weft {

std::vector<int> minimum_surface_grid(const std::vector<Index>& shape, int ranks) {
    if (shape.empty() || ranks < 1) {
        core::bad_request("a grid of bricks needs at least one axis and one rank");
    }
    // The surface of a brick, up to a factor that all grids share: the sum of parts / length.
    const auto surface = [&](const std::vector<int>& grid) {
        double sum = 0;
        for (std::size_t a = 0; a < shape.size(); ++a) {
            sum += static_cast<double>(grid[a]) / static_cast<double>(shape[a]);
        }
        return sum;
    };
    const auto grids = core::ordered_factorizations(ranks, static_cast<int>(shape.size()), 1);
    const std::vector<int>* best = nullptr;
    constexpr double rounding = 1e-12;
    for (const auto& grid : grids) {
        if (best == nullptr || surface(grid) < surface(*best) * (1 - rounding)) best = &grid;
    }
    return *best;
}

}  // namespace weft
