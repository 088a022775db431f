// How ranks share the axes of an array.
#pragma once

#include <optional>
#include <vector>

#include "geometry/partition.hpp"
#include "geometry/process_grid.hpp"

namespace weft::core {

/// By a rule; if that is balanced, of each `period` ranks the first `heavy` may own `weight` times
/// as much as each of the others. Equal shares have weight 1, heavy 0, period 1.
struct Split {
    CutRule rule;
    Index weight;
    int heavy;
    int period;

    Split(CutRule by = CutRule::balanced, Index times = 1, int first = 0, int of_each = 1)
        : rule(by), weight(times), heavy(even() ? 0 : first), period(even() ? 1 : of_each) {}

    [[nodiscard]] bool even() const { return weight == 1; }
    /// The word before the name of a distribution with this split: `weighted `, or none.
    [[nodiscard]] const char* word() const { return even() ? "" : "weighted "; }
    /// The factor of the grid whose coordinate alone says whether a rank is a heavy one; nothing if
    /// there is none, so that no cut along axes gives ranks their shares.
    ///
    /// Example: of each 4 ranks the first is heavy. In the grid 2x4 it is factor 1; in 4x2, where
    /// ranks 0 and 4 have coordinates 00 and 20, there is none. In 8 it is factor 0.
    [[nodiscard]] std::optional<int> heavy_factor(const ProcessGrid& grid) const;
    /// Whether cuts along axes give the ranks of the grid their shares.
    [[nodiscard]] bool suits(const ProcessGrid& grid) const { return even() || heavy_factor(grid); }
    /// The parts of an axis of n indices that is cut by these factors of the grid, outermost first.
    [[nodiscard]] Partition partition(Index n, const ProcessGrid& grid,
                                      const std::vector<int>& cuts) const;
    /// Whether lines one after the other, cut at once, are each cut in that number of parts alike.
    [[nodiscard]] bool repeats(Index length, Index parts) const;
    bool operator==(const Split&) const = default;
};

}  // namespace weft::core
