// Memory of a GPU, and memory of the host that copies reach fast.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// On the GPU of that number. Throws Error(system) with the size and the name if there is not
/// enough.
std::unique_ptr<DeviceMemory> allocate_on(int number, Index bytes, const std::string& name);
/// Of the GPU of that number. Makes the process's context there first, which takes some of it.
FreeMemory free_memory_of(int number);
/// Pinned memory of the host.
std::unique_ptr<DeviceMemory> allocate_pinned_for(int number, Index bytes);
/// By which other processes open it.
DeviceHandle handle_of(int number, const DeviceMemory& memory);
/// Another process's memory. Throws Error(system) if it cannot be opened, as where it is another
/// GPU's that this one has no access to.
std::unique_ptr<DeviceMemory> open_on(int number, const DeviceHandle& handle, Index bytes);
/// Pins memory that is the host's already; null if that cannot be.
std::unique_ptr<DeviceMemory> pin_for(int number, std::byte* array, Index bytes);

}  // namespace weft::core::WEFT_GPU_TARGET
