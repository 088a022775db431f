#include "model/default_plan.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "model/machine_file.hpp"
#include "model/predicted_time.hpp"
#include "model/space_choice.hpp"
#include "model/usual_ways.hpp"
#include "model/weight_choice.hpp"
#include "plan/choice.hpp"
#include "plan/explain.hpp"
#include "plan/volume_table.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// What is asked for, and where.
struct Asked {
    const PlanRequest& request;
    int ranks;
    const Machine& machine;
    Arrays arrays;
};

/// The plan by that objective, unless nothing fits or a rank would idle.
std::optional<Plan> busy_plan(const Asked& asked, const PlanRequest& request,
                              const Objective& objective) {
    try {
        Plan plan = make_plan(request, asked.ranks, objective);
        if (idles(plan)) return std::nullopt;
        return plan;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

/// Usual ways beside the search's own; not those that are the same.
std::vector<Plan> rivals(const Plan& own, const Asked& asked, const Objective& objective) {
    const PlanRequest& request = asked.request;
    std::vector<Plan> result;
    const auto add = [&](const std::optional<Plan>& plan) {
        if (!plan) return;
        const auto same = [&](const Plan& other) {
            return other.choice.decomposition == plan->choice.decomposition;
        };
        if (same(own) || std::any_of(result.begin(), result.end(), same)) return;
        result.push_back(*plan);
    };
    add(busy_plan(asked, request, objective_for(request.choice.decomposition)));
    for (const Decomposition& way :
         usual_ways(request.problem, request.choice, asked.ranks, asked.machine)) {
        PlanRequest other = request;
        other.choice.decomposition = way;
        add(busy_plan(asked, other, objective));
        add(busy_plan(asked, other, objective_for(way)));
    }
    return result;
}

/// A plan in a space that leaves nothing open, and what it takes, if it has been priced.
struct Way {
    Plan plan;
    std::optional<double> seconds{};
};

/// The plan in its fastest space, if it takes less than the best one so far; nothing if its tiles
/// have more messages than may be.
std::optional<PricedPlan> faster_way(const Plan& plan, const std::optional<PricedPlan>& best,
                                     const Asked& asked) {
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const double bound = best ? planner_tie * best->seconds : unbounded;
    try {
        return in_fastest_space_below(bound, plan, asked.machine, asked.arrays);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

/// The search's own way, or a rival that takes less.
Way best_way(const Asked& asked) {
    const auto& [request, ranks, machine, arrays] = asked;
    const Choice& choice = request.choice;
    const Objective objective = default_objective(request.problem, choice, machine);
    const Plan own = make_plan(request, ranks, objective);
    const bool open = request.problem.kind != Kind::redistribute && !choice.decomposition.path &&
                      asked_objective(choice.decomposition) == nullptr;
    // Inside a node a redistribution is little more than the pass over memory that the search
    // counts. Where even a few tiles have very many operations, pricing them would take long.
    std::vector<Plan> others;
    if (open && ranks > machine.ranks_per_node && own.redistributions() > 0 &&
        !representative_ranks(own).empty()) {
        others = rivals(own, asked, objective);
    }
    if (others.empty()) return {in_fastest_space(own, machine, arrays)};
    std::optional<PricedPlan> best = faster_way(own, {}, asked);
    for (const Plan& other : others) {
        auto faster = faster_way(other, best, asked);
        if (faster) best = std::move(faster);
    }
    return best ? Way{std::move(best->plan), best->seconds}
                : Way{in_fastest_space(own, machine, arrays)};
}

/// The plan that `best_way` makes of a choice. If it may be on the host or on a device, either has
/// a plan of its own.
Plan in_space(const Asked& asked) {
    const Machine& machine = asked.machine;
    PlanRequest request = asked.request;
    request.choice = with_weight(request.choice, machine, [&](const Choice& choice) {
        PlanRequest each = request;
        each.choice = choice;
        return make_plan(each, asked.ranks, default_objective(each.problem, choice, machine));
    });
    const Asked weighted{request, asked.ranks, machine, asked.arrays};
    const Placements open(request.choice);
    if (!open.open_device()) return best_way(weighted).plan;
    const std::vector<Placements> ways = open_placements(open, machine);
    ways.front().say_in(request.choice);
    Way on_host = best_way(weighted);
    if (ways.size() == 1) return on_host.plan;
    open.on(machine.devices->kind).say_in(request.choice);
    Way on_device = best_way(weighted);
    const auto seconds = [&](const Way& way) {
        return way.seconds ? *way.seconds : price(way.plan, machine, asked.arrays).seconds();
    };
    return seconds(on_device) < seconds(on_host) ? on_device.plan : on_host.plan;
}

}  // namespace

const Machine& modest_machine() {
    static const Machine machine = named_machine(default_machine);
    return machine;
}

Machine machine_of_nodes(const std::optional<Machine>& described, const Topology& nodes,
                         int ranks) {
    // What is planned with is copied often, and where its figures come from is many texts.
    static const Machine modest = [] {
        Machine machine = modest_machine();
        machine.sources.clear();
        return machine;
    }();
    Machine machine = described ? *described : modest;
    machine.ranks_per_node = nodes.adjacent_on_a_node(ranks);
    return machine;
}

Objective default_objective(const Problem& problem, const Choice& choice, const Machine& machine) {
    if (const Objective* asked = asked_objective(choice.decomposition)) return *asked;
    return predicted_time(machine, problem, choice);
}

Plan default_plan(const Problem& problem, const Choice& choice, int ranks, const Machine& machine,
                  Arrays arrays) {
    return default_plan(PlanRequest{problem, choice, ranks, false}, ranks, machine, arrays);
}

Plan default_plan(const PlanRequest& request, int ranks, const Machine& machine, Arrays arrays) {
    return in_space({request, ranks, machine, arrays});
}

}  // namespace weft::core
