#include "device/gpu/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/index.hpp"
#include "base/text.hpp"
#include "device/gpu/check.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

class GpuMemory final : public DeviceMemory {
  public:
    GpuMemory(void* data, Index bytes) : DeviceMemory(static_cast<std::byte*>(data), bytes) {}
    // What cannot be given back is lost with the device; there is nobody to tell.
    ~GpuMemory() override { (void)cudaFree(data()); }
};

class PinnedMemory final : public DeviceMemory {
  public:
    PinnedMemory(void* data, Index bytes) : DeviceMemory(static_cast<std::byte*>(data), bytes) {}
    ~PinnedMemory() override { (void)cudaFreeHost(data()); }
};

class PinnedArray final : public DeviceMemory {
  public:
    PinnedArray(std::byte* data, Index bytes) : DeviceMemory(data, bytes) {}
    ~PinnedArray() override {
        // Its owner may have freed it before.
        if (cudaHostUnregister(data()) != cudaSuccess) (void)cudaGetLastError();
    }
};

class OpenedMemory final : public DeviceMemory {
  public:
    OpenedMemory(void* data, Index bytes) : DeviceMemory(static_cast<std::byte*>(data), bytes) {}
    ~OpenedMemory() override { (void)cudaIpcCloseMemHandle(data()); }
};

/// Never 0, for which CUDA gives a null pointer.
std::size_t room(Index bytes) { return usize(std::max<Index>(bytes, 1)); }

}  // namespace

std::unique_ptr<DeviceMemory> allocate_on(int number, Index bytes, const std::string& name) {
    check(cudaSetDevice(number), "cudaSetDevice");
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, room(bytes));
    if (result == cudaErrorMemoryAllocation) {
        // The error is told here, and does not belong to what is done next.
        (void)cudaGetLastError();
        std::size_t free = 0;
        std::size_t total = 0;
        (void)cudaMemGetInfo(&free, &total);
        throw Error(
            ErrorCode::system,
            fmt::format("not enough device memory: {} bytes for buffer {} could not be "
                        "allocated on device {} {}, where {} of {} bytes are free; use more "
                        "ranks on more devices, tiles, or smaller arrays",
                        bytes, name, WEFT_GPU_NAME, number, free, total));
    }
    check(result, fmt::format("cudaMalloc of {} bytes for buffer {}", bytes, name));
    return std::make_unique<GpuMemory>(data, bytes);
}

FreeMemory free_memory_of(int number) {
    check(cudaSetDevice(number), "cudaSetDevice");
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    // Processes number the GPUs that they see, so their numbers do not tell which GPU it is.
    std::array<char, 32> bus{};
    check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), number),
          "cudaDeviceGetPCIBusId");
    return {static_cast<Index>(free), hash(bus.data())};
}

DeviceHandle handle_of(int number, const DeviceMemory& memory) {
    check(cudaSetDevice(number), "cudaSetDevice");
    cudaIpcMemHandle_t handle{};
    const cudaError_t result = cudaIpcGetMemHandle(&handle, memory.data());
    if (result != cudaSuccess) (void)cudaGetLastError();
    check(result, "cudaIpcGetMemHandle");
    DeviceHandle sent;
    static_assert(sizeof(handle) <= sizeof(sent));
    std::memcpy(sent.bytes.data(), &handle, sizeof(handle));
    return sent;
}

std::unique_ptr<DeviceMemory> open_on(int number, const DeviceHandle& handle, Index bytes) {
    check(cudaSetDevice(number), "cudaSetDevice");
    cudaIpcMemHandle_t received{};
    std::memcpy(&received, handle.bytes.data(), sizeof(received));
    void* data = nullptr;
    const cudaError_t result =
        cudaIpcOpenMemHandle(&data, received, cudaIpcMemLazyEnablePeerAccess);
    // The error is told here, and does not belong to what is done next.
    if (result != cudaSuccess) (void)cudaGetLastError();
    check(result, "cudaIpcOpenMemHandle of another rank's memory");
    return std::make_unique<OpenedMemory>(data, bytes);
}

std::unique_ptr<DeviceMemory> allocate_pinned_for(int number, Index bytes) {
    check(cudaSetDevice(number), "cudaSetDevice");
    void* data = nullptr;
    check(cudaMallocHost(&data, room(bytes)), fmt::format("cudaMallocHost of {} bytes", bytes));
    return std::make_unique<PinnedMemory>(data, bytes);
}

std::unique_ptr<DeviceMemory> pin_for(int number, std::byte* array, Index bytes) {
    check(cudaSetDevice(number), "cudaSetDevice");
    if (cudaHostRegister(array, room(bytes), cudaHostRegisterDefault) == cudaSuccess) {
        return std::make_unique<PinnedArray>(array, bytes);
    }
    (void)cudaGetLastError();
    return nullptr;
}

}  // namespace weft::core::WEFT_GPU_TARGET
