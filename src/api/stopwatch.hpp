// Binds a problem by one choice after the other and times its transforms, collectively.
//
// A run is of both directions, each once to reach memory that nothing has touched before, and once
// for its time, or several times if it is short: then the median counts. Where the limit leaves no
// time for the second, or the first shows that there is no hope for it, the first one counts.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>

#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "weft/choice.hpp"
#include "weft/plan.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Seconds of the slowest rank, in each direction.
struct Seconds {
    double forward = 0;
    double backward = 0;
};

/// Seconds that a run may take, or is worth; the same on all ranks.
struct RunLimits {
    double binding = std::numeric_limits<double>::infinity();  ///< to bind it
    double all = std::numeric_limits<double>::infinity();      ///< with that, and all else
    /// Of a transform: one that takes longer at first is not run again.
    double hopeless = std::numeric_limits<double>::infinity();
};

class TuningArray;

/// Communicator, nodes and problem outlive it.
class Stopwatch {
  public:
    /// `plain`: the arrays do not come from weft::allocate.
    Stopwatch(MPI_Comm comm, const core::Topology& nodes, const Problem& problem, bool plain);
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    /// Collective: a run. Throws the same Error on every rank; not_available where it would take
    /// longer than the limits.
    Seconds time(const Choice& choice, bool forward, bool backward, const RunLimits& limits = {});
    /// Seconds that the last run took to make arrays, which those after it have, too.
    [[nodiscard]] double preparing() const { return preparing_; }
    /// Seconds that it took from then on until it was bound, or failed to be; of the slowest rank
    /// if it was bound.
    [[nodiscard]] double binding() const { return binding_; }

  private:
    /// Local. Arrays for the plan.
    void provide(const core::Plan& plan);
    void provide(std::unique_ptr<TuningArray>& array, Index bytes, double end) const;
    /// Collective. The plan, and arrays for it.
    Plan prepare(const Choice& choice);
    /// Collective. At most `limit` seconds for the engine's planning.
    Transform bind(const Plan& plan, double limit);
    /// Collective. Throws if by the engine's own estimate a rank takes much longer than what is
    /// left.
    void require_time_for(const Transform& transform, const Choice& choice) const;
    /// Collective. Seconds of one direction; after it as many come as `others` says.
    double time(Transform& transform, bool backward, int others, double hopeless);
    /// Seconds of the slowest rank, of a transform and of all that belongs to a run of it.
    struct Run {
        double seconds = 0;
        double with_agreeing = 0;
    };
    /// Collective.
    Run run_once(Transform& transform, bool backward) const;
    /// Collective. The largest of the ranks' seconds, each by itself.
    template <std::size_t Count>
    [[nodiscard]] std::array<double, Count> slowest(const std::array<double, Count>& mine) const;

    MPI_Comm comm_;
    const core::Topology& nodes_;
    const Problem& problem_;
    bool plain_;
    double preparing_ = 0;
    double binding_ = 0;
    double left_ = 0;  ///< of the limit, by times that all ranks know
    std::unique_ptr<TuningArray> in_;
    std::unique_ptr<TuningArray> out_;
};

}  // namespace weft
