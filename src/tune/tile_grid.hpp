// The numbers of a plan in tiles as a grid of positions ([song] sections 4.2 and 4.4).
//
// Example: tiles along an axis of which a rank holds 24 elements, between 4 ranks. T is on the
// scale 1, 2, 4, 8, 16, 24, and W, of which there are few values, on 0, 1, 2, 3, 4; polls are on
// 0, 1, 2, 4, 8. The default point T = 24/16, W = 2, F = 2 is the position {0, 2, 2}. T = 24 with
// W = 3 is infeasible: there is one tile.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "tune/strategy.hpp"

namespace weft::core {

/// few: T, W and one number of polls for all four phases; all: the ten of [song] table 1.
enum class TileNumbers { few, all };

class TileGrid {
  public:
    /// The plan is in tiles. A number that `asked` gives stays as it is.
    TileGrid(const Plan& plan, const Tiling& asked, TileNumbers numbers);

    /// How many values each number has.
    [[nodiscard]] std::vector<int> steps() const;
    /// The position nearest to the plan's own numbers.
    [[nodiscard]] Position start() const;
    /// The plan's tiling with the numbers of the position.
    [[nodiscard]] Tiling at(const Position& position) const;
    /// The positions that differ by a step in one or two of the first two numbers, which are those
    /// that the model knows: T and W, unless they are given.
    [[nodiscard]] std::vector<Position> beside(const Position& position) const;
    /// Those that differ in the first number only.
    [[nodiscard]] std::vector<Position> along_first(const Position& position) const;
    /// Whether sub-tiles are no larger than tiles, and no more tiles in flight than there are.
    [[nodiscard]] bool feasible(const Position& position) const;

  private:
    /// A number by its name in texts; F is all four numbers of polls.
    struct Number {
        std::string name;
        std::vector<Index> scale;
    };
    void add(const std::string& name, bool asked, std::vector<Index> scale);
    void add_sub_tiles(const Plan& plan, const Tiling& asked);

    Tiling tiling_;
    Index whole_ = 1;  ///< elements of a rank's part along the axis of the tiles
    std::vector<Number> numbers_;
};

}  // namespace weft::core
