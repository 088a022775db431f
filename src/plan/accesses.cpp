#include "plan/accesses.hpp"

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

}  // namespace weft::core
