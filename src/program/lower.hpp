// From a plan to one rank's program.
#pragma once

#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The operations of `rank`, where the ranks are on these nodes. Pure: any rank of any plan,
/// without MPI.
Program lower(const Plan& plan, int rank, const Topology& topology = {});

}  // namespace weft::core
