// First passes of contiguous lines.
#include "fft/native/along.hpp"

#include "fft/native/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T, int R>
void add_along_pass(Kernels<T>& k) {
    if constexpr (fills_lanes<T, R>) {
        k.along[R] = &along_pass<T, R, 1, 1>;
        if constexpr (shares_lanes<T, 2>) k.along_two[R] = &along_pass<T, R, 2, 1>;
        if constexpr (shares_lanes<T, 4>) k.along_four[R] = &along_pass<T, R, 4, 1>;
    }
    if constexpr (halves_fill_lanes<T, R>) k.along_halves[R] = &along_pass<T, R, 1, 2>;
}

template <class T>
void add_along(Kernels<T>& k) {
    unroll<static_cast<int>(small_radices.size())>(
        [&](auto i) { add_along_pass<T, small_radices[i.value]>(k); });
}
template void add_along(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
