#include "tune/trials.hpp"

#include <cmath>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "model/default_plan.hpp"
#include "model/usual_ways.hpp"
#include "plan/fuse.hpp"
#include "plan/volume_table.hpp"
#include "tune/constraint.hpp"
#include "tune/tile_grid.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

std::vector<std::string> engines_of(const Choice& constraint, const Means& means) {
    return constraint.engine.empty() ? means.engines : std::vector{constraint.engine};
}

}  // namespace

Trials::Trials(Problem problem, Choice constraint, int ranks, Means means, Machine machine)
    : problem_(std::move(problem)),
      constraint_(std::move(constraint)),
      ranks_(ranks),
      means_(std::move(means)),
      machine_(std::move(machine)),
      correction_(engines_of(constraint_, means_)) {
    Choice first = constraint_;
    if (first.engine.empty() && !means_.engines.empty()) first.engine = means_.engines.front();
    means_.proposed = planned(first).placements;
    changes_ = changes(problem_, constraint_, ranks_, means_);
    added(constraint_);
}

Plan Trials::planned(const Choice& choice) const {
    Plan plan = default_plan(problem_, choice, ranks_,
                             means_.described ? *means_.described : modest_machine());
    // As it would be resolved where it is bound, so that forecasts are of what runs.
    const bool is_open = plan.placements.first().reach == Reach::open;
    if (is_open && sends_from_device(plan)) {
        plan.place(plan.placements.with(Reach::both));
    } else if (is_open && means_.mpi_reaches_device) {
        plan.place(plan.placements.with(*means_.mpi_reaches_device ? Reach::both : Reach::host));
    }
    const bool unreached = means_.mpi_reaches_device && !*means_.mpi_reaches_device;
    if (unreached && plan.placements.first().reach == Reach::both &&
        !leaves_without_mpi(plan, environment_of(plan, means_.nodes))) {
        bad_request("MPI does not reach the device, from which the plan's messages go directly");
    }
    return plan;
}

bool Trials::keeps_to_constraint(const Choice& choice) const {
    return keeps_to(problem_, choice, constraint_, ranks_);
}

std::optional<std::size_t> Trials::add(const Choice& open) {
    try {
        return added(open);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

std::size_t Trials::added(const Choice& open) {
    Trial trial;
    trial.open = open;
    Choice named = open;
    if (named.engine.empty() && !means_.engines.empty()) named.engine = means_.engines.front();
    const std::size_t number = trials_.size();
    trial.plan = planned(named);
    const std::string text = weft::to_string(trial.plan.choice);
    if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
    forecasts_.emplace_back(trial.plan, means_.nodes, machine_);
    trial.predicted = forecasts_.back().seconds(machine_);
    if (const auto known = same_as(forecasts_.back(), trial.predicted)) {
        forecasts_.pop_back();
        by_text_[text] = *known;
        return *known;
    }
    by_text_[text] = number;
    const Forecast& forecast = forecasts_.back();
    trial.corrected = forecast.seconds(correction_.applied(machine_));
    trials_.push_back(std::move(trial));
    return number;
}

std::vector<std::size_t> Trials::with_other_engines(std::size_t trial) {
    std::vector<std::size_t> result;
    Choice open = trials_[trial].open;
    const Choice& complete = trials_[trial].plan.choice;
    const std::string engine = complete.engine;
    // Engines have different defaults.
    open.pack = complete.pack;
    open.via = complete.via;
    for (const std::string& items : changes_) {
        // Others name a method besides, for engines that do not go with the default one.
        if (!items.starts_with("engine=") || items.find("via=") != std::string::npos) continue;
        const std::optional<std::size_t> other = add(changed(open, items));
        if (other && trials_[*other].plan.choice.engine != engine) result.push_back(*other);
    }
    return result;
}

std::optional<std::size_t> Trials::same_as(const Forecast& forecast, double predicted) const {
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].predicted == predicted && forecasts_[i].same(forecast)) return i;
    }
    return std::nullopt;
}

void Trials::expand(std::size_t trial) {
    trials_[trial].expanded = true;
    if (!is_decomposition(trial)) ++expanded_;
    list_tiles(trial, true);
    for (const std::string& items : changes_) {
        listed_.push_back(changed(trials_[trial].open, items));
    }
}

void Trials::list_tiles(std::size_t trial, bool beside) {
    const Trial& tiled = trials_[trial];
    if (!tiled.plan.pipeline || !tiled.open.tile) return;
    const TileGrid grid(tiled.plan, constraint_.tile.value_or(Tiling{}), TileNumbers::few);
    const Position start = grid.start();
    for (const Position& position : beside ? grid.beside(start) : grid.along_first(start)) {
        if (!grid.feasible(position)) continue;
        Choice choice = tiled.open;
        choice.tile = grid.at(position);
        listed_.push_front(std::move(choice));
    }
}

bool Trials::is_decomposition(std::size_t trial) const {
    Choice rest = trials_[trial].open;
    if (trials_[trial].plan.choice.engine == fastest_engine_) {
        rest.engine = constraint_.engine;
        rest.effort = constraint_.effort;
    }
    rest.decomposition = constraint_.decomposition;
    return rest == constraint_;
}

std::optional<std::size_t> Trials::unexpanded() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].expanded || trials_[i].failed) continue;
        const auto rank = [&](std::size_t trial) {
            return std::pair{!is_decomposition(trial), trials_[trial].corrected};
        };
        if (!best || rank(i) < rank(*best)) best = i;
    }
    return best;
}

