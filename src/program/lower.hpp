// From a plan to one rank's program.
#pragma once

#include <atomic>

#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "plan/tile_samples.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The operations of `rank`, of the plan as fuse() completes it in that environment. Pure: any rank
/// of any plan, without MPI.
Program lower(const Plan& plan, int rank, const Environment& environment = {});
/// What takes as long as that program, of so many of the plan's tiles only: sub-tiles that are
/// alike are one operation each.
Program sketch(const Plan& plan, int rank, const Environment& environment, const TileCounts& tiles);
/// The buffers of that program without its operations, which take most of the time where there are
/// no tiles.
Program outline(const Plan& plan, int rank, const Environment& environment = {});
/// Of the plan and its reverse on that rank, by their outlines.
Memory memory_of(const Plan& plan, int rank, const Environment& environment = {});
/// About as much, by outlines of a few of their tiles (plan/tile_samples): in which of two orders
/// values take less memory may change with the number of tiles.
Memory memory_of_few_tiles(const Plan& plan, int rank, const Environment& environment = {});

/// What this thread has lowered so far, sketches and outlines included: operations, and messages of
/// exchanges. Planning costs some microseconds for each.
const std::atomic<Index>& lowered_so_far();

/// For each stage the rule by which a rank lowers it (program/rules), and why not by those that
/// would be preferred.
std::string rules_text(const Plan& plan, int rank, const Environment& environment);

}  // namespace weft::core
