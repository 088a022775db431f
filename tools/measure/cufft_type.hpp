// Which of cuFFT's transforms a problem is.
#pragma once

#include "fft/gpu/library.hpp"
#include "weft/problem.hpp"

namespace weft::cli::WEFT_GPU_TARGET {

using namespace core::WEFT_GPU_TARGET;

/// Of analysis (r2c) or synthesis (c2r).
inline cufftType transform_type(const Problem& problem, bool synthesis) {
    const bool twice = problem.precision == Precision::f64;
    if (problem.kind == Kind::c2c) return twice ? CUFFT_Z2Z : CUFFT_C2C;
    if (synthesis) return twice ? CUFFT_Z2D : CUFFT_C2R;
    return twice ? CUFFT_D2Z : CUFFT_R2C;
}

}  // namespace weft::cli::WEFT_GPU_TARGET
