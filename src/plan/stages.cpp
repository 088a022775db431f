#include "plan/stages.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// How many times as many elements there are behind the transform of an axis as before.
double growth(const Problem& problem, int axis) {
    const auto extent = [&](bool spectral) {
        return static_cast<double>(array_shape(problem, spectral)[usize(axis)]);
    };
    return extent(true) / extent(false);
}

/// The forward transform of one axis of which a part is kept.
TransformStage stage_of_part(const Problem& problem, int axis, const TransformStage& all) {
    TransformStage stage = part_of(all, {axis});
    stage.kept = {problem.shape[usize(axis)], points_kept(problem, axis),
                  modes_kept(problem, axis)};
    return stage;
}

/// The same transforms in several stages: axes of which a part is kept have one each, those first
/// that leave least, of equal ones the last; but the halved one comes before all complex ones.
std::vector<TransformStage> in_parts(const Problem& problem, const TransformStage& all) {
    const auto is_part = [&](int axis) { return keeps_part(problem, axis); };
    if (std::none_of(all.axes.begin(), all.axes.end(), is_part)) return {all};
    std::vector<int> order = axis_order(all);
    const auto first = order.begin() + (halves(all.kind) ? 1 : 0);
    if (!all.reproducible) {
        std::stable_sort(first, order.end(), [&](int a, int b) {
            if (is_part(a) != is_part(b)) return is_part(a);
            return growth(problem, a) < growth(problem, b);
        });
    }
    std::vector<TransformStage> stages;
    for (const int axis : order) {
        const bool joins = !stages.empty() && !stages.back().kept && !is_part(axis) &&
                           stages.back().kind == part_of(all, {axis}).kind;
        if (!joins) {
            stages.push_back(is_part(axis) ? stage_of_part(problem, axis, all)
                                           : part_of(all, {axis}));
            continue;
        }
        std::vector<int> axes = stages.back().axes;
        axes.insert(std::upper_bound(axes.begin(), axes.end(), axis), axis);
        stages.back() = part_of(all, axes);
    }
    return stages;
}

}  // namespace

std::vector<TransformStage> stages_along(const Problem& problem, const std::vector<int>& axes,
                                         bool reproducible) {
    TransformStage first{{}, Kind::r2r, -1};
    TransformStage second{{}, Kind::c2c, -1};
    first.reproducible = second.reproducible = reproducible;
    for (const int axis : axes) {
        const AxisKind kind = axis_kind(problem, axis);
        (is_real_to_real(kind) ? first : second).axes.push_back(axis);
        if (is_real_to_real(kind)) first.kinds.push_back(kind);
        if (axis == halved_axis(problem)) second.kind = Kind::r2c;
    }
    std::vector<int> longer = second.axes;
    std::erase_if(longer, [&](int axis) {
        return problem.shape[usize(axis)] == 1 && axis != halved_axis(problem);
    });
    if (!longer.empty()) second.axes = std::move(longer);
    std::vector<TransformStage> stages;
    for (const TransformStage& stage : {first, second}) {
        if (stage.axes.empty()) continue;
        for (TransformStage& part : in_parts(problem, stage)) stages.push_back(std::move(part));
    }
    return stages;
}

}  // namespace weft::core
