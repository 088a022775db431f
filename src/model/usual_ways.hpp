// The decompositions that programs are usually written for, by name: the planner prices them beside
// what its search finds, and predictions list them.
//
// Example: three axes on 1024 ranks, 64 on a node: slab(1024), pencil(32x32), pencil(16x64) and the
// brick of 8x8x16.
#pragma once

#include <string>
#include <vector>

#include "model/machine.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// `slab`, `pencil` or `brick` of so many axes, by the number of cuts; `default` if it is none.
std::string name_of_way(const Decomposition& way, std::size_t axes);

/// Slabs; pencils on the grid nearest to square, and on the grid that has the ranks of a node as
/// its second factor; bricks nearest to a cube. No grid has a factor of 1. Those that the choice
/// leaves open; some may not fit the problem.
std::vector<Decomposition> usual_ways(const Problem& problem, const Choice& choice, int ranks,
                                      const Machine& machine);

}  // namespace weft::core
