// From a plan to one rank's program.
#pragma once

#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"
#include "program/storage.hpp"

namespace weft::core {

/// The operations of `rank`, of the plan as fuse() completes it in that environment. Pure: any rank
/// of any plan, without MPI.
Program lower(const Plan& plan, int rank, const Environment& environment = {});
/// The buffers of that program without its operations, which take most of the time where there are
/// no tiles.
Program outline(const Plan& plan, int rank, const Environment& environment = {});

/// What a plan's program may do to the caller's arrays.
ArrayUse array_use(const Plan& plan);
/// Appends what scales a rank's part of the plan's last layout.
void append_scale(const Plan& plan, int rank, int from, int to, std::vector<Operation>& operations);

}  // namespace weft::core
