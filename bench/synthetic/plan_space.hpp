// All plans that a tuner may find for a problem, and what they take on some machines.
//
// A position says for each kind of change (tune/changes.hpp) which one is made, 0 for none, then
// where the first two numbers of tiles are on their scales, 0 for the planner's own. So the first
// position is the constraint itself. Example: beside the default of 8 ranks there may be 5
// decompositions, 8 methods, 4 packings, none of the tiles or one of 3 axes, 3 carriers and 2
// engines. {2, 0, 1, 0, 0, 0, 0, 0} is the second decomposition with the first packing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "tune/changes.hpp"
#include "tune/strategy.hpp"

namespace weft::bench {

/// What is to be tuned, and where.
struct Question {
    Problem problem{};
    Choice constraint{};
    int ranks = 1;
    core::Means means{};
    core::Machine described{};  ///< all that is known of the machine
};

class PlanSpace {
  public:
    /// Plans all positions, and forecasts them on these machines.
    PlanSpace(const Question& question, const std::vector<core::Machine>& machines);

    /// How many values each number of a position has.
    [[nodiscard]] std::vector<int> steps() const;
    /// The plan there; nothing where it cannot be made.
    [[nodiscard]] std::optional<std::size_t> plan_at(const core::Position& position) const;
    /// The plan of that complete choice; nothing if no position has it.
    [[nodiscard]] std::optional<std::size_t> find(const std::string& choice) const;

    [[nodiscard]] double seconds(std::size_t plan, std::size_t machine) const {
        return static_cast<double>(seconds_[plan][machine]);
    }
    /// The fastest one on that machine.
    [[nodiscard]] std::size_t best(std::size_t machine) const;
    [[nodiscard]] std::size_t plans() const { return seconds_.size(); }
    [[nodiscard]] const std::string& text(std::size_t plan) const { return texts_[plan]; }

  private:
    void add(const core::Position& changes, const Choice& choice);
    /// The plan's number; nothing if there is none.
    std::optional<std::size_t> planned(const Choice& choice, core::Plan* plan);

    const Question& question_;
    const std::vector<core::Machine>& machines_;
    std::vector<std::vector<std::string>> groups_;  ///< changes of one kind
    std::vector<int> tile_steps_ = {1, 1};
    std::map<core::Position, std::size_t> plan_at_;
    std::map<std::string, std::size_t> by_text_;
    std::vector<std::string> texts_;
    std::vector<std::vector<float>> seconds_;  ///< by plan and machine
};

}  // namespace weft::bench
