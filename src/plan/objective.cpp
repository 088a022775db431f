#include "plan/objective.hpp"

#include "exchange/transfers.hpp"

namespace weft::core {

// Each in a file of plan/objectives that has its name.
Objective fewest_exchanges();
Objective least_volume();

const std::vector<Objective>& objectives() {
    static const std::vector<Objective> table = {
        least_volume(),
        fewest_exchanges(),
    };
    return table;
}

const Objective* asked_objective(const Decomposition& constraint) {
    for (const Objective& each : objectives()) {
        if (each.asked_for != nullptr && each.asked_for(constraint)) return &each;
    }
    return nullptr;
}

const Objective& objective_for(const Decomposition& constraint) {
    const Objective* asked = asked_objective(constraint);
    return asked != nullptr ? *asked : objectives().back();
}

Price& Price::operator+=(const Price& other) {
    exchanges += other.exchanges;
    volume += other.volume;
    weight += other.weight;
    return *this;
}

Price counted(const Redistribution& redistribution) {
    // From some thousand ranks an estimate, which is enough to compare.
    constexpr Index samples = 4096;
    const Index elements = volume(redistribution.from, redistribution.to, samples);
    return {1, redistribution.complex ? 2 * elements : elements};
}

bool precedes(const Objective& objective, const Price& a, const Price& b) {
    if (objective.before(a, b)) return true;
    return !objective.before(b, a) && objective.better(a, b);
}

}  // namespace weft::core
