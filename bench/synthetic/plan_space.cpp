#include "synthetic/plan_space.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/default_plan.hpp"
#include "tune/forecast.hpp"
#include "tune/tile_grid.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

constexpr std::size_t tile_numbers = 2;

/// The first number of a position that is below its last value goes up, those before go to 0;
/// false: all were at their last value.
bool go_on(core::Position& position, const std::vector<int>& steps) {
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (++position[i] < steps[i]) return true;
        position[i] = 0;
    }
    return false;
}

}  // namespace

PlanSpace::PlanSpace(const Question& question, const std::vector<core::Machine>& machines)
    : question_(question), machines_(machines) {
    std::string kind;
    for (const std::string& items :
         core::changes(question.problem, question.constraint, question.ranks, question.means)) {
        const std::string name = core::parse_setting(core::split(items, ';').front()).name;
        if (name != kind) groups_.emplace_back();
        kind = name;
        groups_.back().push_back(items);
    }
    std::vector<int> kinds;
    kinds.reserve(groups_.size());
    for (const auto& group : groups_) kinds.push_back(static_cast<int>(group.size()) + 1);
    core::Position position(groups_.size(), 0);
    do {
        Choice choice = question.constraint;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (position[i] == 0) continue;
            choice = core::changed(choice, groups_[i][static_cast<std::size_t>(position[i]) - 1]);
        }
        add(position, choice);
    } while (go_on(position, kinds));
}

void PlanSpace::add(const core::Position& changes, const Choice& choice) {
    core::Plan plan;
    core::Position position = changes;
    position.resize(changes.size() + tile_numbers, 0);
    const std::optional<std::size_t> number = planned(choice, &plan);
    if (!number) return;
    plan_at_[position] = *number;
    if (!plan.pipeline) return;
    const core::TileGrid grid(plan, question_.constraint.tile.value_or(Tiling{}),
                              core::TileNumbers::few);
    core::Position tiles = grid.start();
    std::vector<int> steps = grid.steps();
    steps.resize(tile_numbers, 1);
    core::Position at(tile_numbers, 0);
    do {
        for (std::size_t i = 0; i < std::min(tiles.size(), tile_numbers); ++i) tiles[i] = at[i];
        for (std::size_t i = 0; i < tile_numbers; ++i) {
            position[changes.size() + i] = at[i] + 1;
            tile_steps_[i] = std::max(tile_steps_[i], at[i] + 2);
        }
        if (!grid.feasible(tiles)) continue;
        Choice tiled = choice;
        tiled.tile = grid.at(tiles);
        tiled.decomposition =
            plan.choice.decomposition;  // Complete, so it is not looked for again.
        if (const auto one = planned(tiled, nullptr)) plan_at_[position] = *one;
    } while (go_on(at, steps));
}

std::optional<std::size_t> PlanSpace::planned(const Choice& choice, core::Plan* plan) {
    Choice named = choice;
    if (named.engine.empty()) named.engine = question_.means.engines.front();
    try {
        core::Plan made = core::default_plan(question_.problem, named, question_.ranks);
        if (plan != nullptr) *plan = made;
        const std::string text = weft::to_string(made.choice);
        if (const auto known = find(text)) return known;
        const core::Forecast forecast(made, question_.means.nodes, question_.described);
        std::vector<float> seconds;
        seconds.reserve(machines_.size());
        for (const core::Machine& machine : machines_) {
            seconds.push_back(static_cast<float>(forecast.seconds(machine)));
        }
        by_text_[text] = seconds_.size();
        texts_.push_back(text);
        seconds_.push_back(std::move(seconds));
        return seconds_.size() - 1;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

std::vector<int> PlanSpace::steps() const {
    std::vector<int> result;
    result.reserve(groups_.size());
    for (const auto& group : groups_) result.push_back(static_cast<int>(group.size()) + 1);
    result.insert(result.end(), tile_steps_.begin(), tile_steps_.end());
    return result;
}

std::optional<std::size_t> PlanSpace::plan_at(const core::Position& position) const {
    const auto found = plan_at_.find(position);
    return found == plan_at_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> PlanSpace::find(const std::string& choice) const {
    const auto found = by_text_.find(choice);
    return found == by_text_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t PlanSpace::best(std::size_t machine) const {
    std::size_t best = 0;
    for (std::size_t plan = 1; plan < seconds_.size(); ++plan) {
        if (seconds_[plan][machine] < seconds_[best][machine]) best = plan;
    }
    return best;
}

}  // namespace weft::bench
