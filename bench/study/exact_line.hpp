// One-dimensional transforms of any length in long double, in n log n steps.
#pragma once

#include <optional>
#include <vector>

#include "fft/reference_line.hpp"

namespace weft::study {

/// core::ReferenceLine, or where n has a large prime factor, which that does by the definition,
/// Bluestein's algorithm upon it: jk = (j^2 + k^2 - (j-k)^2) / 2 makes of the transform a
/// convolution with a chirp. Its error is a few units of long double's last place, a thousandth of
/// double's.
class ExactLine {
  public:
    using Real = core::ReferenceLine::Real;
    using Complex = core::ReferenceLine::Complex;

    ExactLine(Index n, int sign);
    /// In place, on n values.
    void transform(std::vector<Complex>& x);

  private:
    struct Convolution {
        core::ReferenceLine forward;
        core::ReferenceLine backward;
        std::vector<Complex> chirp;     ///< exp(sign pi i j^2/n), j < n
        std::vector<Complex> spectrum;  ///< of its conjugate, wrapped around, over its length
    };

    Index n_;
    std::optional<core::ReferenceLine> line_;
    std::optional<Convolution> convolution_;
};

}  // namespace weft::study
