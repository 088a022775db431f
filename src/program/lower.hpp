// From a plan to one rank's program.
#pragma once

#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// What is known of the ranks when a plan is bound.
struct Circumstances {
    Topology topology{};
    /// Whether all ranks of a node can write to each other's output arrays.
    bool shown_output = false;
};

/// The operations of `rank`. Pure: any rank of any plan, without MPI.
Program lower(const Plan& plan, int rank, const Circumstances& circumstances = {});

/// Whether the transform before the plan's last move can store straight in the output arrays of
/// others, if these are shown.
bool stores_in_outputs(const Plan& plan, const Topology& topology);

}  // namespace weft::core
