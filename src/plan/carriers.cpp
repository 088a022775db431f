#include "plan/carriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

namespace {

/// The redistributions of a plan, in the order of the forward plan.
std::vector<RedistributionStage*> redistributions(Plan& plan) {
    std::vector<RedistributionStage*> result;
    for (Stage& stage : plan.stages) {
        if (auto* one = std::get_if<RedistributionStage>(&stage)) result.push_back(one);
    }
    if (plan.backward) std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace

Plan set_carriers(Plan plan, const Choice& choice) {
    const std::vector<RedistributionStage*> all = redistributions(plan);
    for (RedistributionStage* one : all) one->carrier = choice.carrier;
    for (const auto& [number, carrier] : choice.carrier_of_redistribution) {
        if (number < 0 || number >= static_cast<int>(all.size())) {
            bad_request(fmt::format("carrier[{}]: the plan has {} redistributions, counted from 0",
                                    number, all.size()));
        }
        all[usize(number)]->carrier = carrier;
    }
    return record_carriers(std::move(plan));
}

Plan record_carriers(Plan plan) {
    const std::vector<RedistributionStage*> all = redistributions(plan);
    Choice& choice = plan.choice;
    choice.carrier = Carrier::automatic;
    choice.carrier_of_redistribution.clear();
    if (all.empty()) return plan;
    const Carrier first = all.front()->carrier;
    const bool alike = std::all_of(all.begin(), all.end(), [&](const RedistributionStage* one) {
        return one->carrier == first;
    });
    if (alike) {
        choice.carrier = first;
        return plan;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i]->carrier == Carrier::automatic) continue;
        choice.carrier_of_redistribution[static_cast<int>(i)] = all[i]->carrier;
    }
    return plan;
}

}  // namespace weft::core
