// What bench/overlap_study compares: [song]'s schemes and weft's as choices of one plan.
#pragma once

#include <string>
#include <vector>

#include "weft/box.hpp"

namespace weft::bench {

/// A point of a scheme: what is looked for.
struct Point {
    int parts = 16;  ///< tiles of a rank, [song]'s default
    int window = 3;  ///< 0: each tile is waited for
    int polls = 8;
    std::string via = "p2p";
};

/// The choices of a plan that differ in a Point, or one choice alone where there are no tiles.
struct Scheme {
    std::string name;
    std::string choice;
    std::string axis{};          ///< of the tiles, as the text of a tiling has it; empty: no tiles
    Index extent = 0;            ///< of a rank's part, along the axis of the tiles
    std::vector<int> parts{};    ///< worth a try
    std::vector<int> windows{};  ///< worth a try
    std::string more{};          ///< of the tiling
    int calls = 1;               ///< of a plan of one field; 1: one call does the whole problem

    [[nodiscard]] bool overlaps() const { return !windows.empty() && windows.back() > 0; }
    [[nodiscard]] std::string at(const Point& point) const;
};

/// [song]'s comparison for a shape of slabs, and tiles along the axis that the exchange makes
/// whole.
std::vector<Scheme> schemes_of_array(const std::vector<Index>& shape, int ranks,
                                     const std::string& engine);

/// Of a batch of so many fields: calls for one after the other, all in one exchange, fields as
/// tiles, and tiles of fields.
std::vector<Scheme> schemes_of_batch(const std::vector<Index>& shape, Index fields, int ranks,
                                     const std::string& engine);

}  // namespace weft::bench
