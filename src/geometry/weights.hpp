// Parts of an axis, and ranks, of which some have more than the others.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "geometry/process_grid.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// Of each `period` parts of a block the first `heavy` weigh `weight`, the others 1; every `block`
/// parts it begins anew. So the parts of all blocks together weigh the same.
///
/// Example: weight 3, heavy 1, period 4, block 4, of 8 parts: 3 1 1 1 3 1 1 1.
struct PartWeights {
    Index weight = 1;
    Index heavy = 0;
    Index period = 1;
    Index block = 1;

    [[nodiscard]] bool even() const { return weight == 1; }
    /// What the parts before that one weigh.
    [[nodiscard]] Index before(Index part) const {
        return part / block * before_in_block(block) + before_in_block(part % block);
    }
    /// The last part before which no more than that lies.
    [[nodiscard]] Index part_at(Index weighed) const;
    bool operator==(const PartWeights&) const = default;

  private:
    [[nodiscard]] Index before_in_block(Index part) const {
        return part + (weight - 1) * (part / period * heavy + std::min(part % period, heavy));
    }
};

/// Of each `period` ranks the first `heavy` own `weight` times as much as each of the others.
struct RankWeights {
    Index weight = 1;
    int heavy = 0;
    int period = 1;

    [[nodiscard]] bool even() const { return weight == 1; }
    bool operator==(const RankWeights&) const = default;
};

/// The factor of the grid whose coordinate alone says whether a rank is a heavy one; nothing if
/// there is none, so that no cut along axes gives ranks their weights.
///
/// Example: of each 4 ranks the first is heavy. In the grid 2x4 it is factor 1; in 4x2, where ranks
/// 0 and 4 have coordinates 00 and 20, there is none. In 8 it is factor 0.
std::optional<int> weighted_factor(const ProcessGrid& grid, const RankWeights& weights);

/// The weights of the parts of an axis that is cut by these factors of the grid, outermost first.
PartWeights part_weights(const ProcessGrid& grid, const std::vector<int>& cuts,
                         const RankWeights& weights);

}  // namespace weft::core
