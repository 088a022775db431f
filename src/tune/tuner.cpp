#include "tune/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "tune/race.hpp"
#include "tune/recall.hpp"
#include "tune/simplex.hpp"

namespace weft::core {

namespace {

/// A trial that is behind the fastest by no more can turn out to be the fastest.
constexpr double near = 1.25;
/// Medians that differ by less count as equal where their intervals overlap.
constexpr double tie = 1.02;
/// By how much a model that one run has corrected may be off.
constexpr double doubt = 15;
/// Why a tuner has ended.
constexpr const char* out_of_time = "the limit";

}  // namespace

Amounts amounts_of(TuningEffort effort) {
    switch (effort) {
        case TuningEffort::measure:
            return {38, 18, 12, 1.1, 8, 7, 6, TileNumbers::few, false, false, false};
        case TuningEffort::patient:
            return {120, 40, 40, 1.25, 60, 15, 40, TileNumbers::all, true, true, true};
        case TuningEffort::exhaustive:
            return {5000, 5000, 1000, 10, 400, 25, 200, TileNumbers::all, true, true, true};
        default:
            return {};
    }
}

Tuner::Tuner(const Problem& problem, const Choice& constraint, int ranks, const Means& means,
             const Machine& machine, const Amounts& amounts, const Weights& weights)
    : trials_(problem, constraint, ranks, means, machine), amounts_(amounts), weights_(weights) {}

void Tuner::suggest(const Choice& choice) {
    if (trials_.keeps_to_constraint(choice)) suggested_ = trials_.add(choice);
}

double Tuner::running(const Trial& trial) const {
    // What has not run is not believed to be faster than what has.
    const std::optional<std::size_t> fastest = trials_.fastest();
    const double known = fastest ? median(trials_[*fastest].seconds) : 0;
    return costs_.running(std::max(trial.corrected, known));
}

double Tuner::cost(const Trial& trial) const {
    if (trial.has_run()) return trial.spent;
    return costs_.binding(trial.plan.choice) + running(trial);
}

double Tuner::binding_limit(const Trial& trial, double left) const {
    // Before anything has run, another engine is left time that may plan faster. What the run takes
    // once it is bound is a cautious guess.
    const bool shares = !trials_.fastest() && trials_.engines_differ();
    return shares ? left / 2 : std::max(left - running(trial), left / 2);
}

double Tuner::hopeless() const {
    // The first run is slower than those behind it, but not by so much.
    constexpr double behind = 1.5;
    const std::optional<std::size_t> fastest = trials_.fastest();
    return fastest ? behind * median(trials_[*fastest].seconds) : infeasible;
}

void Tuner::skip(std::size_t trial) {
    skipped_ = true;
    trials_[trial].dropped = fmt::format(
        "its engine takes {:.2g} s or more to plan, which is more than was left of the limit",
        costs_.binding(trials_[trial].plan.choice));
    if (strategy_) strategy_->tell(infeasible);
}

std::optional<NextRun> Tuner::ask(double left) {
    while (stage_ != Stage::done) {
        const std::optional<std::size_t> trial = next();
        if (!trial) {
            advance();
            continue;
        }
        const Trial& one = trials_[*trial];
        if (cost(one) <= left) {
            asked_ = trial;
            return NextRun{{weights_.forward > 0, weights_.backward > 0, binding_limit(one, left),
                            left, hopeless()},
                           *trial};
        }
        if (one.is_open() && costs_.binding(one.plan.choice) > std::max(left, 0.0)) {
            skip(*trial);
            continue;
        }
        stage_ = Stage::done;
        ended_ = out_of_time;
    }
    return std::nullopt;
}

std::optional<std::size_t> Tuner::next() {
    const bool explores = stage_ == Stage::explore;
    return explores ? next_explored() : next_of_strategy();
}

std::optional<std::size_t> Tuner::next_explored() {
    if (runs_ == amounts_.explored || in_vain_ >= amounts_.in_vain) return std::nullopt;
    const std::optional<std::size_t> fastest = trials_.fastest();
    if (!fastest && trials_[0].is_open()) return 0;
    if (suggested_ && trials_[*suggested_].is_open()) return suggested_;
    if (fastest) {
        if (const auto other = other_engine(*fastest)) return other;
    }
    if (!fastest) return trials_.most_promising(infeasible);
    // The more runs have corrected the model the more it is trusted.
    const double margin = std::max(amounts_.margin, 1 + doubt / evaluations_);
    return trials_.most_promising(margin * median(trials_[*fastest].seconds));
}

std::optional<std::size_t> Tuner::other_engine(std::size_t fastest) {
    if (evaluations_ < engines_after_) return std::nullopt;
    for (const std::size_t other : trials_.with_other_engines(fastest)) {
        if (trials_[other].is_open()) return other;
    }
    engines_after_ *= 2;
    return std::nullopt;
}

std::optional<std::size_t> Tuner::next_of_strategy() {
    const bool tiles = stage_ == Stage::tiles;
    if (runs_ == (tiles ? amounts_.tile_runs : amounts_.race_runs)) return std::nullopt;
    while (const std::optional<Position> position = strategy_->ask()) {
        if (!tiles) return contestants_[usize(position->front())];
        const std::size_t trial = *trial_at(*position);
        const Trial& known = trials_[trial];
        if (known.is_open()) return trial;
        strategy_->tell(known.seconds.empty() || known.failed ? infeasible : median(known.seconds));
    }
    return std::nullopt;
}

void Tuner::tell(const RunSeconds& took) {
    const double weight = weights_.forward + weights_.backward;
    const double seconds = ((weights_.forward > 0 ? weights_.forward * took.forward : 0) +
                            (weights_.backward > 0 ? weights_.backward * took.backward : 0)) /
                           weight;
    trials_.run(*asked_, seconds);
    told(seconds, took);
}

void Tuner::fail(const std::string& reason, const RunSeconds& took) {
    trials_.fail(*asked_, reason);
    told(infeasible, took);
}

void Tuner::told(double seconds, const RunSeconds& took) {
    ++runs_;
    ++evaluations_;
    trials_[*asked_].spent = took.spent;
    costs_.told(trials_[*asked_].plan.choice, seconds, took.spent, took.binding);
    if (strategy_) strategy_->tell(seconds);
    if (stage_ != Stage::explore) return;
    trials_.correct();
    ++in_vain_;
    const std::optional<std::size_t> fastest = trials_.fastest();
    if (!fastest) return;
    const double now = median(trials_[*fastest].seconds);
    if (tie * now < best_) {
        best_ = now;
        in_vain_ = 0;
    }
}

int Tuner::expansions() const {
    // Before runs have corrected the model it leads astray.
    return stage_ == Stage::explore ? std::min(amounts_.expanded, evaluations_) : 0;
}

std::optional<std::size_t> Tuner::leader() const {
    // Of many that have run once or twice some were lucky: those that ran again count.
    std::optional<std::size_t> best;
    for (const std::size_t i : finalists_) {
        if (trials_[i].failed || trials_[i].seconds.empty()) continue;
        if (!best || median(trials_[i].seconds) < median(trials_[*best].seconds)) best = i;
    }
    return best ? best : trials_.fastest();
}

std::vector<std::size_t> Tuner::within(double factor) const {
    std::vector<std::size_t> result;
    const std::optional<std::size_t> fastest = leader();
    if (!fastest) return result;
    const double least = median(trials_[*fastest].seconds);
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        const Trial& trial = trials_[i];
        if (trial.failed || trial.seconds.empty() || !trial.dropped.empty()) continue;
        if (median(trial.seconds) <= factor * least) result.push_back(i);
    }
    std::stable_sort(result.begin(), result.end(), [&](std::size_t a, std::size_t b) {
        return median(trials_[a].seconds) < median(trials_[b].seconds);
    });
    return result;
}

