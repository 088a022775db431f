#include "model/default_plan.hpp"

#include "model/machine_file.hpp"
#include "model/predicted_time.hpp"

namespace weft::core {

Objective default_objective(const Problem& problem, const Choice& choice) {
    static const Machine machine = named_machine(default_machine);
    if (const Objective* asked = asked_objective(choice.decomposition)) return *asked;
    return predicted_time(machine, problem, choice);
}

Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const std::optional<Machine>& machine) {
    if (machine && asked_objective(choice.decomposition) == nullptr) {
        return make_plan(problem, choice, ranks, predicted_time(*machine, problem, choice));
    }
    return default_plan(PlanRequest{problem, choice, ranks, false}, ranks);
}

Plan default_plan(const PlanRequest& request, int ranks) {
    return make_plan(request, ranks, default_objective(request.problem, request.choice));
}

}  // namespace weft::core
