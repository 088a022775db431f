#include "plan/line_axes.hpp"

#include <algorithm>

#include "base/regions.hpp"
#include "base/transforms.hpp"

namespace weft::core {

namespace {

/// Which of a transform's axes may come first (last): a halved axis is r2c's first and c2r's last.
std::vector<int> candidates(const TransformStage& transform, bool first) {
    if (transform.reproducible) {
        const std::vector<int> order = axis_order(transform);
        return {first ? order.front() : order.back()};
    }
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

/// Whether every row along the fastest axis of a layout begins where a cache line does, as its
/// first does.
bool rows_are_aligned(const Layout& layout) {
    const auto fastest = static_cast<std::size_t>(layout.format.order.back());
    return layout.where.shape()[fastest] * layout.scalar.bytes() % cache_line == 0;
}

/// The fastest axis, if it may come first and others do not have to. Whoever writes what is read
/// here has its lines whole and contiguous; and the axis that comes last writes whole cache lines,
/// which contiguous lines can do from wherever they begin.
std::optional<int> contiguous_entry(const Plan& plan, std::size_t stage,
                                    const std::vector<int>& axes) {
    const Layout& written = plan.at[stage - 1];
    const Layout& result = plan.at[stage + 1];
    const int fastest = result.format.order.back();
    if (axes.size() < 2 || std::count(axes.begin(), axes.end(), fastest) == 0) return {};
    if (written.format.order.back() != fastest || !written.where.local(fastest)) return {};
    const bool stays = transform_at(plan, stage)->writes == Access::layout;
    return stays && !rows_are_aligned(result) ? std::nullopt : std::optional(fastest);
}

}  // namespace

std::optional<int> entry_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    const std::vector<int> axes = candidates(*transform, true);
    if (const std::optional<int> fastest = contiguous_entry(plan, stage, axes)) return fastest;
    return best_axis(axes, plan.at[stage - 1].where, plan.at[stage].format.order.back());
}

std::optional<int> exit_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    std::vector<int> axes = candidates(*transform, false);
    if (axes.size() > 1 && transform->reads != Access::layout)
        std::erase(axes, entry_axis(plan, stage));
    const std::vector<int>& order = plan.at[stage + 1].format.order;
    if (transform->writes != Access::layout)
        return best_axis(axes, plan.at[stage + 2].where, order.back());
    // Its lines are written where they stay; far from each other, since others come before.
    return *std::find_first_of(order.begin(), order.end(), axes.begin(), axes.end());
}

}  // namespace weft::core
