#include "tune/run_costs.hpp"

#include <algorithm>

#include "tune/strategy.hpp"

namespace weft::core {

namespace {

/// What plans alike: an engine with its effort.
std::string planner_of(const Choice& choice) {
    return choice.engine + ";" + weft::to_string(choice.effort);
}

}  // namespace

void RunCosts::told(const Choice& choice, double seconds, double spent, double binding) {
    double& most = bindings_[planner_of(choice)];
    most = std::max(most, binding);
    if (seconds == infeasible) return;
    overhead_ = std::max(known_ ? overhead_ : 0, (spent - binding) / seconds);
    known_ = true;
}

double RunCosts::binding(const Choice& choice) const {
    const auto found = bindings_.find(planner_of(choice));
    return found == bindings_.end() ? 0 : found->second;
}

}  // namespace weft::core
