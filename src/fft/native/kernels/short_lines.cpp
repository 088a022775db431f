// Whole lines of few elements or of some lengths, for one instruction set and precision.
#include "fft/native/kernels/short_lines.hpp"

#include "fft/native/kernels/fixed_lines.hpp"
#include "fft/native/kernels/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

// Between adjacent lanes nothing is transposed, and passes are as fast for longer lines; with 32
// registers, which hold more of a butterfly, for most.
inline constexpr int longest_short_lanes = HWY_TARGET <= HWY_AVX3 ? 8 : 35;

#if HWY_TARGET == HWY_AVX2
/// The steps of contiguous lines of fixed lengths (see fixed_lines.hpp): powers of two and common
/// products of 2, 3, 5 and 7. Radices from 4 to 10 are the fastest, and fewer steps than more.
#ifdef WEFT_FEW_BUTTERFLIES
inline constexpr std::array<std::array<int, 3>, 3> fixed_radices = {
    {{4, 8, 1}, {8, 4, 8}, {10, 7, 5}}};
#else
inline constexpr std::array<std::array<int, 3>, 34> fixed_radices = {
    {{4, 4, 1},  {4, 8, 1},   {4, 4, 4},   {8, 4, 4},    {8, 4, 8},  {8, 8, 8},  {8, 8, 16},
     {8, 6, 1},  {10, 5, 1},  {10, 6, 1},  {10, 7, 1},   {6, 12, 1}, {8, 10, 1}, {10, 9, 1},
     {8, 12, 1}, {10, 10, 1}, {10, 12, 1}, {12, 12, 1},  {10, 3, 5}, {10, 6, 3}, {8, 4, 6},
     {10, 3, 7}, {10, 6, 4},  {10, 5, 5},  {8, 4, 10},   {10, 7, 5}, {10, 6, 6}, {8, 6, 8},
     {10, 6, 8}, {8, 8, 10},  {8, 8, 12},  {10, 10, 10}, {8, 4, 5},  {8, 5, 5}}};
#endif

template <class T>
void add_all_fixed_lines(Kernels<T>& k) {
    unroll(indices<fixed_radices.size()>, [&](auto i) {
        constexpr std::array<int, 3> steps = fixed_radices[i.value];
        add_fixed_lines<T, steps[0], steps[1], steps[2]>(k);
    });
}
#endif

template <class T>
void add_short_lines([[maybe_unused]] Kernels<T>& k) {
#if HWY_TARGET == HWY_AVX2
    add_all_fixed_lines(k);
#endif
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
