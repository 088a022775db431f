// Memory of the emulated runtime, on the device and pinned.
//
// Device memory is the fake device's: a host that touches it ends with a message, and what nothing
// has written holds NaN. cudaFree does not wait for streams, as it may not with CUDA either: work
// that still uses the memory then traps.
#pragma once

#include <cstddef>

#include "testing/emulated/cuda/errors.hpp"
#include "testing/emulated/cuda/streams.hpp"

namespace weft::core::emulated {

enum cudaMemcpyKind : int {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,  ///< as the addresses say
};

enum cudaMemoryType : int {
    cudaMemoryTypeUnregistered = 0,  ///< of the host, and not pinned
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3,  ///< never here
};

struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;  ///< -2 of unregistered memory
    void* devicePointer;
    void* hostPointer;
};

constexpr unsigned cudaHostAllocDefault = 0;
constexpr unsigned cudaHostAllocPortable = 1;
constexpr unsigned cudaHostAllocMapped = 2;
constexpr unsigned cudaHostAllocWriteCombined = 4;
constexpr unsigned cudaHostRegisterDefault = 0;
constexpr unsigned cudaHostRegisterPortable = 1;
constexpr unsigned cudaHostRegisterMapped = 2;
constexpr unsigned cudaHostRegisterReadOnly = 8;

/// Of 0 bytes null, as with CUDA. Addresses are multiples of 64 only.
cudaError_t cudaMalloc(void** address, std::size_t bytes);
cudaError_t cudaFree(void* address);
cudaError_t cudaMallocHost(void** address, std::size_t bytes);
cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* address);
cudaError_t cudaHostRegister(void* address, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* address);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

/// What another process opens memory by.
struct cudaIpcMemHandle_t {
    char reserved[64];
};
constexpr unsigned cudaIpcMemLazyEnablePeerAccess = 1;

/// Of where memory of cudaMalloc begins. All emulated devices of a machine are one GPU.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* address);
/// Not in the process whose memory it is, as with CUDA.
cudaError_t cudaIpcOpenMemHandle(void** address, cudaIpcMemHandle_t handle, unsigned flags);
cudaError_t cudaIpcCloseMemHandle(void* address);

/// Copies run in the stream whatever the host's memory is; CUDA runs those of memory that is not
/// pinned before it returns, as it likes. Sides that overlap, or that are not as the kind says, and
/// bytes beyond an allocation are cudaErrorInvalidValue.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
/// `height` rows of `width` bytes; pitches are bytes from row to row.
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr);
/// In the default stream, until it has run.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* address, int value, std::size_t bytes);

/// Whether the options say that MPI reaches memory of the device.
bool mpi_may_reach();
/// No MPI knows the emulated device, so mpi_may_reach() is its answer.
inline bool answers_for_mpi() { return true; }
/// The address at which an MPI that reaches devices is handed memory of the device; one that is not
/// of it is returned unchanged. Throws Error(not_available) unless the options say that MPI reaches
/// it.
std::byte* as_mpi_reaches(std::byte* address);

/// As CUDA's own header offers it.
template <class T>
cudaError_t cudaMalloc(T** address, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(address), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** address, std::size_t bytes) {
    return cudaMallocHost(reinterpret_cast<void**>(address), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** address, std::size_t bytes, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(address), bytes, flags);
}

}  // namespace weft::core::emulated
