// Looks for the fastest plan: a session (tune/session.hpp) that finds what to run by the model.
//
// Four stages follow one another.
//   1. Exploring. The model says of the choices beside the default (tune/changes.hpp) what they
//      take, and the most promising one runs. Each run corrects the model. The choices beside a new
//      fastest one join. It ends when the model says of all others that they are behind by more
//      than a margin, enough have run, or many in a row found nothing faster.
//   2. Racing (tune/race.hpp) of all that are near the fastest.
//   3. The numbers of tiles (tune/tile_grid.hpp, tune/simplex.hpp), if tiles are near the fastest.
//   4. Racing of the two fastest and of the estimate, whose winner is the tuner's.
// Of those that are tied with the winner, by the intervals of their medians, the estimate is taken,
// or else the simplest.
//
// Where a plan is for so many uses, the first stages end once what the most promising choice may
// save over the uses is less than what its run costs, or once they and the last race after them
// would take more than an 80th of what the uses take.
//
// Example: default 5.0 ms, predicted 4.1; next `via=send` 5.2, `decomposition=pencil(2x4)` 3.1 ms:
// the choices beside this one join, of which the model, now knowing that latency costs little here,
// says that `pack=fft` takes 2.9 ms, ..
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/run_costs.hpp"
#include "tune/session.hpp"
#include "tune/strategy.hpp"
#include "tune/tile_grid.hpp"
#include "tune/trials.hpp"

namespace weft::core {

/// How much is tried.
struct Amounts {
    int explored = 0;   ///< runs of the first stage at most
    int in_vain = 0;    ///< runs one after the other that find nothing faster end the first stage
    int expanded = 0;   ///< trials beside which the first stage looks
    double margin = 1;  ///< a choice that is behind the fastest by this factor is not run
    int race_runs = 0;  ///< of the second stage, and of the last one, at most
    int rounds = 0;     ///< of a race, at most
    int tile_runs = 0;  ///< of the third stage at most
    TileNumbers numbers = TileNumbers::few;
    bool by_redistribution = false;  ///< as Means has it
    bool shrinks = false;
    bool threads = false;      ///< more than one of each rank, where there are cores
    double uses = infeasible;  ///< transforms there and back that the plan is for
    bool described = false;    ///< the machine is, so that predictions are near
};

/// measure: at most 60 runs, for 1000 uses. Nothing for efforts that run nothing.
Amounts amounts_of(const Tuning& tuning);

/// How much a direction counts.
struct Weights {
    double forward = 1;
    double backward = 1;
};

class Tuner : public Session {
  public:
    Tuner(const Problem& problem, const Choice& constraint, int ranks, const Means& means,
          const Machine& machine, const Amounts& amounts, const Weights& weights = {});

    /// A complete choice that was the fastest one elsewhere, or of a similar problem: it runs after
    /// the default, if it keeps to the constraint and can be planned.
    void suggest(const Choice& choice);
    bool think() override;
    [[nodiscard]] double worth() const override;
    std::optional<NextRun> ask(const SearchTime& time) override;
    void tell(const RunSeconds& took) override;
    void fail(const std::string& reason, const RunSeconds& took) override;

    [[nodiscard]] const Trial& trial(std::size_t number) const override { return trials_[number]; }
    /// Evaluations: runs that were told.
    [[nodiscard]] Outcome outcome() const override;

  private:
    enum class Stage { explore, race, tiles, last_race, done };

    [[nodiscard]] std::optional<std::size_t> next();
    [[nodiscard]] std::optional<std::size_t> next_explored();
    /// An engine that has not run in the fastest choice, now and then: what one engine takes is
    /// told apart from all else where nothing else differs.
    [[nodiscard]] std::optional<std::size_t> other_engine(std::size_t fastest);
    [[nodiscard]] std::optional<std::size_t> next_of_strategy();
    void told(double seconds, const RunSeconds& took);
    /// Seconds that may pass until a run of the trial is bound.
    [[nodiscard]] double binding_limit(const Trial& trial, double left) const;
    /// Whether what a choice may save over the uses is more than what its run costs.
    [[nodiscard]] bool pays(const Promise& promise) const;
    /// Whether the run, and the last race after it, would take more than tuning is worth.
    [[nodiscard]] bool is_too_dear(const Trial& trial, double spent) const;
    /// Seconds of one more run of a trial, while it is bound.
    [[nodiscard]] double again(const Trial& trial) const;
    /// Transforms of each use.
    [[nodiscard]] int directions() const;
    /// Seconds of a transform by the fastest plan, as predicted before any has run.
    [[nodiscard]] double least() const;
    /// Seconds of a transform that no plan takes which may still be the fastest.
    [[nodiscard]] double hopeless() const;
    /// The trial is not run, since until it is bound more time passes than is left.
    void skip(std::size_t trial);
    /// Goes on to the next stage.
    void advance();
    void start_race(const std::vector<std::size_t>& contestants);
    void start_tiles();
    [[nodiscard]] std::optional<std::size_t> trial_at(const Position& position);
    /// The choices beside so many trials may be looked at by now.
    [[nodiscard]] int expansions() const;
    /// Seconds of a run of the trial once it is bound, and with that.
    [[nodiscard]] double running(const Trial& trial) const;
    [[nodiscard]] double cost(const Trial& trial) const;
    /// The fastest one; at the end, of those in the last race.
    [[nodiscard]] std::optional<std::size_t> leader() const;
    [[nodiscard]] std::vector<std::size_t> within(double factor) const;
    /// Whether the trial may be taken for the estimate: one run says little.
    [[nodiscard]] bool is_proven(std::size_t trial) const;

    Trials trials_;
    Amounts amounts_;
    Weights weights_;
    Stage stage_ = Stage::explore;
    int runs_ = 0;     ///< of this stage
    int in_vain_ = 0;  ///< runs since one was faster than all before, by more than a tie
    double best_ = std::numeric_limits<double>::infinity();  ///< of that one
    int evaluations_ = 0;
    double spent_ = 0;                     ///< seconds of all runs
    bool corrected_ = true;                ///< forecasts, by all runs
    std::size_t start_ = 0;                ///< the estimate that has run, or the default
    std::optional<std::size_t> estimate_;  ///< of a described machine, once the default has run
    std::optional<std::size_t> asked_;
    std::optional<std::size_t> suggested_;
    int engines_after_ = 4;  ///< runs after which engines are compared next
    std::unique_ptr<Strategy> strategy_;
    std::vector<std::size_t> contestants_;
    std::vector<std::size_t> finalists_;  ///< of the last race; empty before it
    std::optional<TileGrid> grid_;
    Choice tiled_;  ///< whose numbers of tiles are looked for
    RunCosts costs_;
    bool skipped_ = false;  ///< some trial
    bool dear_ = false;     ///< what was left to run, for so many uses
    std::string ended_;
};

}  // namespace weft::core
