#include "model/default_plan.hpp"

#include "model/machine_file.hpp"
#include "model/predicted_time.hpp"
#include "model/space_choice.hpp"
#include "model/weight_choice.hpp"
#include "plan/choice.hpp"

namespace weft::core {

namespace {

const Machine& described_or_default(const std::optional<Machine>& machine) {
    static const Machine by_default = named_machine(default_machine);
    return machine ? *machine : by_default;
}

/// The plan that `make` makes of a choice, in a space that leaves nothing open. If that may be the
/// host or a device, either has a plan of its own.
template <class Make>
Plan in_space(Choice choice, const Machine& machine, const Make& make) {
    choice = with_weight(std::move(choice), machine, make);
    if (choice.space.device != open_space) return in_fastest_space(make(choice), machine);
    const std::vector<Space> spaces = open_spaces(choice.space, machine);
    choice.space = spaces.front();
    Plan plan = make(choice);
    if (spaces.size() == 1) return plan;
    choice.space.device = machine.devices->kind;
    Plan on_device = in_fastest_space(make(choice), machine);
    const double host = price(plan, machine).seconds();
    return price(on_device, machine).seconds() < host ? on_device : plan;
}

}  // namespace

Objective default_objective(const Problem& problem, const Choice& choice,
                            const std::optional<Machine>& machine) {
    if (const Objective* asked = asked_objective(choice.decomposition)) return *asked;
    return predicted_time(described_or_default(machine), problem, choice);
}

Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const std::optional<Machine>& machine) {
    return in_space(choice, described_or_default(machine), [&](const Choice& each) {
        return make_plan(problem, each, ranks, default_objective(problem, each, machine));
    });
}

Plan default_plan(const PlanRequest& request, int ranks) {
    return in_space(request.choice, described_or_default({}), [&](const Choice& choice) {
        PlanRequest each = request;
        each.choice = choice;
        return make_plan(each, ranks, default_objective(request.problem, choice));
    });
}

}  // namespace weft::core
