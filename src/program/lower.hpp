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
/// The program of so many of the plan's tiles, in which one operation stands for those of sub-tiles
/// that are alike (Operation::times).
Program sketch(const Plan& plan, int rank, const Environment& environment, const TileCounts& tiles);
/// The buffers of that program without its operations, which take most of the time where there are
/// no tiles.
Program outline(const Plan& plan, int rank, const Environment& environment = {});
/// Of the plan and its reverse on that rank, by their outlines.
Memory memory_of(const Plan& plan, int rank, const Environment& environment = {});
/// An estimate of that, by outlines of a few tiles (plan/tile_samples): in which order values take
/// the least memory may change with the number of tiles.
Memory memory_of_few_tiles(const Plan& plan, int rank, const Environment& environment = {});

/// What this thread has lowered so far, sketches and outlines included: operations, and messages of
/// exchanges. Planning costs some microseconds for each.
const std::atomic<Index>& lowered_so_far();

/// For each stage the rule by which a rank lowers it (program/rules), and why not by those that
/// would be preferred.
std::string rules_text(const Plan& plan, int rank, const Environment& environment);

}  // namespace weft::core
