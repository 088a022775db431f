#include "testing/emulated/cuda/launch.hpp"

#include <algorithm>

#include "testing/emulated/cuda/context.hpp"

namespace weft::core::emulated {

namespace {

constexpr int shared_bytes_at_first = 48 << 10;
constexpr int shared_bytes_opted_in = 227 << 10;
constexpr unsigned most_threads = 1024;

bool fits(Dim3 extent, Dim3 most) {
    return extent.x >= 1 && extent.y >= 1 && extent.z >= 1 && extent.x <= most.x &&
           extent.y <= most.y && extent.z <= most.z;
}

}  // namespace

cudaError_t check_launch(const void* kernel, Dim3 grid, Dim3 block, std::size_t shared_bytes) {
    return with_device([&](Context& here) {
        if (!fits(grid, {2147483647, 65535, 65535}) || !fits(block, {1024, 1024, 64}) ||
            std::size_t{block.x} * block.y * block.z > most_threads) {
            throw Thrown{cudaErrorInvalidConfiguration};
        }
        const std::scoped_lock lock(here.mutex);
        const auto allowed = here.shared_bytes_allowed.find(kernel);
        const int most =
            allowed != here.shared_bytes_allowed.end() ? allowed->second : shared_bytes_at_first;
        if (shared_bytes > static_cast<std::size_t>(most)) throw Thrown{cudaErrorInvalidValue};
    });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return with_device([&](Context& here) {
        if (kernel == nullptr || value < 0) throw Thrown{cudaErrorInvalidValue};
        if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return;
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
            value > shared_bytes_opted_in) {
            throw Thrown{cudaErrorInvalidValue};
        }
        const std::scoped_lock lock(here.mutex);
        here.shared_bytes_allowed[kernel] = std::max(value, shared_bytes_at_first);
    });
}

}  // namespace weft::core::emulated
