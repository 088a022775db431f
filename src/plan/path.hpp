// The decomposition: through which distributions an array passes so that every transformed axis
// is at some time whole on its ranks.
#pragma once

#include "plan/objective.hpp"
#include "plan/problem.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// A sequence of distributions from input to output. Each has the shape that the array has when
/// the redistribution to the next one happens (the last: when all is transformed).
struct Path {
    Decomposition decomposition;  ///< complete
    std::vector<Distribution> states;
    std::vector<std::vector<int>> axes;  ///< that are transformed in each, see transform_local_axes
};

/// The path that an objective puts first among those that the constraint allows, for a problem of
/// kind c2c or r2c: plan/candidates.hpp says which paths there are, plan/objective.hpp what may put
/// one of them first.
/// With more than 64 distributions to choose from (four and more cuts) only one factor moves at a
/// time between inner ones, so there another exchange could sometimes be saved.
/// As many cuts as axes ask for bricks on the way: home, one pencil for each axis, home, of which a
/// given end leaves out its own ([ayala] Fig. 1, four exchanges in three dimensions).
/// The first `shrink` ranks (0: all) hold what is between the given ends; idle are only those of
/// them that own nothing. Throws Error(bad_request) if there is none.
/// `in_order`: axes are transformed in axis_order(problem), which may take more exchanges.
/// Ranks share the axes of distributions on the way by the split, those of given ends by the
/// problem's rule alone.
Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink,
               const Objective& objective, const Split& split, bool in_order = false);

/// By the problem's rule, and the objective that the constraint asks for: least volume, or fewest
/// exchanges.
Path find_path(const Problem& problem, const Decomposition& constraint, int ranks, int shrink = 0);

}  // namespace weft::core
