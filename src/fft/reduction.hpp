// Real-to-real transforms of a line by a complex or real DFT: what goes into the DFT, and what is
// made of its result.
//
// Example: dct2 of x0 x1 x2 x3 ([makhoul]) is r2c of x0 x2 x3 x1, whose result Z0 Z1 Z2 is turned:
// X[k] = 2 Re(exp(-i pi k/8) Z[k]), with Z[3] = conj Z[1].
#pragma once

#include <vector>

#include "base/transforms.hpp"

namespace weft::core {

/// a * numbers[first] + b * numbers[second].
struct TwoTerms {
    Index first = 0;
    Index second = 0;
    long double a = 0;
    long double b = 0;
};

/// How one kind of a length is reduced. Numbers of a complex array are real and imaginary parts in
/// turn.
struct Reduction {
    LineTransform dft{};             ///< r2c, c2r or c2c
    std::vector<TwoTerms> before{};  ///< each number that the DFT reads, of the line's
    std::vector<TwoTerms> after{};   ///< each result, of the numbers that the DFT writes
};

/// dct2, dct3, dst2, dst3: a real DFT of n. dct4, dst4: a complex DFT of n/2, or a real one of n
/// where n is odd. dct1: a complex DFT of n-1, dst1: of n+1, or real ones of twice the length where
/// n is odd.
Reduction reduction_of(AxisKind kind, Index n, Precision precision);

}  // namespace weft::core
