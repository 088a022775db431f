// weft's own plan of a problem on a machine: every verb, the library and tuning take it from here.
//
// A search finds the way of least predicted time through the distributions (model/predicted_time).
// It prices redistributions alone, so a few other ways that may be as fast are priced beside it by
// their programs (model/price): the way of fewest exchanges, slabs, pencils on two grids, bricks
// (model/usual_ways). One of these is taken if it is faster by more than a 64th. On one node none
// is priced.
//
// Where both ends are given, ranks are on several nodes and messages are short, fewer ranks may be
// faster between the ends ([ayala] Alg. 1): half of them, a quarter, .., a 64th are priced until
// fewer take longer, and taken if that saves 8%. An end that is free has elements on all
// ranks unless the choice says shrink=. As many as there are (shrink=256 on 256 ranks) keeps all.
//
// The plan is the same wherever it is made for one machine. Without a description that is the
// default one, with the ranks on a node that the topology says. A complete text names its way
// through the distributions, so it gives its plan on any machine. What the choice's space leaves
// open is chosen by predicted time as well, if the machine describes devices
// (model/space_choice.hpp).
//
// Example: 512^3 on 1024 ranks is pencil(16x64) on nodes of 64 ranks, pencil(32x32) on nodes of 32:
// either has one of its two exchanges inside nodes.
#pragma once

#include <optional>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "model/price.hpp"
#include "plan/objective.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// A way that takes more than this part of another one's time is not preferred to it.
inline constexpr double planner_tie = 1 - 1.0 / 64;

/// The one that is named default_machine.
const Machine& modest_machine();

/// The described machine, or the default one, with as many ranks on a node as there are adjacent
/// ranks on one. Where adjacent ranks are on different nodes that is 1.
Machine machine_of_nodes(const std::optional<Machine>& described, const Topology& nodes, int ranks);

/// The one that the choice's decomposition asks for; otherwise predicted time on that machine.
Objective default_objective(const Problem& problem, const Choice& choice,
                            const Machine& machine = modest_machine());

/// `arrays`: whose memory the caller's arrays are, of a plan on a device.
Plan default_plan(const Problem& problem, const Choice& choice, int ranks,
                  const Machine& machine = modest_machine(), Arrays arrays = Arrays::host);
Plan default_plan(const PlanRequest& request, int ranks, const Machine& machine = modest_machine(),
                  Arrays arrays = Arrays::host);

}  // namespace weft::core
