// Arrays of the host that a device copies from and to, kept where they are in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "run/programs.hpp"

namespace weft {

/// Pins the arrays of at least 1 MiB among those that are bound, until the result is destroyed:
/// copies are several times as fast then. WEFT_DEVICE_PIN=no leaves all as they are.
std::vector<std::unique_ptr<core::DeviceMemory>> pinned_arrays(core::Device& device,
                                                               const core::Programs& programs,
                                                               const std::vector<std::byte*>& in,
                                                               const std::vector<std::byte*>& out);

}  // namespace weft
