#include "plan/line_axes.hpp"

#include <algorithm>

#include "base/transforms.hpp"

namespace weft::core {

namespace {

/// Which of a transform's axes may come first (last): a halved axis is r2c's first and c2r's last.
std::vector<int> candidates(const TransformStage& transform, bool first) {
    const bool halved_only = transform.kind == (first ? Kind::r2c : Kind::c2r);
    if (transform.axes.size() == 1 || halved_only) return {transform.axes.back()};
    if (!halves(transform.kind)) return transform.axes;
    return {transform.axes.begin(), transform.axes.end() - 1};
}

/// The axis which the move cuts, rather than one that stays whole; and not the fastest one, so that
/// lines lie side by side.
int best_axis(const std::vector<int>& axes, const Distribution& other_side, int fastest) {
    return *std::max_element(axes.begin(), axes.end(), [&](int a, int b) {
        const auto value = [&](int axis) {
            return (other_side.local(axis) ? 0 : 2) + (axis == fastest ? 0 : 1);
        };
        return value(a) < value(b);
    });
}

}  // namespace

std::optional<int> entry_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    return best_axis(candidates(*transform, true), plan.at[stage - 1].where,
                     plan.at[stage].format.order.back());
}

std::optional<int> exit_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    std::vector<int> axes = candidates(*transform, false);
    if (axes.size() > 1 && transform->reads != Access::layout)
        std::erase(axes, entry_axis(plan, stage));
    return best_axis(axes, plan.at[stage + 2].where, plan.at[stage + 1].format.order.back());
}

}  // namespace weft::core
