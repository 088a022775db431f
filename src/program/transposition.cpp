#include "program/transposition.hpp"

#include <algorithm>

#include "base/engines.hpp"
#include "plan/tiling.hpp"
#include "program/chain.hpp"
#include "program/move.hpp"
#include "program/transform_task.hpp"

namespace weft::core {

namespace {

const TransformStage* only_stage(const Plan& part) {
    return part.stages.size() == 1 ? transform_at(part, 0) : nullptr;
}

bool contiguous_before(const Plan& part) {
    return part.at.front().format.order.back() == only_stage(part)->axes.front();
}

/// Of those axes that are not transformed, in that order.
std::vector<int> others(const Format& format, int transformed) {
    std::vector<int> result = format.order;
    std::erase(result, transformed);
    return result;
}

class Transposition {
  public:
    Transposition(const Plan& part, int rank)
        : transform_(*only_stage(part)),
          rank_(rank),
          first_(contiguous_before(part)),
          before_(part.at.front()),
          after_(part.at.back()),
          // Lines as the side has them on which they are contiguous, elements as between the two.
          between_{first_ ? after_.where : before_.where,
                   dense(first_ ? before_.format : after_.format),
                   first_ ? after_.scalar : before_.scalar} {}

    Program program() {
        Program result{
            rank_, {{Role::input, before_.bytes(rank_)}, {Role::output, after_.bytes(rank_)}}, {}};
        const int axis = transform_.axes.front();
        // Along the axis that is fastest of the others on the far side copies have long runs.
        const std::vector<int> far = others(first_ ? after_.format : before_.format, axis);
        const int lines = far.empty() ? -1 : far.back();
        const int steps = far.size() > 1 ? far.front() : -1;
        const Index length = std::max<Index>(between_.where.largest_extent(axis), 1);
        const Tile block{lines, std::max<Index>(sub_tile_elements / length, 1), 0};
        Index scratch = 0;
        for_tiles(steps, 1, [&](const Tile* step) {
            for_tiles(lines, block.extent, [&](const Tile* some) {
                scratch = std::max(scratch, add(step, some, result.operations));
            });
        });
        result.buffers.push_back({Role::work, scratch});
        return result;
    }

  private:
    template <class Visit>
    void for_tiles(int axis, Index extent, const Visit& visit) const {
        if (axis == -1) return visit(nullptr);
        const Index most = before_.where.extent(axis, rank_);
        for (Tile tile{axis, extent, 0}; tile.number * extent < most; ++tile.number) visit(&tile);
    }
    /// Returns the bytes of scratch memory.
    Index add(const Tile* step, const Tile* lines, std::vector<Operation>& operations) const {
        Layout before = before_;
        Layout between = between_;
        Layout after = after_;
        for (const Tile* tile : {step, lines}) {
            if (tile == nullptr) continue;
            before = before.tile_within(*tile);
            between = between.tile(*tile);
            after = after.tile_within(*tile);
        }
        const auto add_transforms = [&](const Layout& a, const Layout& b, int source, int target) {
            for (FftTask& task : fft_tasks(transform_, a, b, rank_)) {
                task.may_destroy_input = source == scratch;
                append(operations, 0, TransformOp{task, source, target});
            }
        };
        if (first_) {
            add_transforms(before, between, 0, scratch);
            append_copies(operations, 0, Purpose::reorder, copies_between(between, after, rank_),
                          scratch, 1);
        } else {
            append_copies(operations, 0, Purpose::reorder, copies_between(before, between, rank_),
                          0, scratch);
            add_transforms(between, after, scratch, 1);
        }
        return between.bytes(rank_);
    }

    static constexpr int scratch = 2;

    const TransformStage& transform_;
    int rank_;
    bool first_;
    const Layout& before_;
    const Layout& after_;
    Layout between_;
};

}  // namespace

bool transposes(const Plan& part) {
    const TransformStage* transform = only_stage(part);
    if (transform == nullptr || transform->axes.size() != 1) return false;
    if (!engine_traits(part.choice.engine).wants_contiguous) return false;
    const int axis = transform->axes.front();
    const bool before = part.at.front().format.order.back() == axis;
    const bool after = part.at.back().format.order.back() == axis;
    return before != after;
}

Program lower_transposition(const Plan& part, int rank) {
    return Transposition(part, rank).program();
}

}  // namespace weft::core
