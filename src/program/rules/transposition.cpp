// A transform that also changes the order of axes ([song]'s Transpose), part by part: transformed
// into scratch memory and copied from there to its place, or copied, then transformed. In place the
// parts are planes, each of which takes the memory of the one that it is made of. For engines that
// are slow where lines lie far apart, lines are contiguous in scratch memory; out of place the parts
// are sub-tiles of them.
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

/// The slowest axes, which have one order and one place for each of their elements before the stage
/// and behind it; the others are permuted within planes. Empty: a stage that is not in place, or
/// whose planes do not keep their places.
///
/// Example: x-y-z of 4 x 6 x 4 complex numbers to x-z-y: axis x, with 4 planes of 24 elements each.
std::vector<int> axes_across_planes(const Lowering& lowering, int stage) {
    const Layout& before = lowering.at(stage);
    const Layout& after = lowering.at(stage + 1);
    const bool over = lowering.plan.problem.in_place && !lowering.keeps_source(stage) &&
                      !lowering.shares_ends && before.format.order != after.format.order;
    const bool given = !before.format.strides.empty() || !after.format.strides.empty();
    const std::vector<StoredBox> from = before.stored(lowering.rank());
    const std::vector<StoredBox> to = after.stored(lowering.rank());
    if (!over || given || from.size() != 1 || to.size() != 1) return {};
    std::vector<int> axes;
    Index planes = 1;
    for (std::size_t i = 0; i < before.format.order.size(); ++i) {
        const int axis = before.format.order[i];
        const Index bytes = from.front().strides[usize(axis)] * before.scalar.bytes();
        if (axis != after.format.order[i] || axis == lowering.transform(stage)->axes.front() ||
            bytes != to.front().strides[usize(axis)] * after.scalar.bytes()) {
            break;
        }
        axes.push_back(axis);
        planes *= from.front().box.extent(axis);
    }
    return planes > 1 ? axes : std::vector<int>{};
}

bool wants_contiguous(const Lowering& lowering) {
    return lowering.plan.placement(lowering.rank()).traits.wants_contiguous;
}

}  // namespace

std::optional<std::string> why_not_transposition(const Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    if (!lowering.beside_tiles() || !lowering.is_alone())
        return "it is not the only stage beside tiles";
    if (transform.axes.size() != 1) return "it has several axes";
    if (!transform.kept.empty()) return "it keeps a part of lines";
    if (!axes_across_planes(lowering, stage).empty()) return {};
    if (!wants_contiguous(lowering)) {
        return "engine=" + lowering.plan.choice.engine +
               " transforms lines wherever they lie, and no planes keep their places in one array";
    }
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
    const bool near_before = contiguous_along(before, axis);
    const bool needs_near = wants_contiguous(lowering);
    const bool transforms_first = near_before || !needs_near;
    // Lines as the side has them on which they are contiguous, or as they are to be; elements as
    // between the two.
    const Layout between{transforms_first ? after.where : before.where,
                         dense(near_before && needs_near ? before.format : after.format),
                         transforms_first ? after.scalar : before.scalar};
    const ValueId source = lowering.here;
    std::vector<Tile> cuts;
    for (const int across : axes_across_planes(lowering, stage)) cuts.push_back({across, 1});
    Value made{lowering.bytes(stage + 1)};
    const bool over = !cuts.empty();
    if (!over) {
        const Layout& far = near_before ? after : before;
        cuts = cuts_of_lines(axis, between.where.largest_extent(axis), far.format);
    } else {
        made.over = source;
        made.over_in_parts = true;
    }
    lowering.here = lowering.make(stage + 1, made);
    const auto copy = [&](const Layout& from, const Layout& to, ValueId in, ValueId out) {
        lowering.copy(stage, Purpose::reorder, copies_between(from, to, lowering.rank()), in, out);
    };
    for_sub_tiles(lowering, before.where, cuts, [&](const std::vector<Tile>& tiles) {
        const Layout from = part_within(before, tiles);
        const Layout lines = part_by_itself(between, tiles);
        const Layout to = part_within(after, tiles);
        // A plane may be large, and the tiles' buffers are free now.
        const ValueId scratch = over ? lowering.draft.add(Value{lines.bytes(lowering.rank())})
                                     : add_scratch(lowering, lines);
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
