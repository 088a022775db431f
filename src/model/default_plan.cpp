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

/// What `make` makes; nothing if the request cannot be met.
template <class Make>
auto if_any(const Make& make) -> std::optional<decltype(make())> {
    try {
        return make();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

/// The plan by that objective, unless nothing fits or a rank would idle.
std::optional<Plan> busy_plan(const Asked& asked, const PlanRequest& request,
                              const Objective& objective) {
    std::optional<Plan> plan = if_any([&] { return make_plan(request, asked.ranks, objective); });
    if (plan && idles(*plan)) plan.reset();
    return plan;
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
    std::optional<std::optional<PricedPlan>> faster =
        if_any([&] { return in_fastest_space_below(bound, plan, asked.machine, asked.arrays); });
    return faster.value_or(std::nullopt);
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

double seconds_of(const Way& way, const Asked& asked) {
    return way.seconds ? *way.seconds : price(way.plan, asked.machine, asked.arrays).seconds();
}

/// Whether fewer ranks may hold what is between the ends: both ends are given, so every rank keeps
/// the elements that its caller expects, and nothing is said about the way.
bool may_shrink(const Asked& asked) {
    const auto& [problem, choice, ranks, backward] = asked.request;
    return !problem.in.free && !problem.out.free && problem.kind != Kind::redistribute &&
           choice.shrink == 0 && choice.decomposition == Decomposition{} &&
           asked.ranks > asked.machine.ranks_per_node && !Placements(choice).first().on_device();
}

/// That way; or one on half of the ranks, a quarter and so on, until fewer take longer by 8%
/// ([ayala] Alg. 1), if it takes less by 8%. Nothing is gained where latency is less.
Way on_fewer_ranks(const Asked& asked, Way all) {
    constexpr double gain = 0.92;
    constexpr int fewest = 64;  // parts of the ranks
    if (!may_shrink(asked) || all.plan.redistributions() == 0) return all;
    const std::optional<PlanPrice> its =
        if_any([&] { return price(all.plan, asked.machine, asked.arrays); });
    if (!its) return all;
    const double latency = its->messages * asked.machine.between.latency;
    if (latency < (1 - gain) * its->seconds()) return all;
    std::optional<Way> best;
    double least = its->seconds();
    PlanRequest request = asked.request;
    for (int ranks = asked.ranks / 2; ranks >= std::max(1, asked.ranks / fewest); ranks /= 2) {
        request.choice.shrink = ranks;
        const Asked fewer{request, asked.ranks, asked.machine, asked.arrays};
        std::optional<Way> way = if_any([&] {
            Way found = best_way(fewer);
            found.seconds = seconds_of(found, fewer);
            return found;
        });
        if (!way || *way->seconds > least / gain) break;
        if (*way->seconds >= least) continue;
        least = *way->seconds;
        best = std::move(way);
    }
    return best && least <= gain * its->seconds() ? *best : all;
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
    if (!open.open_device()) return on_fewer_ranks(weighted, best_way(weighted)).plan;
    const std::vector<Placements> ways = open_placements(open, machine);
    ways.front().say_in(request.choice);
    Way on_host = best_way(weighted);
    if (ways.size() == 1) return on_host.plan;
    open.on(machine.devices->kind).say_in(request.choice);
    Way on_device = best_way(weighted);
    const bool device_is_faster = seconds_of(on_device, asked) < seconds_of(on_host, asked);
    return device_is_faster ? on_device.plan : on_host.plan;
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
