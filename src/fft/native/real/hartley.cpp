#include "fft/native/real/hartley.hpp"

#include <algorithm>
#include <complex>

#include "base/index.hpp"
#include "fft/native/tables/numbers.hpp"
#include "fft/reference_line.hpp"

namespace weft::core::native {

namespace {

using Exact = std::complex<long double>;

/// The complex length of a convolution of `count` real numbers: half of that, or, where that has a
/// large prime factor, what holds the sequence and as many zeros.
Index convolution_length(const Radices& radices, Index count) {
    // The spectrum is computed by the definition for each prime factor.
    constexpr Index largest_prime = 300;
    const Index padded = smooth_length(radices, count);
    const Index half = count / 2;
    if (half > 1 && prime_factors(half).back() > largest_prime) return padded;
    const auto cost = [&](Index n) {
        return (2 * factorize(radices, n).cost + 6) * static_cast<double>(n);
    };
    return cost(half) <= cost(padded) ? half : padded;
}

/// What Z and conj Z are multiplied by, for the sequence t of 2m numbers.
template <class T>
std::vector<T> pair_factors(const std::vector<long double>& t, long double scale) {
    const auto m = static_cast<Index>(t.size() / 2);
    std::vector<Exact> even;
    std::vector<Exact> odd;
    even.reserve(usize(m));
    odd.reserve(usize(m));
    for (std::size_t j = 0; j < t.size(); j += 2) {
        even.emplace_back(t[j]);
        odd.emplace_back(t[j + 1]);
    }
    ReferenceLine line(m, -1);
    line.transform(even);
    line.transform(odd);
    std::vector<T> result;
    result.reserve(usize(4 * m));
    const long double factor = scale / static_cast<long double>(m);
    for (Index k = 0; k < m; ++k) {
        const Turn turned = turn(k, m);
        const Exact w(turned.cos, -turned.sin);
        const Exact half_odd = Exact(0, 0.5L) * odd[usize(k)];
        const Exact a = even[usize(k)] + half_odd * (Exact(1) - w);
        const Exact b = half_odd * (Exact(1) + w);
        for (const Exact& z : {a * factor, b * factor}) {
            result.push_back(static_cast<T>(z.real()));
            result.push_back(static_cast<T>(z.imag()));
        }
    }
    return result;
}

}  // namespace

template <class T>
Hartley<T>::Hartley(const Kernels<T>& kernels, Index p, long double scale)
    : kernels_(*kernels.real),
      width_(2 * kernels.lanes),
      count_(p - 1),
      length_(convolution_length(kernels.radices, p - 1)),
      dft_(make_tile_dft(kernels, length_)),
      input_(kernels, dft_->rows().room()),
      output_(kernels, length_) {
    const Index g = primitive_root(p);
    const Index inverse = power_modulo(g, p - 2, p);
    const auto count = usize(count_);
    for (auto* table : {&up_, &down_, &target_, &result_}) table->reserve(count);
    position_.reserve(usize(length_));
    for (Index j = 0; j < length_; ++j) position_.push_back(dft_->rows().position(j));
    std::vector<long double> sequence(usize(2 * length_));
    Index up = 1;
    Index down = 1;
    for (Index q = 0; q < count_; ++q) {
        up_.push_back(up);
        down_.push_back(down);
        target_.push_back(2 * position_[usize(q / 2)] + q % 2);
        result_.push_back(q / 2 * 2 + 1 - q % 2);  // parts are exchanged
        const Turn w = turn(down, p);
        const long double cas = w.cos + w.sin;
        sequence[usize(q)] = cas;
        // Of zeros beside the input, also its elements -1, -2, ...
        const Index wrapped = 2 * length_ - count_ + q;
        if (q > 0) sequence[usize(wrapped)] = cas;
        up = multiply_modulo(up, g, p);
        down = multiply_modulo(down, inverse, p);
    }
    factors_ = pair_factors<T>(sequence, scale);
}

template <class T>
void Hartley<T>::clear() {
    if (2 * length_ == count_) return;
    std::fill_n(input_.data(), usize(dft_->rows().room() * width_), T(0));
}

template <class T>
void Hartley<T>::convolve() {
    dft_->run(input_.data(), output_.data(), 1);
    kernels_.multiply_pairs(output_.data(), factors_.data(), length_, input_.data(),
                            position_.data());
    dft_->run(input_.data(), output_.data(), 1);
}

template <class T>
void Hartley<T>::to_spectrum(const T* reals, T* spectrum, T* zero) {
    clear();
    kernels_.permute(reals, up_.data(), count_, input_.data(), target_.data());
    kernels_.sum(reals, count_ + 1, zero);
    convolve();
    kernels_.spectrum_from_hartley(output_.data(), result_.data(), count_ / 2, reals, spectrum);
}

template <class T>
void Hartley<T>::from_spectrum(const T* spectrum, const T* zero, T* reals) {
    clear();
    kernels_.hartley_from_spectrum(spectrum, count_ / 2, zero, input_.data(), target_.data(),
                                   reals);
    convolve();
    kernels_.scatter(output_.data(), result_.data(), zero, count_, reals, down_.data());
}

template class Hartley<float>;
template class Hartley<double>;

}  // namespace weft::core::native
