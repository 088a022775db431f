// Fills a table of kernels. Included once for each instruction set.
#include <hwy/cache_control.h>

#include "fft/native/along.hpp"
#include "fft/native/elements.hpp"
#include "fft/native/passes.hpp"
#include "fft/native/shifted.hpp"
#include "fft/native/short_lines.hpp"
#include "fft/native/staging.hpp"

#if defined(WEFT_FFT_NATIVE_KERNELS_TABLE_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_FFT_NATIVE_KERNELS_TABLE_HPP
#undef WEFT_FFT_NATIVE_KERNELS_TABLE_HPP
#else
#define WEFT_FFT_NATIVE_KERNELS_TABLE_HPP
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T, int Radix>
void add_butterfly(Kernels<T>& k) {
    k.radices.push_back(Radix);
    k.single[Radix] = &single_pass<T, Radix>;
    k.first[Radix] = &first_pass<T, Radix>;
    k.first_gathered[Radix] = &first_pass_gathered<T, Radix>;
    k.middle[Radix] = &middle_pass<T, Radix>;
    k.last[Radix] = &last_pass<T, Radix>;
    k.last_scattered[Radix] = &last_pass_scattered<T, Radix, false>;
    k.last_streamed[Radix] = &last_pass_scattered<T, Radix, true>;
    if constexpr (vector_is_line<T>) k.last_shifted[Radix] = &last_pass_shifted<T, Radix>;
    k.last_in_tile[Radix] = &last_pass_in_tile<T, Radix>;
    add_along<T, Radix>(k);
}

template <class T>
const Kernels<T>& kernels() {
    static const Kernels<T> table = [] {
        Kernels<T> k;
        k.target = hwy::TargetName(HWY_TARGET);
        k.lanes = static_cast<int>(lanes<T>);
        for (Index lane = 0; lane < lanes<T>; ++lane) k.order.push_back(lane_line<T>(lane));
        unroll<static_cast<int>(small_radices.size())>(
            [&](auto i) { add_butterfly<T, small_radices[i.value]>(k); });
        unroll<static_cast<int>(short_lengths.size())>(
            [&](auto i) { add_short_lines<T, short_lengths[i.value]>(k); });
#if HWY_TARGET <= HWY_AVX3 && !defined(WEFT_FEW_BUTTERFLIES)
        unroll<static_cast<int>(large_radices.size())>(
            [&](auto i) { add_butterfly<T, large_radices[i.value]>(k); });
        unroll<static_cast<int>(longer_lengths.size())>(
            [&](auto i) { add_short_lines<T, longer_lengths[i.value]>(k); });
#endif
        k.middle_prime = &middle_pass_prime<T>;
        k.last_prime = &last_pass_prime<T>;
        k.read = &read<T>;
        k.write = &write<T>;
        k.read_real = &read_real<T>;
        k.write_real = &write_real<T>;
        k.split = &split_lines<T>;
        k.join = &join_lines<T>;
        k.multiply = &multiply<T>;
        k.permute = &permute<T>;
        k.scatter_swapped = &scatter_swapped<T>;
        k.sum = &sum<T>;
        if constexpr (vector_is_line<T>) k.write_waiting = &write_waiting<T>;
        k.copy_streamed = &copy_streamed<T>;
        k.fence = [] { hwy::FlushStream(); };
        return k;
    }();
    return table;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include once for each instruction set
