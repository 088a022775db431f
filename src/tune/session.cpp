#include "tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

namespace {

Measured measured(const std::vector<double>& seconds) {
    const Interval lies = interval_of(seconds);
    return {median(seconds), lies.low, lies.high, static_cast<int>(seconds.size())};
}

}  // namespace

std::size_t Trial::complexity() const {
    const std::string text = weft::to_string(open);
    return usize(std::count(text.begin(), text.end(), '=')) +
           usize(std::count(text.begin(), text.end(), ':'));
}

Interval interval_of(const std::vector<double>& seconds) {
    if (const auto interval = median_interval(seconds)) return *interval;
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    return {*least, *most};
}

void judge(Outcome& outcome, std::size_t fastest, const std::vector<std::size_t>& as_fast) {
    std::vector<Trial>& trials = outcome.trials;
    outcome.winner = fastest;
    const double least = median(trials[fastest].seconds);
    const Interval interval = interval_of(trials[fastest].seconds);
    for (const std::size_t trial : as_fast) {
        if (trial != fastest && interval_of(trials[trial].seconds).low <= interval.high) {
            outcome.tied.push_back(trial);
        }
    }
    const auto start = outcome.start
                           ? std::find(outcome.tied.begin(), outcome.tied.end(), *outcome.start)
                           : outcome.tied.end();
    if (start != outcome.tied.end()) std::swap(*start, outcome.winner);
    for (std::size_t& trial : outcome.tied) {
        if (outcome.winner == outcome.start) break;
        if (trials[trial].complexity() < trials[outcome.winner].complexity()) {
            std::swap(trial, outcome.winner);
        }
    }
    outcome.interval = interval_of(trials[outcome.winner].seconds);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        Trial& trial = trials[i];
        const bool stays = i == outcome.winner || !trial.dropped.empty() ||
                           std::count(outcome.tied.begin(), outcome.tied.end(), i) != 0;
        if (stays) continue;
        trial.dropped = trial.seconds.empty()
                            ? fmt::format("the corrected model says {:.2f} times the winner's time",
                                          trial.corrected / least)
                            : fmt::format("its median is {:.2f} times the winner's",
                                          median(trial.seconds) / least);
    }
}

bool tried_enough(const Outcome& outcome) {
    return !outcome.cut_short || outcome.evaluations >= enough_runs;
}

Evidence evidence_of(const Outcome& outcome, TuningEffort effort, double spent) {
    Evidence evidence;
    evidence.tuning = weft::to_string(effort);
    evidence.spent = spent;
    evidence.evaluations = outcome.evaluations;
    evidence.winner = measured(outcome.trials[outcome.winner].seconds);
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const Trial& trial = outcome.trials[i];
        if (i == outcome.winner || !trial.has_run()) continue;
        Loser loser{weft::to_string(trial.plan.choice), {}, trial.dropped};
        if (!trial.failed) loser.time = measured(trial.seconds);
        evidence.losers.push_back(std::move(loser));
    }
    return evidence;
}

}  // namespace weft::core
