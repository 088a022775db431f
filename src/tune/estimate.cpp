#include "tune/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mapped.hpp"
#include "exchange/schedule.hpp"
#include "exchange/transfers.hpp"
#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "model/price.hpp"
#include "plan/explain.hpp"
#include "program/lower.hpp"
#include "tune/trials.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// The trials that may be the fastest, the first one among them.
std::vector<std::size_t> foremost(const Trials& trials) {
    constexpr std::size_t most = 5;
    constexpr double far = 1.5;
    std::vector<std::size_t> result(trials.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = i;
    std::stable_sort(result.begin() + 1, result.end(), [&](std::size_t a, std::size_t b) {
        return trials[a].predicted < trials[b].predicted;
    });
    double least = trials[0].predicted;
    if (result.size() > 1) least = std::min(least, trials[result[1]].predicted);
    std::erase_if(result,
                  [&](std::size_t i) { return i != 0 && trials[i].predicted > far * least; });
    if (result.size() > most) result.resize(most);
    return result;
}

bool takes_radix(const Method& method) { return method.number == &Via::radix; }

/// The method of k-way schedules.
const Method& kway_method() {
    return *std::find_if(methods().begin(), methods().end(), takes_radix);
}

/// The plan of that choice by kway(radix), or by kway alone; nothing if it takes that long or cannot
/// be planned.
std::optional<PricedPlan> priced_kway(const Problem& problem, Choice choice,
                                      const std::optional<int>& radix, int ranks,
                                      const Machine& machine, double below) {
    choice.via = kway_method().name;
    if (radix) choice.via += fmt::format("({})", *radix);
    try {
        Plan plan = default_plan(problem, choice, ranks, machine);
        if (ranks_to_look_at(plan) == 0) return std::nullopt;
        const double seconds = price(plan, machine, Arrays::host, below).seconds();
        if (seconds >= below) return std::nullopt;
        return PricedPlan{std::move(plan), seconds};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

/// Those of the groups that exchange in a plan.
std::set<int> radices_of(const Plan& plan) {
    std::set<int> result;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) == nullptr) continue;
        const Group peers = group(plan.at[i].where, plan.at[i + 1].where, 0);
        for (const int radix : radices(static_cast<int>(peers.ranks.size()))) result.insert(radix);
    }
    return result;
}

/// The constraint with the decomposition of a trial, of the six that promise most, that k-way
/// schedules suit best: by the k that kway has where none is named.
std::optional<Choice> way_for_kway(const Trials& trials, const Problem& problem,
                                   const Choice& constraint, int ranks, const Machine& machine) {
    constexpr std::size_t most = 6;
    std::vector<std::size_t> order(trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return trials[a].predicted < trials[b].predicted;
    });
    std::vector<Choice> ways;
    for (const std::size_t trial : order) {
        const Choice& its = trials[trial].plan.choice;
        Choice way = constraint;
        way.decomposition = its.decomposition;
        way.shrink = its.shrink;
        way.engine = its.engine;
        way.effort = its.effort;
        const bool known = std::any_of(ways.begin(), ways.end(), [&](const Choice& one) {
            return one.decomposition == way.decomposition && one.shrink == way.shrink;
        });
        if (!known) ways.push_back(way);
        if (ways.size() == most) break;
    }
    std::optional<Choice> best;
    double least = std::numeric_limits<double>::infinity();
    for (const Choice& way : ways) {
        const auto priced = priced_kway(problem, way, {}, ranks, machine, least);
        if (!priced) continue;
        least = priced->seconds;
        best = way;
    }
    return best;
}

/// As predictions price it; what the trial says where ranks have too many operations for that.
double seconds_of(const Trial& trial, const Machine& machine) {
    if (representative_ranks(trial.plan).empty()) return trial.predicted;
    try {
        return price(trial.plan, machine).seconds();
    } catch (const Error& error) {
        // Other ranks than were forecast have more messages, and more than may be.
        if (error.code() != ErrorCode::bad_request) throw;
        return trial.predicted;
    }
}

}  // namespace

Choice estimated_choice(const Problem& problem, const Choice& constraint, int ranks,
                        const Means& means, const Machine& machine) {
    constexpr int most_looked_at = 200;
    constexpr int ranks_and_looks = 10000;
    constexpr Index most_lowered = Index{1} << 20;
    constexpr int expanded = 12;
    constexpr double tie = 1.02;
    Means without_kway = means;
    const bool kway =
        std::erase(without_kway.vias, kway_method().name) > 0 && constraint.via.empty();
    Trials trials(problem, constraint, ranks, without_kway, machine);
    for (const Choice& usual : usual_choices(problem, constraint, ranks, machine)) {
        trials.add(usual);
    }
    const int looks = std::clamp(ranks_and_looks / ranks, 10, most_looked_at);
    const Index begin = lowered_so_far();
    for (int look = 0; look < looks && trials.think(expanded); ++look) {
        if (lowered_so_far() - begin > most_lowered) break;
    }
    const std::vector<std::size_t> some = foremost(trials);
    const std::vector<double> seconds =
        mapped(some, [&](std::size_t trial) { return seconds_of(trials[trial], machine); });
    const double least = *std::min_element(seconds.begin(), seconds.end());
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (seconds[i] > tie * least) continue;
        if (!best || trials[some[i]].complexity() < trials[some[*best]].complexity()) best = i;
    }
    const Plan& found = trials[some[*best]].plan;
    if (!kway || ranks == 1) return found.choice;
    const std::optional<Choice> way = way_for_kway(trials, problem, constraint, ranks, machine);
    if (!way) return found.choice;
    const auto priced = fastest_kway(problem, *way, ranks, machine, seconds[*best] / tie);
    return priced ? priced->plan.choice : found.choice;
}

std::optional<PricedPlan> fastest_kway(const Problem& problem, const Choice& choice, int ranks,
                                       const Machine& machine, double below) {
    constexpr double any = std::numeric_limits<double>::infinity();
    const auto usual = priced_kway(problem, choice, {}, ranks, machine, any);
    if (!usual) return std::nullopt;
    std::optional<PricedPlan> best;
    for (const int radix : radices_of(usual->plan)) {
        auto priced = priced_kway(problem, choice, radix, ranks, machine, below);
        if (!priced) continue;
        below = priced->seconds;
        best = std::move(priced);
    }
    return best;
}

}  // namespace weft::core
