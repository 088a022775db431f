#include "tune/contest.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

Contest::Contest(std::vector<Choice> choices, int most_rounds, Figure figure)
    : trials_(choices.size()),
      race_(std::vector<std::vector<double>>(choices.size()), most_rounds, figure) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
        trials_[i].plan.choice = std::move(choices[i]);
    }
}

std::optional<NextRun> Contest::ask(const SearchTime& /*time*/) {
    const std::optional<Position> next = race_.ask();
    if (!next) return std::nullopt;
    asked_ = usize(next->front());
    NextRun run;
    run.trial = asked_;
    return run;
}

void Contest::tell(const RunSeconds& took) {
    trials_[asked_].seconds.push_back(took.forward + took.backward);
    race_.tell(trials_[asked_].seconds.back());
}

void Contest::fail(const std::string& reason, const RunSeconds& /*took*/) {
    trials_[asked_].failed = true;
    trials_[asked_].dropped = reason.empty() ? "it failed" : reason;
    race_.tell(infeasible);
}

Outcome Contest::outcome() const {
    Outcome outcome;
    outcome.trials = trials_;
    const auto left = std::find_if(trials_.begin(), trials_.end(),
                                   [](const Trial& trial) { return !trial.failed; });
    outcome.all_failed = left == trials_.end();
    outcome.winner = race_.leader().value_or(usize(left - trials_.begin()));
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        Trial& trial = outcome.trials[i];
        if (!trial.failed) trial.dropped = race_.dropped(i);
        if (!trial.seconds.empty()) ++outcome.evaluations;
    }
    return outcome;
}

}  // namespace weft::core
