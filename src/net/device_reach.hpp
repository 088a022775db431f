// Whether MPI may be handed the memory of a device: asked, then tried, never assumed.
//
// An MPI that does not know devices reads such an address as the host's and the process ends, or it
// sends wrong bytes. So MPI is asked first. If it says yes, messages from the device to itself are
// sent on this process alone and looked at. If it does not say, nothing is tried, since that could
// end the process: the answer is no, unless WEFT_DEVICE_MPI=yes says that this MPI can.
//
//     Open MPI built with CUDA          reaches, or: "MPI says that it reaches .., but .."
//     Open MPI built without CUDA       not: "MPI says that it does not reach .."
#pragma once

#include <string>

#include "device/device.hpp"

namespace weft::core {

struct DeviceReach {
    bool reaches = false;
    bool lies = false;  ///< MPI says that it reaches the memory, and messages have shown otherwise
    std::string why{};  ///< not; empty if it does
};

/// Local. What MPI says of the device, without trying: `lies` is never set.
DeviceReach claimed_reach(const Device& device);

/// Local. What has been tried, once in a process for each device, while MPI is initialised. Throws
/// Error(system) if it cannot be tried, because the device has no memory left or fails.
const DeviceReach& device_reach(Device& device);

}  // namespace weft::core
