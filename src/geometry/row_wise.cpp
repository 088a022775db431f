#include "geometry/row_wise.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/index.hpp"
#include "base/text.hpp"
#include "geometry/row_shares.hpp"

namespace weft::core {

namespace {

/// The leading axes of an order: all but the last of them make lines, which the last runs along.
struct Rows {
    std::vector<std::size_t> axes;
    Index lines = 1;
    Index length = 1;
};

Rows rows_of(const std::vector<Index>& shape, const std::vector<int>& order, int ranks) {
    Rows rows;
    const std::size_t cuts = row_cuts(shape, order, ranks);
    for (std::size_t i = 0; i < cuts; ++i) {
        rows.axes.push_back(usize(order[i]));
        rows.lines *= rows.length;
        rows.length = shape[rows.axes.back()];
    }
    return rows;
}

/// Whether a process grid N1 x .. x N(j-1) x k cuts the rows in the same shares.
bool is_assignment(const Rows& rows, int ranks, const Split& split) {
    return ranks % rows.lines == 0 &&
           (rows.lines == 1 || split.repeats(rows.length, ranks / rows.lines));
}

Distribution assignment(const std::vector<Index>& shape, int ranks, int used, const Rows& rows,
                        const Split& split) {
    ProcessGrid grid;
    std::vector<std::vector<int>> cuts(shape.size());
    for (const std::size_t axis : rows.axes) {
        cuts[axis] = {static_cast<int>(grid.factors.size())};
        grid.factors.push_back(static_cast<int>(shape[axis]));
    }
    if (!rows.axes.empty()) grid.factors.back() = static_cast<int>(used / rows.lines);
    return {shape, ranks, grid, cuts, split};
}

}  // namespace

std::size_t row_cuts(const std::vector<Index>& shape, const std::vector<int>& order, int ranks) {
    Index rows = 1;
    std::size_t cuts = 0;
    while (rows < ranks && cuts + 1 < order.size()) {
        rows *= shape[usize(order[cuts++])];
    }
    return cuts;
}

Distribution row_wise(const std::vector<Index>& shape, int ranks, int used,
                      const std::vector<int>& order, const Split& split) {
    const Rows rows = rows_of(shape, order, used);
    if (is_assignment(rows, used, split)) return assignment(shape, ranks, used, rows, split);
    std::vector<int> axes(rows.axes.begin(), rows.axes.end());
    Partition shares = split.partition(rows.lines * rows.length, {{used}}, {0});
    // Blocks of a whole line each are those of the lines, and leave the last axis whole.
    if (split.rule == CutRule::block && shares.largest() == rows.length) {
        axes.pop_back();
        shares.n = rows.lines;
    }
    return Distribution(std::make_shared<const RowShares>(
        shape, ranks, axes, shares,
        fmt::format("{}rows({})", split.word(), axis_digits(order, -1))));
}

}  // namespace weft::core
