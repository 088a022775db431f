#include "model/weight_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "base/mapped.hpp"
#include "model/price.hpp"
#include "model/sketch.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// What that rank does itself, without waiting for others.
double own_seconds(const Plan& fused, int rank, const Environment& environment, const Site& site) {
    double seconds = 0;
    for (const StagePrice& stage : Sketch(fused, rank, environment).price(fused, site).stages) {
        seconds += stage.work + stage.hop;
    }
    return seconds;
}

/// Nothing where no cut gives ranks that weight.
std::optional<double> seconds_of(const Choice& choice, const Machine& machine,
                                 const std::function<Plan(const Choice&)>& make) {
    try {
        return price(make(choice), machine).seconds();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

}  // namespace

std::vector<Index> weights_beside(double ratio) {
    constexpr std::array<Index, 25> all = {1,  2,  3,  4,  5,  6,  7,  8,   10,  12,  14,  16,  20,
                                           24, 28, 32, 40, 48, 64, 96, 128, 192, 256, 512, 1000};
    const auto nearest = [&](double wanted) {
        const auto apart = [&](Index weight) {
            return std::abs(std::log(static_cast<double>(weight) / wanted));
        };
        return std::min_element(all.begin(), all.end(),
                                [&](Index a, Index b) { return apart(a) < apart(b); });
    };
    const double bounded = std::max(ratio, 1.0);
    const auto at = nearest(bounded);
    std::set<Index> result = {1, *nearest(bounded / 2), *at, *nearest(bounded * 2)};
    if (at != all.begin()) result.insert(*(at - 1));
    if (at + 1 != all.end()) result.insert(*(at + 1));
    return {result.begin(), result.end()};
}

std::vector<Placements> shares_to_try(const Placements& open, const Placements& proposed,
                                      bool described) {
    std::vector<Index> weights;
    if (open.open_weight()) weights = weights_beside(static_cast<double>(proposed.first().weight));
    // Devices of which nothing is known may be much faster than a core.
    if (!weights.empty() && !described) weights = {1, 2, 4, 8, 16, 32, 64};
    return mapped(weights, [&](Index weight) { return open.weighing(weight); });
}

double weight_ratio(const Plan& even, const Machine& machine) {
    const Environment environment = environment_on(even, machine);
    const Plan fused = fuse(even, environment);
    const Site site{machine, even.ranks};
    const double device = own_seconds(fused, 0, environment, site);
    const int of_host = even.placements.last().ranks.first;
    const double host = own_seconds(fused, of_host, environment, site);
    return device > 0 ? host / device : 1;
}

Choice with_weight(Choice choice, const Machine& machine,
                   const std::function<Plan(const Choice&)>& make) {
    const Placements asked(choice);
    if (!asked.open_weight()) return choice;
    asked.weighing(1).say_in(choice);
    const Plan even = make(choice);
    if (even.problem.kind == Kind::redistribute) return choice;
    // Less than a 64th is no reason for a larger weight.
    constexpr double tie = 1 - 1.0 / 64;
    double least = price(even, machine).seconds();
    Index best = 1;
    for (const Index one : weights_beside(weight_ratio(even, machine))) {
        if (one == 1) continue;
        asked.weighing(one).say_in(choice);
        const std::optional<double> seconds = seconds_of(choice, machine, make);
        if (!seconds || *seconds >= tie * least) continue;
        least = *seconds;
        best = one;
    }
    asked.weighing(best).say_in(choice);
    return choice;
}

}  // namespace weft::core
