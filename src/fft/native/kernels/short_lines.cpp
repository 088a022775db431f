// Whole contiguous lines.
#include "fft/native/short_lines.hpp"

#include "fft/native/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void add_short_lines([[maybe_unused]] Kernels<T>& k) {
#if HWY_TARGET != HWY_SCALAR
    const auto add = [&](auto n) {
        if constexpr (n.value >= group<T>) k.short_lines[n.value] = &short_lines<T, n.value>;
    };
    unroll<static_cast<int>(short_lengths.size())>(
        [&](auto i) { add(Int<short_lengths[i.value]>()); });
#endif
#if HWY_TARGET <= HWY_AVX3 && !defined(WEFT_FEW_BUTTERFLIES)
    unroll<static_cast<int>(longer_lengths.size())>(
        [&](auto i) { add(Int<longer_lengths[i.value]>()); });
#endif
}
template void add_short_lines(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
