// Passes over interleaved numbers, for one instruction set and precision.
#include "fft/native/kernels/interleaved_passes.hpp"

#include "fft/native/kernels/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void add_interleaved_passes([[maybe_unused]] Kernels<T>& k) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3
    unroll(indices<interleaved_radices.size()>, [&](auto i) {
        constexpr int R = interleaved_radices[i.value];
        k.interleaved_first_of_lanes[R] = &interleaved_first_pass<T, R, true>;
        k.interleaved_last_to_lanes[R] = &interleaved_last_pass<T, R, true>;
        if constexpr (sizeof(T) == 8) {
            k.interleaved_first_of_lines[R] = &interleaved_first_pass<T, R, false>;
            k.interleaved_last_to_lines[R] = &interleaved_last_pass<T, R, false>;
        }
    });
#endif
}
template void add_interleaved_passes(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
