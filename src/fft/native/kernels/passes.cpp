// Passes of every radix, for one instruction set and precision.
#include "fft/native/kernels/passes.hpp"

#include "fft/native/kernels/kernels_table.hpp"
#include "fft/native/kernels/shifted.hpp"
#include "fft/native/kernels/transposed.hpp"

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
    k.last_kept[Radix] = &last_pass_kept<T, Radix>;
    if constexpr (vector_is_line<T>) k.last_shifted[Radix] = &last_pass_shifted<T, Radix>;
    k.last_in_tile[Radix] = &last_pass_in_tile<T, Radix>;
    if constexpr (fills_transposed<T, Radix>) k.transposed[Radix] = &transposed_pass<T, Radix>;
}

template <class T>
void add_passes(Kernels<T>& k) {
    unroll(indices<radices.size()>, [&](auto i) { add_butterfly<T, radices[i.value]>(k); });
    k.middle_prime = &middle_pass_prime<T>;
    k.last_prime = &last_pass_prime<T>;
}
template void add_passes(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
