// Binds a problem by one choice after the other and times its transforms, collectively.
//
// A run is of both directions, each once to reach memory that nothing has touched before, and once
// for its time, or several times if it is short: then the median counts. Where the limit leaves no
// time for the second, or the first shows that there is no hope for it, the first one counts. The
// two fastest choices so far stay bound, so that running them again takes little more than their
// transforms.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/no_copy.hpp"
#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "tune/session.hpp"
#include "weft/choice.hpp"
#include "weft/plan.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Collective. The largest of the ranks' seconds, each by itself.
std::array<double, 2> slowest(MPI_Comm comm, std::array<double, 2> mine);

class TuningArray;

/// Communicator, nodes and problem outlive it.
class Stopwatch : core::NoCopy {
  public:
    /// `plain`: the arrays do not come from weft::allocate.
    Stopwatch(MPI_Comm comm, const core::Topology& nodes, const Problem& problem, bool plain);
    ~Stopwatch();

    /// Collective: a run, whose seconds but `spent` it fills in as far as it comes. Throws the same
    /// Error on every rank; not_available where it would take longer than the terms allow, which
    /// are the same on all ranks. A binding that fails has seconds of this rank.
    void operator()(const Choice& choice, const core::RunTerms& terms, core::RunSeconds& took);

  private:
    /// A choice that is bound, and what a transform took by it.
    struct Bound {
        std::string choice;
        Transform transform;
        double seconds = 0;
    };
    /// Collective: it is the last one of those that are bound.
    void find_or_bind(const Choice& choice, const core::RunTerms& terms, core::RunSeconds& took);
    /// Collective: the last one has run; of three the slowest goes.
    void keep_fastest(double seconds);

    /// Whether an array is too small for the plan.
    [[nodiscard]] bool must_grow(const core::Plan& plan) const;
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
    double time(Bound& bound, bool backward, int others, const core::RunTerms& terms);
    /// Seconds of the slowest rank, of a transform and of all that belongs to a run of it.
    struct Run {
        double seconds = 0;
        double with_agreeing = 0;
    };
    /// Collective.
    Run run_once(Transform& transform, bool backward) const;

    MPI_Comm comm_;
    const core::Topology& nodes_;
    const Problem& problem_;
    bool plain_;
    double left_ = 0;  ///< of the limit, by times that all ranks know
    std::unique_ptr<TuningArray> in_;
    std::unique_ptr<TuningArray> out_;
    std::vector<Bound> bound_;  ///< to these arrays
};

}  // namespace weft
