// Which transforms write what a redistribution carries, and read what it has brought, as they
// compute; and what carries it. A rewrite: plan -> plan.
#pragma once

#include <optional>
#include <string>

#include "plan/environment.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Sets the carrier of each redistribution that leaves it open, the best that the environment
/// allows, how messages leave a device, and the accesses of all transforms. Keeps carriers that are
/// set: throws Error(bad_request) if the environment does not allow them. fuse(fuse(p, e), e) ==
/// fuse(p, e).
Plan fuse(Plan plan, const Environment& environment);

/// On these nodes, with the arrays exposed that the plan's own carriers need so, and a device that
/// MPI reaches if the plan needs it so.
Environment environment_of(const Plan& plan, const Topology& nodes);

/// Why the redistribution of that stage cannot have that carrier there; nothing if it can.
/// Local, and about the plan and the environment only: the same on every rank.
std::optional<std::string> why_not(const Plan& plan, std::size_t stage, Carrier carrier,
                                   const Environment& environment);

/// For each redistribution the carrier that fuse() gives it, and why not those before it in the
/// order of preference: direct, region, messages.
std::string why_text(const Plan& plan, const Environment& environment);

/// Whether some redistribution of the plan is asked to go by memory that ranks of a node share.
bool asks_for_regions(const Plan& plan);
/// Whether the plan's messages leave the memory of its device without MPI: by what else carries
/// them from there, or as regions, between ranks that are all of one node.
bool leaves_without_mpi(const Plan& plan, const Environment& environment);

/// Whether it is of use that the plan's input (output) arrays are exposed.
bool wants_input_exposed(const Plan& plan, Environment environment);
bool wants_output_exposed(const Plan& plan, Environment environment);

}  // namespace weft::core
