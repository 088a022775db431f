// Device code of src/device/gpu/kernel.hpp for the emulated GPU: any C++ compiler understands it.
//
// What reads or writes several bytes at once throws where the address is not a multiple of them,
// where a GPU would stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "device/gpu/check.hpp"
#include "device/gpu/kernel.hpp"
#include "testing/emulated/cuda/block.hpp"
#include "testing/emulated/cuda/launch.hpp"
#include "weft/error.hpp"

#define WEFT_KERNEL inline
#define WEFT_CONSTANT_ARGUMENT
#define WEFT_THREADS(most, blocks)
#define WEFT_DEVICE_CODE inline
#define WEFT_BOTH_CODE inline
#define WEFT_UNROLL
#define WEFT_NO_UNROLL

namespace weft::core::emulated {

template <class Argument>
const Argument& where_launched(const Argument& argument) {
    return argument;  // NOLINT(bugprone-return-const-ref-from-parameter): it is a kernel's own.
}

template <class T>
T* shared_array() {
    return reinterpret_cast<T*>(shared_memory());
}

template <class... Parameters, class... Arguments>
void launch(const Launch& how, void (*kernel)(Parameters...), const Arguments&... arguments) {
    static_assert(are_carried<Parameters...>);
    if (how.stream == nullptr) {
        // Kernels are tested by themselves so: in memory of the host, and at once.
        const auto body = [&] { kernel(arguments...); };
        return run_grid({how.blocks}, {how.threads}, how.shared_bytes, body);
    }
    if (how.shared_bytes > std::size_t{48} << 10) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(how.shared_bytes)),
              "shared memory of a kernel");
    }
    check(emulated::launch(kernel, Dim3{how.blocks}, Dim3{how.threads}, how.shared_bytes,
                           how.stream, arguments...),
          "launch of a kernel");
}

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

}  // namespace weft::core::emulated
