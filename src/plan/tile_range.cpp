#include "plan/tile_range.hpp"

#include <algorithm>
#include <tuple>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// The stages around a redistribution. `before`: the tiles are those of the layout before it, which it may
/// make whole; otherwise those after it.
TileRange range_around(const Plan& plan, std::size_t redistribution, int axis, bool before) {
    const auto keeps = [&](std::size_t stage) {
        return same_cut(plan.at[stage].where, plan.at[stage + 1].where, axis);
    };
    // Tiles of an axis that a redistribution is yet to cut would go to one rank after the other.
    const auto has_own_part = [&](std::size_t layout) {
        return !plan.at[layout].where.local(axis);
    };
    if (!keeps(redistribution) && !has_own_part(before ? redistribution : redistribution + 1))
        return {};
    TileRange range{redistribution, redistribution};
    range.redistributions = 1;
    range.makes_whole = before && !keeps(redistribution);
    range.cuts = !before && !keeps(redistribution);
    // Returns whether the stage is the last one in that direction.
    const auto take = [&](std::size_t stage, bool backwards) {
        std::size_t& end = backwards ? range.first : range.last;
        if (const TransformStage* transform = transform_at(plan, stage)) {
            std::vector<int> axes = transform->axes;
            const bool splits = std::count(axes.begin(), axes.end(), axis) != 0;
            if (splits) axes = axes_without(*transform, axis, backwards);
            if (axes.empty()) return true;
            end = stage;
            (backwards ? range.splits_first : range.splits_last) = splits;
            range.axes += static_cast<int>(axes.size());
            return splits;
        }
        if (!keeps(stage) && !has_own_part(backwards ? stage + 1 : stage)) return true;
        end = stage;
        ++range.redistributions;
        (backwards ? range.cuts : range.makes_whole) = !keeps(stage);
        return !keeps(stage);
    };
    if (before || keeps(redistribution)) {
        for (std::size_t stage = redistribution; stage > 0 && !take(stage - 1, true); --stage) {
        }
    }
    if (!before || keeps(redistribution)) {
        for (std::size_t stage = redistribution + 1;
             stage < plan.stages.size() && !take(stage, false); ++stage) {
        }
    }
    return range;
}

}  // namespace

bool same_cut(const Distribution& a, const Distribution& b, int axis) {
    if (a.list() != nullptr || b.list() != nullptr) return a.local(axis) && b.local(axis);
    const auto i = usize(axis);
    return a.cuts()[i] == b.cuts()[i] && a.cuts_like(b);
}

std::vector<int> axes_without(const TransformStage& transform, int axis, bool goes_first) {
    if (transform.reproducible) {
        const std::vector<int> order = axis_order(transform);
        if (axis != (goes_first ? order.front() : order.back())) return {};
    }
    const int r2c_axis = transform.axes.back();
    // The r2c axis is the first one of r2c, the last one of c2r.
    if (transform.kind == Kind::r2c && (axis == r2c_axis) != goes_first) return {};
    if (transform.kind == Kind::c2r && (axis == r2c_axis) == goes_first) return {};
    std::vector<int> rest = transform.axes;
    std::erase(rest, axis);
    return rest;
}

TileRange best_range(const Plan& plan, int axis) {
    TileRange best;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        if (redistribution_at(plan, stage) == nullptr) continue;
        for (const bool before : {true, false}) {
            const TileRange range = range_around(plan, stage, axis, before);
            if (std::tie(range.redistributions, range.axes) >
                std::tie(best.redistributions, best.axes))
                best = range;
        }
    }
    return best;
}

int best_axis(const Plan& plan) {
    const Problem& problem = plan.problem;
    const int batch = dims_of(problem);
    if (problem.batch > 1 && best_range(plan, batch).redistributions > 0) return batch;
    int best = 0;
    for (int axis = 1; axis < dims_of(problem); ++axis) {
        const TileRange a = best_range(plan, axis);
        const TileRange b = best_range(plan, best);
        if (std::tie(a.redistributions, a.axes) > std::tie(b.redistributions, b.axes)) best = axis;
    }
    return best;
}

}  // namespace weft::core
