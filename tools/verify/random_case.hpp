// Random problems and choices: what a fuzzer of plans draws from.
#pragma once

#include "base/random.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

struct RandomCase {
    Problem problem;
    Choice choice;
};

/// Boxes that tile an array, any number on a rank, of some ranks none.
std::vector<std::vector<Box>> random_boxes(Random& random, const std::vector<Index>& shape,
                                           int ranks);

/// Any exchange method that suits any redistribution, with any number that it may have.
std::string random_via(Random& random);
/// From slabs or bricks to the same again, by memory that ranks share: so that a redistribution is
/// first or last, which may have direct access to arrays.
void return_by_shared_memory(Random& random, Problem& problem, Choice& choice);
/// Whether that method and that way to pack may be asked for together.
bool go_together(const std::string& via, Pack pack);

/// A well-formed problem for that many ranks: everything that random_case says of problems.
Problem random_problem(Random& random, int ranks, Index most_elements);

/// Any tiling, extreme ones too; not every plan can be cut so.
Tiling random_tiling(Random& random, const Problem& problem);
/// Cuts a case into tiles, if that is possible; if need be without what does not go with them.
void add_tiles(Random& random, RandomCase& one, int ranks);

/// A well-formed problem with a choice that fits it on that many ranks: kinds, precisions, 1 to 6
/// axes of odd, prime, even and unit length, batches, subsets of axes, at both ends layouts, a
/// caller's boxes, orders, padding and strides, both rules of cutting, scales, in place, input to
/// be destroyed, redistributions, all methods and engines of this build, tiles; a fourth returns by
/// shared memory.
RandomCase random_case(Random& random, int ranks);

/// Lets the ends of one problem in five leave elements out. Draws from a copy: all else is drawn as it
/// is for whole ends.
void leave_out_some(Random random, Problem& problem);
/// Has every element owned at both ends: where some are not, others take their places.
void cover_ends(Problem& problem);

/// Whether there is a plan for it on so many ranks.
bool fits(const RandomCase& one, int ranks);
/// The same computed there, by an engine of the device's own if it has some, and in ways that it
/// has. A bound of memory is raised to what the longest line needs.
void move_to(const Space& space, Random& random, RandomCase& one, int ranks);

}  // namespace weft::core
