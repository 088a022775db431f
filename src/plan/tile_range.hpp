// The stages of a plan that tiles along an axis can go through.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// Stages that tiles along an axis can go through.
struct TileRange {
    std::size_t first = 0;
    std::size_t last = 0;
    bool splits_first = false;  ///< of the first stage, a transform, only a part: that of the rest
    bool splits_last = false;
    bool cuts = false;  ///< its first redistribution cuts the axis: the layout before has no tiles
    bool makes_whole = false;  ///< its last redistribution makes the axis whole
    int redistributions = 0;
    int axes = 0;  ///< that are transformed in it

    [[nodiscard]] std::size_t first_tiled() const { return first + (cuts ? 1 : 0); }
    [[nodiscard]] std::size_t last_tiled() const { return last + (makes_whole ? 0 : 1); }
};

/// The one with most redistributions, of these the one with most transforms; without redistributions: there is none.
TileRange best_range(const Plan& plan, int axis);

/// A batch's own; otherwise the axis whose tiles go through most redistributions and transforms.
int best_axis(const Plan& plan);

/// Whether every rank has the same part of the axis in both.
bool same_cut(const Distribution& a, const Distribution& b, int axis);

/// Which axes of a transform of several remain when one of them goes first (last); empty: none may.
std::vector<int> axes_without(const TransformStage& transform, int axis, bool goes_first);

}  // namespace weft::core
