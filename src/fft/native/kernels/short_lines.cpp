// Whole lines of few elements or of some lengths, for one instruction set and precision.
#include "fft/native/short_lines.hpp"

#include "fft/native/fixed_lines.hpp"
#include "fft/native/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

// Between adjacent lanes nothing is transposed, and passes are as fast for longer lines; with 32
// registers, which hold more of a butterfly, for most.
inline constexpr int longest_short_lanes = HWY_TARGET <= HWY_AVX3 ? 8 : 35;

/// Powers of two, and lengths that vectors along lines would not suit otherwise, since 4 does not
/// divide them or leaves an odd number. More radices than two or three of 4 to 10 are not faster
/// than other kernels.
template <class T>
void add_all_fixed_lines([[maybe_unused]] Kernels<T>& k) {
#if HWY_TARGET == HWY_AVX2
    add_fixed_lines<T, 4, 4, 1>(k);
    add_fixed_lines<T, 4, 8, 1>(k);
    add_fixed_lines<T, 4, 4, 4>(k);
    add_fixed_lines<T, 8, 4, 4>(k);
    add_fixed_lines<T, 8, 4, 8>(k);
    add_fixed_lines<T, 8, 8, 8>(k);
    add_fixed_lines<T, 16, 8, 8>(k);
    add_fixed_lines<T, 10, 5, 1>(k);
    add_fixed_lines<T, 10, 7, 1>(k);
    add_fixed_lines<T, 10, 9, 1>(k);
    add_fixed_lines<T, 10, 10, 1>(k);
    add_fixed_lines<T, 10, 3, 5>(k);
    add_fixed_lines<T, 10, 3, 7>(k);
    add_fixed_lines<T, 10, 5, 5>(k);
    add_fixed_lines<T, 10, 7, 5>(k);
    add_fixed_lines<T, 10, 10, 10>(k);
#endif
}

template <class T>
void add_short_lines([[maybe_unused]] Kernels<T>& k) {
    add_all_fixed_lines(k);
#if HWY_TARGET != HWY_SCALAR
    unroll(indices<short_lengths.size()>, [&](auto i) {
        constexpr int n = short_lengths[i.value];
        if constexpr (n >= group<T>) {
            k.short_lines[n] = &short_lines<T, n, false, false>;
            k.short_lines_to_lanes[n] = &short_lines<T, n, false, true>;
            k.short_lanes_to_lines[n] = &short_lines<T, n, true, false>;
            if constexpr (n <= longest_short_lanes)
                k.short_lanes[n] = &short_lines<T, n, true, true>;
        }
    });
#endif
}
template void add_short_lines(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
