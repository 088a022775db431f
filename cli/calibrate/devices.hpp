// What a device of each rank takes here, while all ranks do the same.
#pragma once

#include <string>

#include "calibrate/calibration.hpp"
#include "calibrate/placement.hpp"
#include "model/machine.hpp"

namespace weft::cli {

/// Collective. Sets `devices`, of that kind: launches, copies in its memory and over the link to
/// the host, and between the memory of the ranks of a node, measured, each with its source;
/// transforms and packing, which differ by engine, as parts of the rate of copies, and messages
/// between devices as between hosts; those say that they are assumed. Ranks may share a device:
/// what each of them has of it counts as a device. Takes about so many seconds. Returns why
/// `peer_link` is left out; empty if it is not. Throws Error(bad_request) where there is no such
/// device.
std::string measure_devices(const std::string& kind, const Placement& placed, double seconds,
                            const Calibration& calibration, core::Machine& machine);

}  // namespace weft::cli
