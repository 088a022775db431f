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

/// Whether a grid of the same size is nearer to a square, or a cube, than another one: its largest
/// factor is smaller or, if that is the same, its second largest, and so on: 2x2x4 than 1x4x4.
bool nearer_to_square(std::vector<int> grid, std::vector<int> other);

/// The ordered factorization into `count` factors that is nearest to a square (ties: the first).
std::vector<int> near_square(int ranks, int count);

}  // namespace weft::core
