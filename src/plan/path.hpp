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
/// Throws Error(bad_request) if there is none.
Path find_path(const Problem& problem, const Decomposition& constraint, int ranks);

/// The axes that are transformed when the array arrives in a distribution with `done` (one flag
/// per array axis) behind it; sets their flags. The halved axis comes first of all, and is listed
/// last, as engines want it.
std::vector<int> transform_local_axes(const Problem& problem, const Distribution& where,
                                      std::vector<bool>& done);

}  // namespace weft::core
