#include "api/pinned_arrays.hpp"

#include <algorithm>

#include "base/variables.hpp"

namespace weft {

namespace {

/// Pinning takes some 100 microseconds, in which a device copies megabytes from memory that is not.
constexpr Index least_bytes = Index{1} << 20;

Index bytes_of(const core::Program& program, core::Role role) {
    const auto found =
        std::find_if(program.buffers.begin(), program.buffers.end(),
                     [&](const core::BufferSpec& buffer) { return buffer.role == role; });
    return found == program.buffers.end() ? 0 : found->bytes;
}

}  // namespace

std::vector<std::unique_ptr<core::DeviceMemory>> pinned_arrays(core::Device& device,
                                                               const core::Programs& programs,
                                                               const std::vector<std::byte*>& in,
                                                               const std::vector<std::byte*>& out) {
    std::vector<std::unique_ptr<core::DeviceMemory>> result;
    if (!core::wants_pinned_arrays()) return result;
    const auto pin = [&](const std::vector<std::byte*>& arrays, Index bytes) {
        if (bytes < least_bytes) return;
        for (std::byte* array : arrays) {
            if (auto pinned = device.pin(array, bytes)) result.push_back(std::move(pinned));
        }
    };
    pin(in, bytes_of(programs.forward, core::Role::input));
    if (in != out) pin(out, bytes_of(programs.forward, core::Role::output));
    return result;
}

}  // namespace weft
