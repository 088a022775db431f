// Reads and writes of several bytes at once in the memory of a GPU. Their addresses have to be
// multiples of those bytes; the emulated GPU throws if one is not, where a real one would stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/gpu/kernel.hpp"

#if defined(WEFT_GPU_EMULATED)
#include <string>

#include "weft/error.hpp"
#endif

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

#if defined(WEFT_GPU_EMULATED)

template <class T>
void check_aligned(const void* address) {
    if (reinterpret_cast<std::uintptr_t>(address) % alignof(T) == 0) return;
    throw Error(ErrorCode::wrong_result, "a kernel accesses " + std::to_string(sizeof(T)) +
                                             " bytes at once at an address that is not a "
                                             "multiple of them; use narrower accesses");
}

template <class T>
T load(const std::byte* address) {
    check_aligned<T>(address);
    T result;
    std::memcpy(&result, address, sizeof(T));
    return result;
}
template <class T>
void store(std::byte* address, const T& value) {
    check_aligned<T>(address);
    std::memcpy(address, &value, sizeof(T));
}

#else

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
