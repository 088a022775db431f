#include <algorithm>
#include <optional>
#include <utility>

#include "base/transforms.hpp"
#include "plan/carriers.hpp"
#include "plan/plan.hpp"

namespace weft::core {

Plan reverse(const Plan& plan) {
    Plan result = plan;
    result.backward = !plan.backward;
    std::reverse(result.at.begin(), result.at.end());
    std::reverse(result.stages.begin(), result.stages.end());
    for (Stage& stage : result.stages) {
        if (auto* transform = std::get_if<TransformStage>(&stage)) {
            transform->sign = -transform->sign;
            transform->reads = Access::layout;
            transform->writes = Access::layout;
            transform->entry = transform->exit = std::nullopt;
            transform->kind = inverse(transform->kind);
            for (AxisKind& kind : transform->kinds) kind = weft::inverse(kind);
            for (KeptLines& kept : transform->kept) std::swap(kept.from, kept.to);
        } else {
            auto& redistribution = std::get<RedistributionStage>(stage);
            if (redistribution.carrier == Carrier::direct) {
                redistribution.carrier = Carrier::automatic;
            }
            Pack& pack = redistribution.pack;
            if (pack == Pack::sender || pack == Pack::receiver) {
                pack = pack == Pack::sender ? Pack::receiver : Pack::sender;
            }
        }
    }
    if (result.pipeline) {
        const std::size_t stages = result.stages.size();
        result.pipeline->first = stages - 1 - plan.pipeline->last;
        result.pipeline->last = stages - 1 - plan.pipeline->first;
        result.pipeline->first_tiled = stages - plan.pipeline->last_tiled;
        result.pipeline->last_tiled = stages - plan.pipeline->first_tiled;
    }
    return record_carriers(std::move(result));
}

}  // namespace weft::core
