#include "plan/accesses.hpp"

#include <algorithm>
#include <optional>

#include "base/index.hpp"
#include "base/regions.hpp"
#include "base/transforms.hpp"

namespace weft::core {

namespace {

Access access_of(const RedistributionStage& one) {
    if (!is_fused(one)) return Access::layout;
    switch (one.carrier) {
        case Carrier::automatic:
        case Carrier::messages:
            return Access::messages;
        case Carrier::region:
            return Access::region;
        case Carrier::direct:
            return Access::exposed;
    }
    return Access::layout;
}

/// Whether elements go from one stage to the next in the same pieces: tiles, or all at once.
bool same_pieces(const Plan& plan, std::size_t stage) {
    if (!plan.pipeline) return true;
    const std::size_t next = stage + 1;
    return next != plan.pipeline->first && stage != plan.pipeline->last;
}

}  // namespace

Plan set_accesses(Plan plan) {
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        auto* transform = std::get_if<TransformStage>(&plan.stages[stage]);
        if (transform == nullptr) continue;
        const RedistributionStage* before = stage > 0 && same_pieces(plan, stage - 1)
                                                ? redistribution_at(plan, stage - 1)
                                                : nullptr;
        const RedistributionStage* behind =
            same_pieces(plan, stage) ? redistribution_at(plan, stage + 1) : nullptr;
        transform->reads = before != nullptr ? access_of(*before) : Access::layout;
        transform->writes = behind != nullptr ? access_of(*behind) : Access::layout;
    }
    return plan;
}

namespace {

/// Which of a transform's axes may come first (last): an r2c axis is r2c's first and c2r's last.
std::vector<int> candidates(const TransformStage& transform, bool first) {
    if (transform.reproducible) {
        const std::vector<int> order = axis_order(transform);
        return {first ? order.front() : order.back()};
    }
    const bool r2c_axis_only = transform.kind == (first ? Kind::r2c : Kind::c2r);
    if (transform.axes.size() == 1 || r2c_axis_only) return {transform.axes.back()};
    if (!halves(transform.kind)) return transform.axes;
    return {transform.axes.begin(), transform.axes.end() - 1};
}

/// The axis which the redistribution cuts, rather than one that stays whole; and not the fastest one, so that
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
    const auto fastest = usize(layout.format.order.back());
    return layout.where.shape()[fastest] * layout.scalar.bytes() % cache_line == 0;
}

/// The fastest axis, if it may come first and others do not have to. Whoever writes what is read
/// here has its lines whole and contiguous; and the axis that comes last writes whole cache lines,
/// which contiguous lines can do from wherever they begin.
std::optional<int> contiguous_entry(const Plan& plan, std::size_t stage,
                                    const TransformStage& transform, const std::vector<int>& axes) {
    const Layout& written = plan.at[stage - 1];
    const Layout& result = plan.at[stage + 1];
    const int fastest = result.format.order.back();
    if (axes.size() < 2 || std::count(axes.begin(), axes.end(), fastest) == 0) return {};
    if (written.format.order.back() != fastest || !written.where.local(fastest)) return {};
    const bool stays = transform.writes == Access::layout;
    return stays && !rows_are_aligned(result) ? std::nullopt : std::optional(fastest);
}

/// Of a transform behind a redistribution.
int entry_axis(const Plan& plan, std::size_t stage, const TransformStage& transform) {
    const std::vector<int> axes = candidates(transform, true);
    if (const auto fastest = contiguous_entry(plan, stage, transform, axes)) return *fastest;
    return best_axis(axes, plan.at[stage - 1].where, plan.at[stage].format.order.back());
}

int exit_axis(const Plan& plan, std::size_t stage, const TransformStage& transform) {
    std::vector<int> axes = candidates(transform, false);
    if (axes.size() > 1 && transform.reads != Access::layout) std::erase(axes, transform.entry);
    const std::vector<int>& order = plan.at[stage + 1].format.order;
    if (transform.writes != Access::layout)
        return best_axis(axes, plan.at[stage + 2].where, order.back());
    // Its lines are written where they stay; far from each other, since others come before.
    return *std::find_first_of(order.begin(), order.end(), axes.begin(), axes.end());
}

}  // namespace

Plan set_line_axes(Plan plan) {
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        auto* transform = std::get_if<TransformStage>(&plan.stages[stage]);
        if (transform == nullptr) continue;
        const bool behind = stage > 0 && redistribution_at(plan, stage - 1) != nullptr;
        transform->entry =
            behind ? std::optional(entry_axis(plan, stage, *transform)) : std::nullopt;
        const bool fused =
            transform->reads != Access::layout || transform->writes != Access::layout;
        transform->exit = fused ? std::optional(exit_axis(plan, stage, *transform)) : std::nullopt;
    }
    return plan;
}

}  // namespace weft::core
