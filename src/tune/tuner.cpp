#include "tune/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "tune/race.hpp"
#include "tune/recall.hpp"
#include "tune/simplex.hpp"

namespace weft::core {

namespace {

/// A trial that is behind the fastest by no more can turn out to be the fastest.
constexpr double near = 1.25;
/// The same, where the uses are few.
constexpr double nearer = 1.15;
/// A direction that takes so many times the fastest plan's shows that there are faster ones.
constexpr double beaten = 1.15;
/// Medians that differ by less count as equal where their intervals overlap.
constexpr double tie = 1.02;
/// By how much a model that one run has corrected may be off.
constexpr double doubt = 15;
/// Why a tuner has ended.
constexpr const char* out_of_time = "the limit";
/// Of the time of all uses, the most that tuning may take.
constexpr double worthwhile = 1.0 / 80;

Amounts usual_amounts(TuningEffort effort) {
    switch (effort) {
        case TuningEffort::measure:
            return {38, 18, 12, 1.1, 8, 7, 6, TileNumbers::few, false, false, false, 1000};
        case TuningEffort::patient:
            return {120, 40, 40, 1.25, 60, 15, 40, TileNumbers::all, true, true, true};
        case TuningEffort::exhaustive:
            return {5000, 5000, 1000, 10, 400, 25, 200, TileNumbers::all, true, true, true};
        default:
            return {};
    }
}

/// By how much one is expected to be less than `least`, if it is normally distributed about `mean`
/// and is then measured with some noise: nothing where it turns out to be more.
double expected_gain(double least, double mean, double deviation) {
    constexpr double noise = 0.03;  // of a measurement
    // The less a measurement tells of it, the less is gained by looking.
    const double told = deviation * deviation / std::hypot(deviation, noise * mean);
    const double z = (least - mean) / told;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return told * (density + z * std::erfc(-z / std::numbers::sqrt2) / 2);
}

}  // namespace

Amounts amounts_of(const Tuning& tuning) {
    Amounts amounts = usual_amounts(tuning.effort);
    if (tuning.uses) amounts.uses = *tuning.uses;
    return amounts;
}

Tuner::Tuner(const Problem& problem, const Choice& constraint, int ranks, const Means& means,
             const Machine& machine, const Amounts& amounts, const Weights& weights)
    : trials_(problem, constraint, ranks, means, machine), amounts_(amounts), weights_(weights) {
    trials_.list(usual_choices(problem, constraint, ranks, machine));
}

void Tuner::suggest(const Choice& choice) {
    if (trials_.keeps_to_constraint(choice)) suggested_ = trials_.add(choice);
}

double Tuner::running(const Trial& trial) const {
    // What has not run is not believed to be faster than what has.
    const double known = trials_.fastest() ? least() : 0;
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

int Tuner::directions() const {
    return (weights_.forward > 0 ? 1 : 0) + (weights_.backward > 0 ? 1 : 0);
}

double Tuner::least() const {
    const std::optional<std::size_t> fastest = trials_.fastest();
    return fastest ? median(trials_[*fastest].seconds) : trials_[0].predicted;
}

double Tuner::worth() const { return worthwhile * amounts_.uses * directions() * least(); }

bool Tuner::pays(const Promise& promise) const {
    const double off = promise.doubt * (amounts_.described ? 0.15 : 0.25);
    const double gain = expected_gain(least(), promise.seconds, off * promise.seconds);
    return amounts_.uses * directions() * gain > cost(trials_[promise.trial]);
}

bool Tuner::is_too_dear(const Trial& trial, double spent) const {
    // Something has to run, and what seems faster runs once more beside the estimate.
    const std::optional<std::size_t> fastest = trials_.fastest();
    if (!fastest) return false;
    if (stage_ == Stage::last_race) return spent + again(trial) > worth();
    if (estimate_ && &trial == &trials_[*estimate_]) return spent + cost(trial) > worth();
    return spent + cost(trial) + again(trials_[start_]) + again(trials_[*fastest]) > worth();
}

double Tuner::again(const Trial& trial) const {
    // Those that race are bound, and long ones run once in each direction.
    if (trial.seconds.empty()) return 0;
    const double seconds = median(trial.seconds);
    const double both = directions() * seconds;
    return seconds > long_run ? 1.1 * both : costs_.running(seconds);
}

bool Tuner::think() {
    // What there is no time to run need not be known.
    if (trials_.fastest() && spent_ + 2 * directions() * least() > worth()) return false;
    if (corrected_) return trials_.think(expansions());
    trials_.correct();
    corrected_ = true;
    return true;
}

double Tuner::hopeless() const {
    // The first run is slower than those behind it, but not by so much.
    constexpr double behind = 1.5;
    return trials_.fastest() ? behind * least() : infeasible;
}

void Tuner::skip(std::size_t trial) {
    skipped_ = true;
    trials_[trial].dropped = fmt::format(
        "its engine takes {:.2g} s or more to plan, which is more than was left of the limit",
        costs_.binding(trials_[trial].plan.choice));
    if (strategy_) strategy_->tell(infeasible);
}

std::optional<NextRun> Tuner::ask(const SearchTime& time) {
    const double left = time.left;
    while (stage_ != Stage::done) {
        const std::optional<std::size_t> trial = next();
        if (!trial) {
            advance();
            continue;
        }
        const Trial& one = trials_[*trial];
        if (is_too_dear(one, time.spent)) {
            dear_ = true;
            advance();
            continue;
        }
        if (cost(one) <= left) {
            // Of each direction of a few plans.
            constexpr double timings = 30;
            asked_ = trial;
            NextRun run{{weights_.forward > 0, weights_.backward > 0, binding_limit(one, left),
                         left, hopeless()},
                        *trial};
            run.timing = std::min(run.timing, worth() / timings);
            if (amounts_.uses < infeasible && trials_.fastest()) run.behind = beaten * least();
            return run;
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
    // No tuned plan is to be slower than the one without tuning, or than the estimate.
    if (trials_[0].is_open()) return 0;
    if (amounts_.described && !estimate_) {
        estimate_ = trials_.estimate();
        if (trials_[*estimate_].is_open()) return estimate_;
    }
    if (suggested_ && trials_[*suggested_].is_open()) return suggested_;
    if (fastest) {
        if (const auto other = other_engine(*fastest)) return other;
    }
    // The more runs have corrected the model the more it is trusted.
    const double margin = std::max(amounts_.margin, 1 + doubt / std::max(evaluations_, 1));
    const auto promise = trials_.most_promising(fastest ? margin * least() : infeasible);
    if (!promise) return std::nullopt;
    const bool pays_off = !fastest || pays(*promise);
    if (!pays_off) dear_ = true;
    return pays_off ? std::optional(promise->trial) : std::nullopt;
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
    if (asked_ == estimate_) start_ = *asked_;
    trials_[*asked_].spent = took.spent;
    spent_ += took.spent + took.preparing;
    costs_.told(trials_[*asked_].plan.choice, seconds, took.spent, took.binding);
    if (strategy_) strategy_->tell(seconds);
    if (stage_ != Stage::explore) return;
    corrected_ = false;
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

bool Tuner::is_proven(std::size_t trial) const {
    constexpr double clearly = 1.08;
    if (trials_[trial].seconds.size() > 1) return true;
    const auto is_clear = [&](const Trial& other) {
        return other.failed || other.seconds.empty() || &other == &trials_[trial] ||
               median(other.seconds) > clearly * median(trials_[trial].seconds);
    };
    return is_clear(trials_[0]) && is_clear(trials_[start_]);
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
            // The uses make worth while to tell apart what is nearer.
            const bool for_many = amounts_.uses == infeasible;
            std::vector<std::size_t> last = within(for_many ? near : nearer);
            if (last.size() > 2) last.resize(2);
            const bool has_start = std::count(last.begin(), last.end(), start_) != 0;
            const std::vector<std::size_t> some = within(near);
            const bool may_win = for_many ? !trials_[start_].failed
                                          : std::count(some.begin(), some.end(), start_) != 0;
            if (!has_start && may_win) last.push_back(start_);
            stage_ = Stage::last_race;
            start_race(last);
            finalists_ = last;
            return;
        }
        case Stage::last_race:
        case Stage::done:
            stage_ = Stage::done;
            ended_ = skipped_ ? out_of_time
                     : dear_
                         ? fmt::format("more runs would cost more than they may save in {} uses",
                                       amounts_.uses)
                         : "nothing is left that may be faster";
            return;
    }
}

Outcome Tuner::outcome() const {
    Outcome outcome;
    outcome.evaluations = evaluations_;
    outcome.start = start_;
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
    const auto seconds_of = [&](std::size_t trial) {
        const bool ran = !trials_[trial].failed && !trials_[trial].seconds.empty();
        return ran ? median(trials_[trial].seconds) : infeasible;
    };
    // The default or the estimate, where nothing is known to be faster.
    const std::size_t safe = *fastest == start_ || seconds_of(0) <= seconds_of(start_) ? 0 : start_;
    judge(outcome, is_proven(*fastest) ? *fastest : safe, within(tie));
    return outcome;
}

}  // namespace weft::core
