// From a plan to one rank's program.
#pragma once

#include "base/topology.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"
#include "program/storage.hpp"

namespace weft::core {

/// What is known of the ranks when a plan is bound.
struct Circumstances {
    Topology topology{};
    /// Whether all ranks of a node can read each other's input arrays, write to output arrays.
    bool shown_input = false;
    bool shown_output = false;
};

/// The operations of `rank`. Pure: any rank of any plan, without MPI.
Program lower(const Plan& plan, int rank, const Circumstances& circumstances = {});
/// The buffers of that program without its operations. Where there are no tiles this costs the
/// rank's peers; the operations of `lower` may cost their square.
Program outline(const Plan& plan, int rank, const Circumstances& circumstances = {});

/// What a plan's program may do to the caller's arrays.
ArrayUse array_use(const Plan& plan);
/// Appends what scales a rank's part of the plan's last layout.
void append_scale(const Plan& plan, int rank, int from, int to, std::vector<Operation>& operations);

/// Whether the transform behind the plan's first stage, a move, can read the input arrays of others
/// instead, if these are shown.
bool reads_inputs(const Plan& plan, const Topology& topology);
/// Whether the transform before the plan's last stage, a move, can store straight in the output
/// arrays of others, if these are shown.
bool stores_in_outputs(const Plan& plan, const Topology& topology);

}  // namespace weft::core
