// What the files of kernels/ make the table of kernels of: the radices and lengths that are worth
// their time of compiling on an instruction set, and the parts that are compiled in other files.
#pragma once

#include <array>

#include "fft/native/kernels/simd.hpp"

namespace weft::core::native::HWY_NAMESPACE {

// `radices` have unrolled butterflies (see butterfly.hpp). Lines of `short_lengths` are transformed
// whole by one kernel (see short_lines.hpp).
#if defined(WEFT_FEW_BUTTERFLIES) || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR
// Processors without AVX2 are older than 2013, and tests need some of each kind only.
inline constexpr std::array radices = {2, 3, 4, 5, 7, 8};
inline constexpr std::array short_lengths = {2, 3, 4, 5, 7, 8};
#elif HWY_TARGET <= HWY_AVX3
// 32 registers hold most of a large butterfly. Longer lines than these are long to compile and gain
// nothing.
inline constexpr std::array radices = {2,  3,  4,  5,  6,  7,  8,  9,  10,
                                       11, 12, 13, 15, 16, 20, 24, 25, 32};
inline constexpr std::array short_lengths = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                             12, 13, 14, 15, 16, 18, 20, 21, 22, 24,
                                             25, 26, 27, 28, 30, 35, 36, 40, 45};
#else
inline constexpr std::array radices = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16};
inline constexpr std::array short_lengths = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                             12, 13, 14, 15, 16, 18, 20, 21, 24, 25,
                                             27, 28, 30, 32, 35, 36, 40, 45};
#endif

#if (HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3) && !defined(WEFT_FEW_BUTTERFLIES)
inline constexpr std::array interleaved_radices = {4,  5,  6,  7,  8,  9,  10, 12, 14,
                                                   15, 16, 18, 20, 21, 24, 25, 28, 30,
                                                   32, 35, 36, 40, 42, 45, 48, 50, 60};
#else
inline constexpr std::array interleaved_radices = {4, 5, 6};
#endif

}  // namespace weft::core::native::HWY_NAMESPACE

// Clang inlines vector code only into functions whose first declaration names the instruction set.
HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Passes of every radix.
template <class T>
void add_passes(Kernels<T>& k);
/// Whole lines of few elements.
template <class T>
void add_short_lines(Kernels<T>& k);
/// Two passes over lines that share vectors, where these have 256 bits or more.
template <class T>
void add_interleaved_passes(Kernels<T>& k);
/// Passes over real lines and what goes with them.
template <class T>
void add_real_lines(Kernels<T>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
