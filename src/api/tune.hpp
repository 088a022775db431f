// Finds the fastest plan by timing transforms, collectively (api/measure.hpp).
//
// The limit holds: no run is started that may take longer than what is left, by the model before
// the first one and by what has run afterwards; an engine that plans for longer than it may gives
// up, and the choice is dropped; a run that turns out to be too long is not repeated. Only the
// first run of a transform that takes longer than all models say goes on beyond the limit.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "api/measure.hpp"
#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "tune/tuner.hpp"

namespace weft {

/// Seconds of one direction.
struct Estimated {
    double seconds = 0;
    std::string machine{};
};

struct TunedPlan {
    core::Plan plan{};  ///< the same on all ranks
    /// What the model says of it, on which machine, where nothing was to be run.
    std::optional<Estimated> estimated{};
    /// On rank 0; nothing on others, and where the plan was known from earlier tuning.
    std::optional<core::Outcome> outcome{};
    std::string known{};  ///< what wisdom had to say; on rank 0 whether it is stale
    /// Lines and files of wisdom that could not be read, and why what was found is not kept; the
    /// same on all ranks.
    std::vector<std::string> troubles{};
};

/// Collective. The plan for the problem under a constraint, which says nothing of tuning;
/// engine=auto leaves the engine open, to measuring or to the model. `nodes`: of the communicator.
/// Throws the same Error on every rank: not_available if tuning is frozen and nothing is known,
/// bad_request if the constraint has no plan.
TunedPlan tuned_plan(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                     const Choice& asked, const Tuning& tuning,
                     const TuningObserver& observer = {});

}  // namespace weft
