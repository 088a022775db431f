// Plans that the model chooses for a described machine: `tuning=estimate(machine:FILE)`.
#pragma once

#include <mpi.h>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "plan/plan.hpp"

namespace weft {

/// What the model says is the fastest on that machine, of decompositions, methods, packings and
/// tiles that the request leaves open, for ranks that share nodes as there. Nothing is run. Throws
/// Error(bad_request) if there is no plan.
core::Plan estimated_plan(const core::PlanRequest& request, int ranks,
                          const core::Machine& machine);

/// Local: the plan for the machine that the tuning names, as above, or else the default one. With
/// the engine resolved, so that the plan's text is complete.
core::Plan plan_without_mpi(core::PlanRequest request, int ranks);

/// Collective: for the nodes of this communicator, and methods that all its ranks can run; the same
/// on all ranks. Throws the same Error on every rank.
core::Plan estimated_plan(MPI_Comm comm, const core::Topology& nodes,
                          const core::PlanRequest& request, const core::Machine& machine);

}  // namespace weft
