#include "tune/estimate.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/mapped.hpp"
#include "model/price.hpp"
#include "model/usual_ways.hpp"
#include "plan/explain.hpp"
#include "plan/volume_table.hpp"
#include "program/lower.hpp"
#include "tune/trials.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Adds what predictions list beside weft's own plan, and each of these in tiles.
void add_predicted(Trials& trials, const Problem& problem, const Choice& constraint, int ranks,
                   const Machine& machine) {
    if (problem.kind == Kind::redistribute || ranks == 1) return;
    std::vector<Choice> ways = {constraint};
    for (const Decomposition& way : usual_ways(problem, constraint, ranks, machine)) {
        const std::optional<Plan> plan = plan_with(problem, constraint, way, ranks);
        if (!plan || idles(*plan)) continue;
        ways.push_back(constraint);
        ways.back().decomposition = way;
    }
    for (const Choice& way : ways) trials.add(way);
    if (constraint.tile || !constraint.via.empty()) return;
    for (const Choice& way : ways) trials.add(changed(way, "tile=default"));
}

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
    Trials trials(problem, constraint, ranks, means, machine);
    add_predicted(trials, problem, constraint, ranks, machine);
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
        if (!best || trials[some[i]].complexity() < trials[*best].complexity()) best = some[i];
    }
    return trials[*best].plan.choice;
}

}  // namespace weft::core
