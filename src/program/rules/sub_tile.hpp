// Parts of rules that transform sub-tile by sub-tile: between a transform and a copy each sub-tile
// lies by itself in scratch memory, so that it stays in the caches.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "program/layout_tasks.hpp"
#include "program/rules/lowering.hpp"

namespace weft::core {

/// Calls visit(tiles) for each sub-tile of a rank's boxes: parts of `extent` elements along the
/// axis of each cut, those of the first cut slowest. In a sketch, where these are many along a cut,
/// for the first, the last, and one that stands for all between.
template <class Visit>
void for_sub_tiles(const Lowering& lowering, const Distribution& where, std::vector<Tile> cuts,
                   const Visit& visit, std::size_t first = 0) {
    if (first == cuts.size()) return visit(cuts);
    constexpr Index many = 16;
    Tile& cut = cuts[first];
    const Index whole = where.extent(cut.axis, lowering.rank());
    const Index count = (whole + cut.extent - 1) / cut.extent;
    Index& times = lowering.draft.times;
    const Index outside = times;
    const bool alike = lowering.mode.is_sketch && where.boxes(lowering.rank()).size() == 1;
    for (cut.number = 0; cut.number < count; ++cut.number) {
        const bool stands_for_all = alike && count > many && cut.number == 1;
        if (stands_for_all) times *= count - 2;
        for_sub_tiles(lowering, where, cuts, visit, first + 1);
        if (stands_for_all) cut.number = count - 2;
        times = outside;
    }
}

/// A sub-tile of a layout where it lies in the rank's array, and by itself.
inline Layout part_within(Layout layout, const std::vector<Tile>& tiles) {
    for (const Tile& tile : tiles) layout = layout.tile_within(tile);
    return layout;
}
inline Layout part_by_itself(Layout layout, const std::vector<Tile>& tiles) {
    for (const Tile& tile : tiles) layout = layout.tile(tile);
    return layout;
}

inline ValueId add_scratch(const Lowering& lowering, const Layout& part) {
    Value scratch{part.bytes(lowering.rank())};
    scratch.home = Home::scratch;
    return lowering.draft.add(scratch);
}
/// Adds the transforms of a stage between parts of the layouts beside it.
inline void add_transforms(const Lowering& lowering, int stage, const Layout& from,
                           const Layout& to, ValueId source, ValueId target, bool from_scratch) {
    for (FftTask& task : fft_tasks(*lowering.transform(stage), from, to, lowering.rank())) {
        task.may_destroy_input = from_scratch;
        lowering.add(stage, TransformOp{std::move(task), source, target});
    }
}

}  // namespace weft::core
