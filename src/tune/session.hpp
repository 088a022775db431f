// Choices that are run until the fastest is known: ask and tell.
//
// A session knows no clock and runs nothing. Whoever uses it hands in how many seconds have passed
// and are left, and tells what each run took (api/measure.hpp does it for all ranks of a
// communicator):
//
//     while (const auto run = session.ask(now())) session.tell(run_of(session.trial(run->trial)));
//     session.outcome();
//
// A Contest (tune/contest.hpp) is given its choices, a Tuner (tune/tuner.hpp) finds them itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/no_copy.hpp"
#include "plan/plan.hpp"
#include "tune/median_interval.hpp"
#include "tune/strategy.hpp"
#include "tune/wisdom.hpp"

namespace weft::core {

/// A choice that may be tried.
struct Trial {
    Choice open{};         ///< as it was asked for: what it leaves open the planner completes
    Plan plan{};           ///< of it; its choice is complete
    double predicted = 0;  ///< seconds, on the machine as it is described
    double corrected = 0;  ///< on the machine as runs have corrected it
    std::vector<double> seconds{};  ///< of its runs
    double spent = 0;               ///< seconds that its last run took with all that belongs to it
    std::string dropped{};          ///< why it is not the winner
    bool failed = false;
    bool expanded = false;  ///< the choices beside it are known

    [[nodiscard]] bool has_run() const { return failed || !seconds.empty(); }
    /// Whether it may be run for the first time.
    [[nodiscard]] bool is_open() const { return !has_run() && dropped.empty(); }
    /// How many things it says: of plans that are as fast the one that says least is taken.
    [[nodiscard]] std::size_t complexity() const;
};

/// Seconds from which on one transform tells what it takes; a shorter one runs for so long.
inline constexpr double long_run = 3e-3;

/// A transform there, back or both; and the seconds that it may take, or is worth.
struct RunTerms {
    bool forward = true;
    bool backward = true;
    double binding = infeasible;  ///< that may pass until it is bound; then it is to be given up
    double all = infeasible;      ///< with that, and all else
    /// Of a transform: one that takes longer at first need not be run again.
    double hopeless = infeasible;
    /// Of a forward transform that was timed: a longer one makes the backward one superfluous, and
    /// counts for both.
    double behind = infeasible;
    double timing = long_run;  ///< that each direction is timed for, if one transform is shorter
};
/// Seconds of a search.
struct SearchTime {
    double left = infeasible;  ///< of its limit
    double spent = 0;
};
struct NextRun : RunTerms {
    std::size_t trial = 0;
};

/// Seconds of a run, of the slowest rank.
struct RunSeconds {
    double forward = 0;  ///< of a direction that was not run, any
    double backward = 0;
    double spent = 0;    ///< with all that belongs to the run
    double binding = 0;  ///< of these, until it was bound: an engine may plan for long
    /// Not of these: to make arrays, which the runs after it have, too.
    double preparing = 0;
};

struct Outcome {
    std::size_t winner = 0;
    std::optional<std::size_t> start{};  ///< of a tuner: the estimate if it ran, or the default
    bool all_failed = false;             ///< so that there is no winner
    std::optional<Interval> interval{};  ///< of the winner's median; of few runs all of them
    std::vector<std::size_t> tied{};     ///< as fast as the winner, for all that is known
    std::vector<Trial> trials{};         ///< of a tuner, trial 0 is the planner's own choice
    int evaluations = 0;                 ///< as Evidence counts them
    std::string ended{};                 ///< why no more was tried
    bool cut_short = false;              ///< by the limit
};

class Session : NoCopy {
  public:
    virtual ~Session() = default;

    /// Plans and forecasts one more choice, or corrects forecasts; false: there is nothing to think
    /// of now.
    virtual bool think() { return false; }
    /// Seconds that the search may take in all, as far as is known by now.
    [[nodiscard]] virtual double worth() const { return infeasible; }
    /// What to run next; nothing: the session has ended.
    virtual std::optional<NextRun> ask(const SearchTime& time) = 0;
    /// What came out of the run that was asked for last.
    virtual void tell(const RunSeconds& took) = 0;
    /// It failed.
    virtual void fail(const std::string& reason, const RunSeconds& took) = 0;

    [[nodiscard]] virtual const Trial& trial(std::size_t number) const = 0;
    [[nodiscard]] virtual Outcome outcome() const = 0;
};

/// Where the median lies, as far as is known: of few runs between the least and the largest.
Interval interval_of(const std::vector<double>& seconds);

/// Fills in the winner of the trials, what is tied with it, and why it is none of the others. Of the
/// fastest and of those that are as fast, as intervals of medians overlap, the estimate wins, or
/// else the simplest.
void judge(Outcome& outcome, std::size_t fastest, const std::vector<std::size_t>& as_fast);

/// Runs from which on wisdom keeps a plan although the limit ended tuning.
constexpr int enough_runs = 6;
/// Whether wisdom keeps a plan whose search ended so: a plan that little was tried for must not be
/// taken for the fastest one later.
bool tried_enough(const Outcome& outcome);

/// What wisdom keeps of an outcome whose winner has run; `spent`: seconds in all. The date is left
/// to whoever remembers it.
Evidence evidence_of(const Outcome& outcome, TuningEffort effort, double spent);

}  // namespace weft::core
