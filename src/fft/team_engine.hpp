// Any engine, its tasks shared out among threads.
#pragma once

#include <utility>

#include "fft/engine.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// Cuts a task into as many as a team has threads, along an axis or a loop that is not transformed;
/// where there is none, the axes are transformed in two steps, each cut along the other's. So every
/// engine has threads, whatever its library makes of them, and they share nothing.
class TeamEngine : public FftEngine {
  public:
    /// What takes less than so many seconds on one thread is left to it: waking the others takes
    /// some tens of microseconds.
    static constexpr double worth_waking = 1e-4;

    /// Plans refer to the engine and the team, not to this object. Tasks are told from those that
    /// are too short by these rates.
    TeamEngine(const FftEngine& engine, Team& team, CoreRates rates,
               double least_seconds = worth_waking)
        : engine_(engine), team_(team), rates_(std::move(rates)), least_seconds_(least_seconds) {}

    [[nodiscard]] std::string_view name() const override { return engine_.name(); }
    [[nodiscard]] std::string description() const override { return engine_.description(); }
    [[nodiscard]] Index alignment() const override { return engine_.alignment(); }
    [[nodiscard]] double cost(const FftTask& task, const CoreRates& rates) const override;
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort, std::byte* from,
                                                std::byte* to) const override;
    /// A tile is one thread's work.
    [[nodiscard]] std::unique_ptr<TilePlan> tiles(const TileTask& task) const override {
        return engine_.tiles(task);
    }

  private:
    const FftEngine& engine_;
    Team& team_;
    CoreRates rates_;
    double least_seconds_;
};

}  // namespace weft::core
