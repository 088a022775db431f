// The decomposition: through which distributions an array passes so that every transformed axis
// is at some time whole on its ranks.
#pragma once

#include "plan/problem.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// A sequence of distributions from input to output. Each has the shape that the array has when
/// the move to the next one happens (the last: when all is transformed).
struct Path {
    Decomposition decomposition;  ///< complete
    std::vector<Distribution> states;
};

/// The path of fewest exchanges, then least volume, that the constraint allows, for a problem of
/// kind c2c or r2c. Paths on which some rank idles are taken only if there are no others, and paths
/// whose largest part is larger by a quarter than another's are not.
/// A later candidate must save 1/64 of the volume to be preferred: rounding decides nothing.
/// With more than 64 distributions to choose from (four and more cuts) only one factor moves at a
/// time between inner ones, so there another exchange could sometimes be saved.
/// As many cuts as axes ask for bricks on the way: home, one pencil for each axis, home, of which a
/// given end leaves out its own ([ayala] Fig. 1, four exchanges in three dimensions).
/// With `least_volume` the volume alone decides (then the number of exchanges), over all slabs and
/// pencils, three cuts and more, and rows; to 4096 ranks it is exact.
/// The first `shrink` ranks (0: all) hold what is between the given ends; idle are only those of
/// them that own nothing. Throws Error(bad_request) if there is none.
Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink = 0);

}  // namespace weft::core
