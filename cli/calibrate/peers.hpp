// How the devices of a node's ranks read each other's memory here, while all ranks do the same.
#pragma once

#include <string>

#include "calibrate/calibration.hpp"
#include "calibrate/placement.hpp"
#include "device/device.hpp"
#include "model/machine.hpp"

namespace weft::cli {

/// Collective. Sets `devices.peer_link` of a machine that has devices, with its sources: each rank
/// reads from the region of the next rank of its node, which it opens as a plan with via=shared
/// does. Where ranks share a device that is memory of their own device, and its rate the one that
/// plans meet, since what a rank has of a device counts as one. Takes about so many seconds.
/// Returns why there is nothing to measure, the same on all ranks; empty if it was measured.
std::string measure_peers(core::Device& device, const Placement& placed, double seconds,
                          const Calibration& calibration, core::Machine& machine);

}  // namespace weft::cli