bool Trials::think(int expanded) {
    for (;;) {
        if (listed_.empty()) {
            const std::optional<std::size_t> next = unexpanded();
            if (!next || (expanded_ >= expanded && !is_decomposition(*next))) return false;
            expand(*next);
            continue;
        }
        const Choice open = listed_.front();
        listed_.pop_front();
        const std::size_t before = trials_.size();
        add(open);
        if (trials_.size() == before) continue;
        // The best number of tiles is far from the default on many machines.
        const bool numbers_are_open = open.tile && !open.tile->tile_extent;
        if (numbers_are_open) list_tiles(before, false);
        return true;
    }
}

void Trials::run(std::size_t trial, double seconds) { trials_[trial].seconds.push_back(seconds); }

void Trials::fail(std::size_t trial, const std::string& reason) {
    trials_[trial].failed = true;
    trials_[trial].dropped = reason;
}

void Trials::correct() {
    std::vector<Correction::Sample> samples;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].failed || trials_[i].seconds.empty()) continue;
        samples.push_back({&forecasts_[i], median(trials_[i].seconds)});
    }
    if (const auto best = fastest()) fastest_engine_ = trials_[*best].plan.choice.engine;
    correction_.fit(machine_, samples);
    const Machine corrected = correction_.applied(machine_);
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        trials_[i].corrected = forecasts_[i].seconds(corrected);
    }
}

std::optional<std::size_t> Trials::fastest() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].failed || trials_[i].seconds.empty()) continue;
        if (!best || median(trials_[i].seconds) < median(trials_[*best].seconds)) best = i;
    }
    return best;
}

Trials::Likeness Trials::likeness(const Trial& trial) const {
    // A run says most of the plans that differ from it in little.
    constexpr double per_difference = 0.25;
    constexpr double none = 0.1;  // weight of there being no difference
    const Choice& choice = trial.plan.choice;
    const double usual = usual_residual();
    double sum = none * usual;
    double weights = none;
    int alike = 0;
    for (const Trial& other : trials_) {
        if (other.seconds.empty() || other.failed) continue;
        const Choice& its = other.plan.choice;
        const int differences = static_cast<int>(choice.decomposition != its.decomposition) +
                                static_cast<int>(choice.engine != its.engine) +
                                static_cast<int>(choice.via != its.via) +
                                static_cast<int>(choice.pack != its.pack) +
                                static_cast<int>(choice.tile.has_value() != its.tile.has_value());
        const double weight = std::pow(per_difference, differences);
        if (differences == 0) ++alike;
        sum += weight * std::log(median(other.seconds) / other.corrected);
        weights += weight;
    }
    return {std::exp(sum / weights), alike};
}

double Trials::usual_residual() const {
    double sum = 0;
    int runs = 0;
    for (const Trial& trial : trials_) {
        if (trial.seconds.empty() || trial.failed) continue;
        sum += std::log(median(trial.seconds) / trial.corrected);
        ++runs;
    }
    return runs == 0 ? 0 : sum / runs;
}

std::size_t Trials::estimate() const {
    constexpr double tie = 1.02;
    double least = trials_[0].predicted;
    for (const Trial& trial : trials_) least = std::min(least, trial.predicted);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        if (trials_[i].predicted > tie * least) continue;
        if (!best || trials_[i].complexity() < trials_[*best].complexity()) best = i;
    }
    return *best;
}

std::optional<Promise> Trials::most_promising(double most) const {
    // Of the doubt about a plan of a kind that has not run.
    constexpr double of_calls = 0.4;
    constexpr double of_numbers = 0.6;
    constexpr double alike_by = 0.1;
    constexpr double near_by = 0.05;
    constexpr double unknown_by = 0.75;
    std::map<double, int> alike;  // those that have run, by what the description says of them
    std::set<std::string> known;  // decompositions, engines, tiles
    const auto groups = [](const Plan& plan) {
        std::vector<std::string> result = {weft::to_string(plan.choice.decomposition),
                                           plan.choice.engine};
        if (plan.pipeline) result.emplace_back("tiles");
        return result;
    };
    for (const Trial& trial : trials_) {
        if (!trial.has_run()) continue;
        ++alike[trial.predicted];
        for (const std::string& group : groups(trial.plan)) known.insert(group);
    }
    std::optional<Promise> best;
    double least = 0;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        const Trial& trial = trials_[i];
        if (!trial.is_open()) continue;
        const auto same = alike.find(trial.predicted);
        const Likeness like = likeness(trial);
        Promise promise{i, like.residual * trial.corrected, of_numbers};
        double seconds = promise.seconds;
        for (const std::string& group : groups(trial.plan)) {
            if (known.contains(group)) continue;
            seconds *= unknown_by;
            promise.doubt = 1;
        }
        if (same != alike.end()) promise.doubt = of_calls;
        if (seconds > most) continue;
        seconds *= 1 + near_by * like.runs;
        if (same != alike.end()) seconds *= 1 + alike_by * same->second;
        if (best && seconds >= least) continue;
        best = promise;
        least = seconds;
    }
    return best;
}

std::vector<Choice> usual_choices(const Problem& problem, const Choice& constraint, int ranks,
                                  const Machine& machine) {
    std::vector<Choice> result = {constraint};
    if (problem.kind == Kind::redistribute || ranks == 1) return result;
    for (const Decomposition& way : usual_ways(problem, constraint, ranks, machine)) {
        const std::optional<Plan> plan = plan_with(problem, constraint, way, ranks);
        if (!plan || idles(*plan)) continue;
        result.push_back(constraint);
        result.back().decomposition = way;
    }
    if (constraint.tile || !constraint.via.empty()) return result;
    const std::size_t ways = result.size();
    for (std::size_t way = 0; way < ways; ++way) {
        result.push_back(changed(result[way], "tile=default"));
    }
    return result;
}

}  // namespace weft::core
