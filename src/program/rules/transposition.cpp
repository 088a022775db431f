// A transform that also changes the order of axes, for engines that are slow where lines lie far
// apart ([song]'s Transpose): sub-tiles of contiguous lines are transformed into scratch memory and
// copied from there to their places, if lines are contiguous before; otherwise copied, then
// transformed.
#include <algorithm>

#include "plan/placement.hpp"
#include "plan/tiling.hpp"
#include "program/rules/rule.hpp"
#include "program/rules/sub_tile.hpp"

namespace weft::core {

namespace {

bool contiguous_along(const Layout& layout, int axis) { return layout.format.order.back() == axis; }

/// Cuts for sub-tiles of lines of that length along an axis. Copies have long runs along the axis
/// that is the fastest of the others on the side where lines lie far apart.
std::vector<Tile> cuts_of_lines(int axis, Index length, const Format& far) {
    std::vector<int> others = far.order;
    std::erase(others, axis);
    std::vector<Tile> result;
    if (others.size() > 1) result.push_back({others.front(), 1});
    const Index lines = std::max<Index>(sub_tile_elements / std::max<Index>(length, 1), 1);
    if (!others.empty()) result.push_back({others.back(), lines});
    return result;
}

}  // namespace

std::optional<std::string> why_not_transposition(const Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    if (!lowering.beside_tiles() || !lowering.is_alone())
        return "it is not the only stage beside tiles";
    if (!lowering.plan.placement(lowering.rank()).traits.wants_contiguous) {
        return "engine=" + lowering.plan.choice.engine + " transforms lines wherever they lie";
    }
    if (transform.axes.size() != 1) return "it has several axes";
    const int axis = transform.axes.front();
    if (contiguous_along(lowering.at(stage), axis) ==
        contiguous_along(lowering.at(stage + 1), axis)) {
        return "its lines do not become contiguous, nor cease to be so";
    }
    return {};
}

int lower_transposition(Lowering& lowering, int stage) {
    const Layout& before = lowering.at(stage);
    const Layout& after = lowering.at(stage + 1);
    const int axis = lowering.transform(stage)->axes.front();
    const bool transforms_first = contiguous_along(before, axis);
    // Lines as the side has them on which they are contiguous, elements as between the two.
    const Layout between{transforms_first ? after.where : before.where,
                         dense(transforms_first ? before.format : after.format),
                         transforms_first ? after.scalar : before.scalar};
    const ValueId source = lowering.here;
    lowering.here = lowering.make(stage + 1);
    const Layout& far = transforms_first ? after : before;
    const auto cuts = cuts_of_lines(axis, between.where.largest_extent(axis), far.format);
    const auto copy = [&](const Layout& from, const Layout& to, ValueId in, ValueId out) {
        lowering.copy(stage, Purpose::reorder, copies_between(from, to, lowering.rank()), in, out);
    };
    for_sub_tiles(lowering, before.where, cuts, [&](const std::vector<Tile>& tiles) {
        const Layout from = part_within(before, tiles);
        const Layout lines = part_by_itself(between, tiles);
        const Layout to = part_within(after, tiles);
        const ValueId scratch = add_scratch(lowering, lines);
        if (transforms_first) {
            add_transforms(lowering, stage, from, lines, source, scratch, false);
            copy(lines, to, scratch, lowering.here);
        } else {
            copy(from, lines, source, scratch);
            add_transforms(lowering, stage, lines, to, scratch, lowering.here, true);
        }
    });
    return stage + 1;
}

}  // namespace weft::core
