#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "plan/carriers.hpp"
#include "plan/choice.hpp"
#include "plan/objective.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"

namespace weft::core {

std::string to_string(const Plan& plan) {
    return fmt::format("{}; ranks={}; {}{}", weft::to_string(plan.problem), plan.ranks,
                       weft::to_string(plan.choice), plan.backward ? "; backward" : "");
}

PlanRequest parse_plan_request(std::string_view text) {
    PlanRequest request;
    const auto items = split(text, ';');
    request.problem = parse_problem(items.front());
    std::set<std::string> seen;
    for (auto item = items.begin() + 1; item != items.end(); ++item) {
        if (!item->empty()) check_not_repeated(*item, seen);
        if (item->starts_with("ranks=")) {
            request.ranks = parse_int(std::string_view(*item).substr(6), "ranks");
            if (request.ranks < 1)
                bad_request(fmt::format("'{}': at least 1 rank is needed", *item));
        } else if (*item == "backward") {
            request.backward = true;
        } else if (!item->empty()) {
            parse_choice_item(*item, request.choice);
        }
    }
    // Before what it leaves to measuring is replaced.
    if (request.choice.reproducible) weft::validate(request.choice);
    return request;
}

Plan parse_plan(std::string_view text) {
    const PlanRequest request = parse_plan_request(text);
    return make_plan(request, std::max(request.ranks, 1));
}

Plan make_plan(const PlanRequest& request, int ranks, const Objective& objective) {
    if (!request.backward) return make_plan(request.problem, request.choice, ranks, objective);
    Choice choice = request.choice;
    choice.carrier = Carrier::automatic;
    choice.carrier_of_redistribution.clear();
    return set_carriers(reverse(make_plan(request.problem, choice, ranks, objective)),
                        request.choice);
}

Plan make_plan(const PlanRequest& request, int ranks) {
    return make_plan(request, ranks, objective_for(request.choice.decomposition));
}

}  // namespace weft::core
