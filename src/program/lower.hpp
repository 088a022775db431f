// From a plan to one rank's program.
#pragma once

#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The operations of `rank`, of the plan as fuse() completes it in that environment. Pure: any rank
/// of any plan, without MPI.
Program lower(const Plan& plan, int rank, const Environment& environment = {});
/// The buffers of that program without its operations, which take most of the time where there are
/// no tiles.
Program outline(const Plan& plan, int rank, const Environment& environment = {});
/// Of the plan and its reverse on that rank, by their outlines.
Memory memory_of(const Plan& plan, int rank, const Environment& environment = {});

/// For each stage the rule by which a rank lowers it (program/rules), and why not by those that
/// would be preferred.
std::string rules_text(const Plan& plan, int rank, const Environment& environment);

}  // namespace weft::core
