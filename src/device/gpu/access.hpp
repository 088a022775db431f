// Reads and writes of several bytes at once in the memory of a GPU. Their addresses have to be
// multiples of those bytes, or the GPU stops.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/gpu/kernel.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// So many bytes, moved by one instruction: 1, 2, 4, 8 or 16.
template <int Bytes>
struct alignas(Bytes) Unit {
    std::uint32_t words[Bytes / 4];
};
template <>
struct Unit<2> {
    std::uint16_t half;
};
template <>
struct Unit<1> {
    std::uint8_t byte;
};

/// Adjacent numbers that are moved by one instruction.
template <class Number, int Count>
struct alignas(sizeof(Number) * Count) Pack {
    Number values[Count];
};

#if !defined(WEFT_GPU_RUNTIME)  // otherwise WEFT_GPU_KERNELS has them

template <class T>
WEFT_DEVICE_CODE T load(const std::byte* address) {
    return *reinterpret_cast<const T*>(address);
}
template <class T>
WEFT_DEVICE_CODE void store(std::byte* address, const T& value) {
    *reinterpret_cast<T*>(address) = value;
}

#endif

}  // namespace weft::core::WEFT_GPU_TARGET
