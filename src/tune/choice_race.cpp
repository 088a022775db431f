#include "tune/choice_race.hpp"

#include <algorithm>
#include <utility>

#include "tune/median_interval.hpp"

namespace weft::core {

namespace {

Measured measured(const std::vector<double>& seconds) {
    const auto [low, high] = std::minmax_element(seconds.begin(), seconds.end());
    const Interval lies = median_interval(seconds).value_or(Interval{*low, *high});
    return {median(seconds), lies.low, lies.high, static_cast<int>(seconds.size())};
}

}  // namespace

ChoiceRace::ChoiceRace(std::vector<Choice> choices, int most_rounds)
    : choices_(std::move(choices)),
      race_(std::vector<std::vector<double>>(choices_.size()), most_rounds),
      times_(choices_.size()),
      failures_(choices_.size()) {}

const Choice* ChoiceRace::ask() {
    asked_.reset();
    const std::optional<Position> next = race_.ask();
    if (next) {
        asked_ = static_cast<std::size_t>(next->front());
    } else if (choices_.size() > 1) {
        // The failures of all others may have left over one that has not run, and may fail as well.
        const std::optional<std::size_t> first = leader();
        if (first && times_[*first].empty()) asked_ = first;
    }
    in_race_ = next.has_value();
    return asked_ ? &choices_[*asked_] : nullptr;
}

void ChoiceRace::tell(double seconds) {
    times_[*asked_].push_back(seconds);
    if (in_race_) race_.tell(seconds);
}

void ChoiceRace::fail(const std::string& why) {
    failures_[*asked_] = why.empty() ? "it failed" : why;
    if (in_race_) race_.tell(infeasible);
}

std::optional<std::size_t> ChoiceRace::leader() const {
    const std::optional<std::size_t> fastest = race_.leader();
    if (fastest) return fastest;
    const auto left = std::find(failures_.begin(), failures_.end(), "");
    if (left == failures_.end()) return std::nullopt;
    return static_cast<std::size_t>(left - failures_.begin());
}

const Choice* ChoiceRace::winner() const {
    const std::optional<std::size_t> first = leader();
    return first ? &choices_[*first] : nullptr;
}

std::optional<Evidence> ChoiceRace::evidence(double spent) const {
    const std::optional<std::size_t> first = leader();
    if (!first || times_[*first].empty()) return std::nullopt;
    Evidence result;
    result.tuning = weft::to_string(TuningEffort::measure);
    result.spent = spent;
    result.winner = measured(times_[*first]);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        if (!times_[i].empty()) ++result.evaluations;
        if (i == *first) continue;
        Loser loser{weft::to_string(choices_[i]), {}, failures_[i]};
        if (failures_[i].empty()) loser.reason = race_.dropped(i);
        if (!times_[i].empty() && failures_[i].empty()) loser.time = measured(times_[i]);
        result.losers.push_back(std::move(loser));
    }
    return result;
}

}  // namespace weft::core
