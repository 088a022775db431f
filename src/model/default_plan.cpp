#include "model/default_plan.hpp"

#include "model/machine_file.hpp"
#include "model/predicted_time.hpp"

namespace weft::core {

Objective default_objective(const Problem& problem, const Choice& choice,
                            const std::optional<Machine>& machine) {
    static const Machine by_default = named_machine(default_machine);
    if (const Objective* asked = asked_objective(choice.decomposition)) return *asked;
    return predicted_time(machine ? *machine : by_default, problem, choice);
}

Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const std::optional<Machine>& machine) {
    return make_plan(problem, choice, ranks, default_objective(problem, choice, machine));
}

Plan default_plan(const PlanRequest& request, int ranks) {
    return make_plan(request, ranks, default_objective(request.problem, request.choice));
}

}  // namespace weft::core
