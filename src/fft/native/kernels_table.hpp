// The table of kernels of one instruction set and precision. Each part of it is compiled in a file
// of its own, kernels/NAME.cpp.
#pragma once

#include "fft/native/simd.hpp"

namespace weft::core::native::HWY_NAMESPACE {

/// Butterflies and passes of every radix.
template <class T>
void add_passes(Kernels<T>& k);
/// First passes of contiguous lines.
template <class T>
void add_along(Kernels<T>& k);
/// Whole contiguous lines.
template <class T>
void add_short_lines(Kernels<T>& k);
/// Passes over real lines and what goes with them.
template <class T>
void add_real_lines(Kernels<T>& k);
/// Copies between arrays and tiles.
template <class T>
void add_staging(Kernels<T>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