void Tuner::start_race(const std::vector<std::size_t>& contestants) {
    contestants_ = contestants;
    const auto seconds_of = [&](std::size_t trial) { return trials_[trial].seconds; };
    strategy_ = std::make_unique<Race>(mapped(contestants, seconds_of), amounts_.rounds);
}

std::optional<std::size_t> Tuner::trial_at(const Position& position) {
    Choice choice = tiled_;
    choice.tile = grid_->at(position);
    return trials_.add(choice);
}

void Tuner::start_tiles() {
    strategy_.reset();
    for (const std::size_t number : within(near)) {
        const Trial& trial = trials_[number];
        if (!trial.plan.pipeline) continue;
        tiled_ = trial.open;
        grid_.emplace(trial.plan, tiled_.tile.value_or(Tiling{}), amounts_.numbers);
        break;
    }
    if (!grid_) return;
    strategy_ = std::make_unique<Recall>(std::make_unique<Simplex>(grid_->steps(), grid_->start()),
                                         [this](const Position& position) {
                                             return grid_->feasible(position) &&
                                                    trial_at(position).has_value();
                                         });
}

void Tuner::advance() {
    runs_ = 0;
    switch (stage_) {
        case Stage::explore:
            stage_ = Stage::race;
            start_race(within(near));
            return;
        case Stage::race: {
            const auto& race = static_cast<const Race&>(*strategy_);
            for (std::size_t i = 0; i < contestants_.size(); ++i) {
                trials_[contestants_[i]].dropped = race.dropped(i);
            }
            stage_ = Stage::tiles;
            start_tiles();
            if (!strategy_) runs_ = amounts_.tile_runs;
            return;
        }
        case Stage::tiles: {
            constexpr std::size_t finalists = 2;
            std::vector<std::size_t> last = within(near);
            if (last.size() > finalists) last.resize(finalists);
            if (!trials_[0].failed && std::count(last.begin(), last.end(), 0) == 0)
                last.push_back(0);
            stage_ = Stage::last_race;
            start_race(last);
            finalists_ = last;
            return;
        }
        case Stage::last_race:
        case Stage::done:
            stage_ = Stage::done;
            ended_ = skipped_ ? out_of_time : "nothing is left that may be faster";
            return;
    }
}

Outcome Tuner::outcome() const {
    Outcome outcome;
    outcome.evaluations = evaluations_;
    outcome.ended = ended_;
    outcome.cut_short = ended_ == out_of_time;
    for (std::size_t i = 0; i < trials_.size(); ++i) outcome.trials.push_back(trials_[i]);
    const std::optional<std::size_t> fastest = leader();
    if (!fastest) {
        for (std::size_t i = 1; i < outcome.trials.size(); ++i) {
            if (outcome.trials[i].dropped.empty()) outcome.trials[i].dropped = "it was not run";
        }
        return outcome;
    }
    judge(outcome, *fastest, within(tie));
    return outcome;
}

}  // namespace weft::core
