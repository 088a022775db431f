// Fills a table of kernels. Included once for each instruction set.
#include <hwy/cache_control.h>

#include "fft/native/along.hpp"
#include "fft/native/elements.hpp"
#include "fft/native/halves.hpp"
#include "fft/native/passes.hpp"
#include "fft/native/real_passes.hpp"
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
void add_real_kernels(Kernels<T>& k) {
    unroll<static_cast<int>(real_radices.size())>([&](auto i) {
        constexpr int radix = real_radices[i.value];
        k.first_of_reals[radix] = &first_pass_of_reals<T, radix>;
        k.last_of_reals[radix] = &last_pass_of_reals<T, radix>;
    });
    k.first_of_reals_prime = &first_pass_of_reals_prime<T>;
    k.last_of_reals_prime = &last_pass_of_reals_prime<T>;
    k.read_real = &read_real<T>;
    k.write_real = &write_real<T>;
    k.read_spectrum = &read_spectrum<T>;
    k.write_spectrum = &write_spectrum<T>;
    k.write_halves = &write_halves<T>;
    k.read_halves = &read_halves<T>;
    k.join_halves = &join_halves<T>;
    k.multiply_pairs = &multiply_pairs<T>;
    k.permute_reals = &permute_reals<T>;
    k.scatter_reals = &scatter_reals<T>;
    k.sum_reals = &sum_reals<T>;
    k.spectrum_from_hartley = &spectrum_from_hartley<T>;
    k.hartley_from_spectrum = &hartley_from_spectrum<T>;
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
        add_real_kernels<T>(k);
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
