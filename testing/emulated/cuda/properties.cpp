#include "testing/emulated/cuda/properties.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "testing/emulated/cuda/context.hpp"

namespace weft::core::emulated {

namespace {

using Presence = EmulatedOptions::Presence;
constexpr int runtime_version = 13000;
constexpr int old_version = 11000;

void require_first(int device) {
    if (device != 0) throw Thrown{cudaErrorInvalidDevice};
}

cudaDeviceProp properties_of(const EmulatedOptions& options) {
    cudaDeviceProp result{};
    constexpr std::string_view name = "weft emulated device";
    std::copy(name.begin(), name.end(), result.name);
    std::copy(name.begin(), name.begin() + sizeof(result.uuid.bytes), result.uuid.bytes);
    result.totalGlobalMem = static_cast<std::size_t>(options.memory);
    result.sharedMemPerBlock = 48 << 10;
    result.sharedMemPerBlockOptin = 227 << 10;
    result.sharedMemPerMultiprocessor = 228 << 10;
    result.reservedSharedMemPerBlock = 1 << 10;
    result.regsPerBlock = 65536;
    result.regsPerMultiprocessor = 65536;
    result.warpSize = 32;
    result.maxThreadsPerBlock = 1024;
    result.maxThreadsPerMultiProcessor = 2048;
    result.maxBlocksPerMultiProcessor = 32;
    const int threads[] = {1024, 1024, 64};
    const int blocks[] = {2147483647, 65535, 65535};
    std::copy(std::begin(threads), std::end(threads), result.maxThreadsDim);
    std::copy(std::begin(blocks), std::end(blocks), result.maxGridSize);
    result.major = options.compute / 10;
    result.minor = options.compute % 10;
    result.multiProcessorCount = options.units;
    result.memoryBusWidth = 5120;
    result.l2CacheSize = 50 << 20;
    result.asyncEngineCount = 2;
    result.concurrentKernels = 1;
    result.unifiedAddressing = 1;
    result.canMapHostMemory = 1;
    return result;
}

int attribute_of(const EmulatedOptions& options, cudaDeviceAttr attribute) {
    const cudaDeviceProp all = properties_of(options);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return all.maxThreadsPerBlock;
        case cudaDevAttrWarpSize:
            return all.warpSize;
        case cudaDevAttrMultiProcessorCount:
            return all.multiProcessorCount;
        case cudaDevAttrMemoryClockRate:
            return 2619000;
        case cudaDevAttrGlobalMemoryBusWidth:
            return all.memoryBusWidth;
        case cudaDevAttrComputeCapabilityMajor:
            return all.major;
        case cudaDevAttrComputeCapabilityMinor:
            return all.minor;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return static_cast<int>(all.sharedMemPerBlockOptin);
        default:
            throw Thrown{cudaErrorInvalidValue};
    }
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
    if (count != nullptr) *count = 0;
    return with_device([&](Context& /*here*/) {
        if (count == nullptr) throw Thrown{cudaErrorInvalidValue};
        *count = 1;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return with_device([&](Context& /*here*/) {
        if (device == nullptr) throw Thrown{cudaErrorInvalidValue};
        *device = 0;
    });
}

cudaError_t cudaSetDevice(int device) {
    return with_device([&](Context& /*here*/) { require_first(device); });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return with_device([&](Context& here) {
        if (properties == nullptr) throw Thrown{cudaErrorInvalidValue};
        require_first(device);
        *properties = properties_of(here.options);
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return with_device([&](Context& here) {
        if (value == nullptr) throw Thrown{cudaErrorInvalidValue};
        require_first(device);
        *value = attribute_of(here.options, attribute);
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return with_device([&](Context& /*here*/) {
        constexpr std::string_view id = "0000:00:00.0";
        if (text == nullptr || length <= static_cast<int>(id.size()))
            throw Thrown{cudaErrorInvalidValue};
        require_first(device);
        std::memcpy(text, id.data(), id.size());
        text[id.size()] = '\0';
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return note(cudaErrorInvalidValue);
    const Presence presence = context().options.presence;
    *version = presence == Presence::no_driver    ? 0
               : presence == Presence::old_driver ? old_version
                                                  : runtime_version;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (version == nullptr) return note(cudaErrorInvalidValue);
    *version = runtime_version;
    return cudaSuccess;
}

}  // namespace weft::core::emulated
