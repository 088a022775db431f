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

/// What a space leaves open on that machine, the simpler ones first; itself, if that is nothing.
/// `auto` may be the host or the machine's kind of device, if this weft has it; a device whose
/// travel is open may stage its messages in pieces.
std::vector<Space> open_spaces(const Space& asked, const Machine& machine);

/// A device's space that says nothing of how messages travel, and that space with every way in
/// which they may; directly only where MPI reaches the device.
std::vector<Space> travels(const Space& open, bool reached);

/// A line that says why `auto` cannot be the machine's devices; empty if it can, or nobody asks.
std::string open_space_text(const Space& asked, const Machine& machine);

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
