// A transform that also changes the order of axes, for engines that are slow where lines lie far
// apart ([song]'s Transpose): sub-tiles of contiguous lines are transformed into scratch memory and
// copied from there to their places, if lines are contiguous before; otherwise copied, then
// transformed.
#include <algorithm>

#include "base/engines.hpp"
#include "plan/tiling.hpp"
#include "program/layout_tasks.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

bool contiguous_along(const Layout& layout, int axis) { return layout.format.order.back() == axis; }

/// Of those axes that are not transformed, in that order.
std::vector<int> others(const Format& format, int transformed) {
    std::vector<int> result = format.order;
    std::erase(result, transformed);
    return result;
}

class Transposition {
  public:
    Transposition(Lowering& lowering, int stage)
        : lowering_(lowering),
          stage_(stage),
          transform_(*lowering.part.transform(stage)),
          rank_(lowering.part.rank),
          before_(lowering.part.at(stage)),
          after_(lowering.part.at(stage + 1)),
          first_(contiguous_along(before_, transform_.axes.front())),
          // Lines as the side has them on which they are contiguous, elements as between the two.
          between_{first_ ? after_.where : before_.where,
                   dense(first_ ? before_.format : after_.format),
                   first_ ? after_.scalar : before_.scalar},
          source_(lowering.here),
          target_(lowering.make(stage + 1)) {}

    void lower() {
        const int axis = transform_.axes.front();
        // Along the axis that is fastest of the others on the far side copies have long runs.
        const std::vector<int> far = others(first_ ? after_.format : before_.format, axis);
        const int lines = far.empty() ? -1 : far.back();
        const int steps = far.size() > 1 ? far.front() : -1;
        const Index length = std::max<Index>(between_.where.largest_extent(axis), 1);
        const Index block = std::max<Index>(sub_tile_elements / length, 1);
        for_tiles(steps, 1, [&](const Tile* step) {
            for_tiles(lines, block, [&](const Tile* some) { add(step, some); });
        });
        lowering_.here = target_;
    }

  private:
    template <class Visit>
    void for_tiles(int axis, Index extent, const Visit& visit) const {
        if (axis == -1) return visit(nullptr);
        const Index most = before_.where.extent(axis, rank_);
        for (Tile tile{axis, extent, 0}; tile.number * extent < most; ++tile.number) visit(&tile);
    }
    void add(const Tile* step, const Tile* lines) const {
        Layout before = before_;
        Layout between = between_;
        Layout after = after_;
        for (const Tile* tile : {step, lines}) {
            if (tile == nullptr) continue;
            before = before.tile_within(*tile);
            between = between.tile(*tile);
            after = after.tile_within(*tile);
        }
        Value made{between.bytes(rank_)};
        made.home = Home::scratch;
        const ValueId scratch = lowering_.draft.add(made);
        if (first_) {
            add_transforms(before, between, source_, scratch, false);
            copy(between, after, scratch, target_);
        } else {
            copy(before, between, source_, scratch);
            add_transforms(between, after, scratch, target_, true);
        }
    }
    void add_transforms(const Layout& from, const Layout& to, ValueId source, ValueId target,
                        bool from_scratch) const {
        for (FftTask& task : fft_tasks(transform_, from, to, rank_)) {
            task.may_destroy_input = from_scratch;
            lowering_.add(stage_, TransformOp{task, source, target});
        }
    }
    void copy(const Layout& from, const Layout& to, ValueId source, ValueId target) const {
        lowering_.copy(stage_, Purpose::reorder, copies_between(from, to, rank_), source, target);
    }

    Lowering& lowering_;
    int stage_;
    const TransformStage& transform_;
    int rank_;
    const Layout& before_;
    const Layout& after_;
    bool first_;  ///< transforms come first
    Layout between_;
    ValueId source_;
    ValueId target_;
};

}  // namespace

std::optional<std::string> why_not_transposition(const Part& part, int stage) {
    const TransformStage& transform = *part.transform(stage);
    if (!part.beside_tiles || !part.is_alone()) return "it is not the only stage beside tiles";
    if (!engine_traits(part.plan.choice.engine).wants_contiguous) {
        return "engine=" + part.plan.choice.engine + " transforms lines wherever they lie";
    }
    if (transform.axes.size() != 1) return "it has several axes";
    const int axis = transform.axes.front();
    if (contiguous_along(part.at(stage), axis) == contiguous_along(part.at(stage + 1), axis)) {
        return "its lines do not become contiguous, nor cease to be so";
    }
    return {};
}

int lower_transposition(Lowering& lowering, int stage) {
    Transposition(lowering, stage).lower();
    return stage + 1;
}

}  // namespace weft::core
