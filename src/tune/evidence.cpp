#include "tune/evidence.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

namespace {

Measured measured(const Trial& trial) {
    const auto [low, high] = std::minmax_element(trial.seconds.begin(), trial.seconds.end());
    return {median(trial.seconds), *low, *high, static_cast<int>(trial.seconds.size())};
}

}  // namespace

Evidence evidence_of(const Outcome& outcome, TuningEffort effort, double spent) {
    Evidence evidence;
    evidence.tuning = weft::to_string(effort);
    evidence.spent = spent;
    evidence.evaluations = outcome.evaluations;
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const Trial& trial = outcome.trials[i];
        if (i == outcome.winner) {
            evidence.winner = measured(trial);
            if (outcome.interval) evidence.winner.low = outcome.interval->low;
            if (outcome.interval) evidence.winner.high = outcome.interval->high;
        } else if (trial.has_run()) {
            Loser loser{weft::to_string(trial.plan.choice), {}, trial.dropped};
            if (!trial.failed) loser.time = measured(trial);
            evidence.losers.push_back(std::move(loser));
        }
    }
    return evidence;
}

}  // namespace weft::core
