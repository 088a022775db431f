// The ranks as a grid of ordered factors, the last factor varying fastest with the rank.
#pragma once

#include <vector>

#include "weft/box.hpp"

namespace weft::core {

struct ProcessGrid {
    std::vector<int> factors;

    /// The product of the factors; huge where it would overflow.
    [[nodiscard]] Index size() const;
    /// One coordinate per factor; rank < size().
    [[nodiscard]] std::vector<int> coordinates(int rank) const;
    [[nodiscard]] int rank(const std::vector<int>& coordinates) const;
    bool operator==(const ProcessGrid&) const = default;
};

/// All ways to write `ranks` as an ordered product of `count` factors, each at least `least`,
/// lexicographically ascending.
std::vector<std::vector<int>> ordered_factorizations(int ranks, int count, int least);

/// The ordered factorization into `count` factors whose largest factor is least (ties: the first).
std::vector<int> near_square(int ranks, int count);

}  // namespace weft::core
