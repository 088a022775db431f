#include "plan/stages.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/transforms.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// Says what there is of the lines of a forward stage, if a part is kept along some axis.
void keep_parts(const Problem& problem, TransformStage& stage) {
    const auto is_part = [&](int axis) { return keeps_part(problem, axis); };
    if (std::none_of(stage.axes.begin(), stage.axes.end(), is_part)) return;
    stage.kept = mapped(stage.axes, [&](int axis) {
        return KeptLines{problem.shape[usize(axis)], points_kept(problem, axis),
                         modes_kept(problem, axis)};
    });
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
        if (axis == r2c_axis_of(problem)) second.kind = Kind::r2c;
    }
    std::vector<int> longer = second.axes;
    std::erase_if(longer, [&](int axis) {
        return problem.shape[usize(axis)] == 1 && axis != r2c_axis_of(problem);
    });
    if (!longer.empty()) second.axes = std::move(longer);
    std::vector<TransformStage> stages;
    for (TransformStage* stage : {&first, &second}) {
        if (stage->axes.empty()) continue;
        keep_parts(problem, *stage);
        stages.push_back(std::move(*stage));
    }
    return stages;
}

}  // namespace weft::core
