#include <cstring>

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/cuda/launch.hpp"
#include "testing/emulated/cuda/memory.hpp"

namespace weft::core::emulated {

namespace {

/// Throws the error of CUDA for sides that are not as the kind says, or that overlap.
void check_sides(Context& here, void* to, std::size_t to_bytes, const void* from,
                 std::size_t from_bytes, cudaMemcpyKind kind) {
    const bool to_device = here.require_usable(to, to_bytes);
    const bool from_device = here.require_usable(from, from_bytes);
    bool right = true;
    switch (kind) {
        case cudaMemcpyHostToHost:
            right = !to_device && !from_device;
            break;
        case cudaMemcpyHostToDevice:
            right = to_device && !from_device;
            break;
        case cudaMemcpyDeviceToHost:
            right = !to_device && from_device;
            break;
        case cudaMemcpyDeviceToDevice:
            right = to_device && from_device;
            break;
        case cudaMemcpyDefault:
            break;
        default:
            throw Thrown{cudaErrorInvalidMemcpyDirection};
    }
    if (to_bytes == 0 || from_bytes == 0) return;
    const auto to_begin = reinterpret_cast<std::uintptr_t>(to);
    const auto from_begin = reinterpret_cast<std::uintptr_t>(from);
    const bool overlap = to_begin < from_begin + from_bytes && from_begin < to_begin + to_bytes;
    if (!right || overlap) throw Thrown{cudaErrorInvalidValue};
}

/// Of `height` rows, the last of which is `width` bytes long.
std::size_t rows_bytes(std::size_t pitch, std::size_t width, std::size_t height) {
    return width == 0 || height == 0 ? 0 : (height - 1) * pitch + width;
}

}  // namespace

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return with_device([&](Context& here) {
        check_sides(here, to, bytes, from, bytes, kind);
        here.stream_for_work(stream)->copy(static_cast<const std::byte*>(from),
                                           static_cast<std::byte*>(to), static_cast<Index>(bytes));
    });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    return with_device([&](Context& here) {
        if (width > to_pitch || width > from_pitch) throw Thrown{cudaErrorInvalidPitchValue};
        check_sides(here, to, rows_bytes(to_pitch, width, height), from,
                    rows_bytes(from_pitch, width, height), kind);
        const Closure copy([=](const DeviceView& view) {
            const Reach reach(view);
            auto* reached = reach(static_cast<std::byte*>(to));
            const auto* given = reach(static_cast<const std::byte*>(from));
            for (std::size_t row = 0; width != 0 && row < height; ++row) {
                std::memcpy(reached + row * to_pitch, given + row * from_pitch, width);
            }
        });
        here.stream_for_work(stream)->work(copy, "copy of rows");
    });
}

cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream) {
    return with_device([&](Context& here) {
        here.require_usable(address, bytes);
        const Closure set([=](const DeviceView& view) {
            if (bytes == 0) return;
            std::memset(Reach(view)(static_cast<std::byte*>(address)), value, bytes);
        });
        here.stream_for_work(stream)->work(set, "memset");
    });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

cudaError_t cudaMemset(void* address, int value, std::size_t bytes) {
    const cudaError_t error = cudaMemsetAsync(address, value, bytes, nullptr);
    return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

}  // namespace weft::core::emulated
