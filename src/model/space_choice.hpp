// Where a plan is computed and how its messages travel, where its choice leaves that open: what
// takes the least predicted time.
//
// Example: `space=auto` on a machine with devices of kind `cuda` may become host, cuda (messages
// travel directly where MPI reaches the devices, otherwise staged), or cuda(staged:1048576). A
// machine without devices leaves the host no other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/price.hpp"

namespace weft::core {

/// Placements that fill in what those leave open on that machine, the simpler ones first; themselves
/// if that is nothing. `auto` may be the host or the machine's kind of device, if this weft has it;
/// a device may stage its messages in pieces if it is open how they travel.
std::vector<Placements> open_placements(const Placements& asked, const Machine& machine);

/// On a device, where it is open how messages travel, and with every way in which they may;
/// directly only where MPI reaches the device.
std::vector<Placements> travels(const Placements& open, bool reached);

/// A line that says why `auto` cannot be the machine's devices; empty if it can, or nobody asks.
std::string open_space_text(const Choice& asked, const Machine& machine);

/// The plan in the space that is fastest of those by more than a 64th. Costs a price of the plan
/// for each, if there are several.
Plan in_fastest_space(Plan plan, const Machine& machine, Arrays arrays = Arrays::host);

/// A plan, and what it takes on a machine.
struct PricedPlan {
    Plan plan;
    double seconds = 0;
};
/// The plan in that space, with its price; nothing if the price is so many seconds or more.
std::optional<PricedPlan> in_fastest_space_below(double seconds, Plan plan, const Machine& machine,
                                                 Arrays arrays);

}  // namespace weft::core
