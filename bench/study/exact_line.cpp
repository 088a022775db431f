#include "study/exact_line.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "study/line_case.hpp"

namespace weft::study {

namespace {

using Real = ExactLine::Real;
using Complex = ExactLine::Complex;

std::vector<Complex> chirp(Index n, int sign) {
    std::vector<Complex> result;
    result.reserve(static_cast<std::size_t>(n));
    for (Index j = 0; j < n; ++j) {
        // Reduced before it is rounded: the angle has period 2n in j^2.
        const Index square = j * j % (2 * n);
        const Real angle =
            std::numbers::pi_v<Real> * static_cast<Real>(square) / static_cast<Real>(n);
        result.emplace_back(std::cos(angle), sign * std::sin(angle));
    }
    return result;
}

}  // namespace

ExactLine::ExactLine(Index n, int sign) : n_(n) {
    // Up to here the definition is faster than three transforms of twice the length.
    constexpr Index largest_by_definition = 128;
    if (largest_prime(n) <= largest_by_definition) {
        line_.emplace(n, sign);
        return;
    }
    const std::size_t length = std::bit_ceil(static_cast<std::size_t>(2 * n - 1));
    const auto m = static_cast<Index>(length);
    convolution_.emplace(Convolution{core::ReferenceLine(m, -1), core::ReferenceLine(m, 1),
                                     chirp(n, sign), std::vector<Complex>(length)});
    std::vector<Complex>& spectrum = convolution_->spectrum;
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
        spectrum[j] = std::conj(convolution_->chirp[j]) / static_cast<Real>(m);
        spectrum[(length - j) % length] = spectrum[j];
    }
    convolution_->forward.transform(spectrum);
}

void ExactLine::transform(std::vector<Complex>& x) {
    if (line_) {
        line_->transform(x);
        return;
    }
    Convolution& by = *convolution_;
    const auto n = static_cast<std::size_t>(n_);
    std::vector<Complex> product(by.spectrum.size());
    for (std::size_t j = 0; j < n; ++j) product[j] = x[j] * by.chirp[j];
    by.forward.transform(product);
    for (std::size_t k = 0; k < product.size(); ++k) product[k] *= by.spectrum[k];
    by.backward.transform(product);
    for (std::size_t k = 0; k < n; ++k) x[k] = product[k] * by.chirp[k];
}

}  // namespace weft::study
