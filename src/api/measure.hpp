// Runs what a session (tune/session.hpp) asks for, collectively.
//
// Rank 0 has the session and the clock; what it decides goes to all ranks, so all run the same and
// take the same choice. The slowest rank's time counts. A choice that fails on one rank fails on
// all, and the session is told the reason.
#pragma once

#include <mpi.h>

#include <functional>
#include <limits>
#include <optional>

#include "base/function_ref.hpp"
#include "tune/session.hpp"
#include "weft/choice.hpp"

namespace weft {

/// Seconds since measuring has begun, and what that leaves of its limit.
class Budget {
  public:
    explicit Budget(std::optional<double> limit = {}) : limit_(limit), start_(MPI_Wtime()) {}
    [[nodiscard]] double spent() const { return MPI_Wtime() - start_; }
    [[nodiscard]] double left() const {
        return limit_ ? *limit_ - spent() : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] std::optional<double> limit() const { return limit_; }

  private:
    std::optional<double> limit_;
    double start_;
};

/// What is told while measuring goes on.
struct TuningObserver {
    /// On every rank before a choice is bound and run. If it throws on some rank, the choice fails.
    std::function<void(const Choice&)> before{};
    /// On rank 0 after a run: what was run, the seconds that are left, infinite without a limit.
    std::function<void(const core::Trial&, double left)> after{};
    /// Times the plan that is known from earlier tuning once, and says in TunedPlan::known whether
    /// it takes another time now than is remembered.
    bool checks_known = false;
};

/// Collective, as api/stopwatch.hpp: the same seconds, or the same Error, on all ranks.
using TimeRun =
    core::FunctionRef<void(const Choice&, const core::RunTerms&, core::RunSeconds& took)>;

/// Collective. The terms of rank 0, on all ranks.
core::RunTerms agreed(MPI_Comm comm, const core::RunTerms& terms);

struct MeasuredChoice {
    Choice best{};                           ///< the same on all ranks
    std::optional<core::Outcome> outcome{};  ///< on rank 0
};

/// Collective. Runs what the session asks for until it asks for nothing more; `session` is null on
/// other ranks than rank 0. Throws the last run's Error if everything has failed and the session
/// has no winner.
MeasuredChoice measured(MPI_Comm comm, core::Session* session, const Budget& budget, TimeRun time,
                        const TuningObserver& observer = {});

}  // namespace weft
