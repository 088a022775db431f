// Plans that the model chooses for a described machine: `tuning=estimate(machine:FILE)`.
#pragma once

#include <mpi.h>

#include <string>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "model/price.hpp"
#include "plan/plan.hpp"

namespace weft {

/// What the model says is the fastest on that machine, of decompositions, methods, packings and
/// tiles that the request leaves open, for ranks that share nodes as there. Nothing is run. Throws
/// Error(bad_request) if there is no plan.
core::Plan estimated_plan(const core::PlanRequest& request, int ranks,
                          const core::Machine& machine);

/// What plans are made for where no MPI tells: the named machine (empty: WEFT_MACHINE, or the
/// default one), with so many ranks on a node; 0: WEFT_RANKS_PER_NODE where no machine is named,
/// otherwise the machine's.
/// Throws as described_machine does.
core::Machine assumed_machine(const std::string& name_or_path, int ranks_per_node = 0);

/// Local: weft's plan on that machine; or what the model says is the fastest there, as above, if
/// tuning=estimate names a machine. With the engine resolved, so that the plan's text is complete.
core::Plan plan_without_mpi(core::PlanRequest request, int ranks, const core::Machine& machine,
                            core::Arrays arrays = core::Arrays::host);
/// On the machine that the request's tuning names, or else the default one.
core::Plan plan_without_mpi(const core::PlanRequest& request, int ranks);

/// Collective: for the nodes of this communicator, and methods that all its ranks can run; the same
/// on all ranks. Throws the same Error on every rank.
core::Plan estimated_plan(MPI_Comm comm, const core::Topology& nodes,
                          const core::PlanRequest& request, const core::Machine& machine);

}  // namespace weft
