// Kernels in streams of the emulated runtime.
//
// A kernel is a function of device code. What is `kernel<<<grid, block, bytes, stream>>>(a, b)` for
// nvcc is here
//
//     __global__ void scale(double* data, long count, double factor);
//     launch(scale, Dim3{blocks}, Dim3{256}, 0, stream, data, count, 2.0);
//
// Arguments are converted to the types of the kernel's parameters and copied when it is launched.
// When it runs, every parameter that is a pointer is replaced by the address at which device code
// reaches that memory. Of a parameter that is a class with pointers in it, the class does so in a
// template that CUDA's own compiler never calls:
//
//     struct Lines {
//         const double* from;
//         double* to;
//         template <class Reach>
//         void reach(const Reach& reach) {
//             from = reach(from);
//             to = reach(to);
//         }
//     };
//
// Without it, the kernel traps. Pointers that are kept in device memory are not replaced.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "testing/emulated/cuda/block.hpp"
#include "testing/emulated/cuda/closure.hpp"
#include "testing/emulated/cuda/errors.hpp"
#include "testing/emulated/cuda/streams.hpp"

namespace weft::core::emulated {

/// Turns addresses that a kernel was given into those at which it reaches memory.
class Reach {
  public:
    explicit Reach(const DeviceView& view) : view_(view) {}

    template <class T>
    T* operator()(T* address) const {
        using Bare = std::remove_cv_t<T>;
        const auto* bytes = reinterpret_cast<const std::byte*>(address);
        auto* reached = const_cast<std::byte*>(view_.reach(bytes));
        return reinterpret_cast<Bare*>(reached);
    }

  private:
    const DeviceView& view_;
};

template <class T>
void reach_in(T& argument, const Reach& reach) {
    if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
        argument = reach(argument);
    } else if constexpr (requires { argument.reach(reach); }) {
        argument.reach(reach);
    }
}

/// Puts work into a stream; its step is a text for messages that stays.
cudaError_t put_work(cudaStream_t stream, const Closure& work, std::string_view step);
/// cudaErrorInvalidConfiguration or cudaErrorInvalidValue where CUDA would not run it.
cudaError_t check_launch(const void* kernel, Dim3 grid, Dim3 block, std::size_t shared_bytes);

/// Returns what cudaGetLastError would say after a launch with CUDA, and keeps it for that.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), Dim3 grid, Dim3 block, std::size_t shared_bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
    using Values = std::tuple<std::decay_t<Parameters>...>;
    const auto wrong =
        check_launch(reinterpret_cast<const void*>(kernel), grid, block, shared_bytes);
    if (wrong != cudaSuccess) return wrong;
    const Values given{static_cast<Parameters>(std::forward<Arguments>(arguments))...};
    const auto run = [=](const DeviceView& view) {
        Values values = given;
        const Reach reach(view);
        std::apply([&](auto&... each) { (reach_in(each, reach), ...); }, values);
        run_grid(grid, block, shared_bytes, [&] { std::apply(kernel, values); });
    };
    return put_work(stream, Closure(run), "kernel");
}

enum cudaFuncAttribute : int {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
/// A kernel may be launched with more than 48 KiB of shared memory only after it was allowed so.
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute,
                                 int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

}  // namespace weft::core::emulated
