// Lengths with large prime factors, as convolutions by way of transforms of other lengths.
//
// Rader, n prime, g a primitive root: X[0] = sum x; for q < n-1
//     X[g^-q] = x[0] + sum_p x[g^p] w^(g^(p-q)),   w = exp(-2 pi i/n),
// a cyclic convolution of length n-1 of x[g^p] with w^(g^-p).
// Bluestein, any n: jk = (j^2 + k^2 - (k-j)^2)/2, so with c_j = exp(pi i j^2/n)
//     X[k] = conj c_k sum_j (x[j] conj c_j) c_{k-j},
// a convolution that a cyclic one of any length >= 2n-1 contains.
//
// Cyclic convolutions are products of transforms; the backward transform is a forward one with real
// and imaginary parts exchanged before and after.
#include <algorithm>
#include <cmath>
#include <complex>

#include "fft/native/tables/numbers.hpp"
#include "fft/native/tables/tile_dft.hpp"
#include "fft/planning_limit.hpp"
#include "fft/reference_line.hpp"

namespace weft::core::native {

namespace {

using Exact = std::complex<long double>;

/// The transform of a sequence, divided by its length, as re, im pairs.
template <class T>
std::vector<T> spectrum(std::vector<Exact> sequence) {
    const auto n = static_cast<Index>(sequence.size());
    ReferenceLine(n, -1).transform(sequence);
    std::vector<T> result;
    result.reserve(2 * sequence.size());
    for (const Exact& z : sequence) {
        result.push_back(static_cast<T>(z.real() / static_cast<long double>(n)));
        result.push_back(static_cast<T>(z.imag() / static_cast<long double>(n)));
    }
    return result;
}

/// The cyclic convolution with a fixed sequence, of every lane.
template <class T>
class Cyclic {
  public:
    /// Of sequences of n elements.
    Cyclic(const Kernels<T>& kernels, Index n)
        : kernels_(kernels),
          n_(n),
          dft_(make_tile_dft(kernels, n)),
          input_(kernels, dft_->rows().room()),
          output_(kernels, n) {
        positions_.reserve(static_cast<std::size_t>(n));
        for (Index j = 0; j < n; ++j) positions_.push_back(dft_->rows().position(j));
    }
    void convolve_with(const std::vector<Exact>& sequence) { factors_ = spectrum<T>(sequence); }

    /// Element j is to be put at position j of the input.
    [[nodiscard]] T* input() const { return input_.data(); }
    [[nodiscard]] const Index* positions() const { return positions_.data(); }
    [[nodiscard]] Index input_room() const { return dft_->rows().room(); }
    /// The result, with real and imaginary parts exchanged, in order; the input is overwritten.
    const T* run() {
        dft_->run(input_.data(), output_.data(), 1);
        kernels_.multiply(output_.data(), nullptr, factors_.data(), n_, true, input_.data(),
                          positions_.data());
        dft_->run(input_.data(), output_.data(), 1);
        return output_.data();
    }

  private:
    const Kernels<T>& kernels_;
    Index n_;
    std::unique_ptr<TileDft<T>> dft_;
    std::vector<Index> positions_;
    std::vector<T> factors_;
    Tile<T> input_;
    Tile<T> output_;
};

template <class T>
class Rader : public TileDft<T> {
  public:
    Rader(const Kernels<T>& kernels, Index n) : kernels_(kernels), n_(n), cyclic_(kernels, n - 1) {
        const Index g = primitive_root(n);
        const Index inverse = power_modulo(g, n - 2, n);
        std::vector<Exact> roots;
        roots.reserve(static_cast<std::size_t>(n - 1));
        Index up = 1;
        Index down = 1;
        for (Index q = 0; q < n - 1; ++q) {
            source_.push_back(up);
            target_.push_back(down);
            const Turn w = turn(down, n);
            roots.emplace_back(w.cos, -w.sin);
            up = multiply_modulo(up, g, n);
            down = multiply_modulo(down, inverse, n);
        }
        cyclic_.convolve_with(roots);
    }

    [[nodiscard]] Rows rows() const override { return {1, n_, n_}; }

    void run(T* tile, T* to, Index step) override {
        kernels_.permute(tile, source_.data(), n_ - 1, cyclic_.input(), cyclic_.positions());
        kernels_.sum(tile, n_, to);
        kernels_.scatter_swapped(cyclic_.run(), tile, n_ - 1, to, target_.data(), step);
    }

  private:
    const Kernels<T>& kernels_;
    Index n_;
    Cyclic<T> cyclic_;
    std::vector<Index> source_;
    std::vector<Index> target_;
};

template <class T>
class Bluestein : public TileDft<T> {
  public:
    Bluestein(const Kernels<T>& kernels, Index n)
        : Bluestein(kernels, n, smooth_length(kernels.radices, 2 * n - 1)) {}

    [[nodiscard]] Rows rows() const override { return {1, n_, n_}; }

    void run(T* tile, T* to, Index step) override {
        const std::size_t width = 2 * static_cast<std::size_t>(kernels_.lanes);
        std::fill_n(cyclic_.input(), static_cast<std::size_t>(cyclic_.input_room()) * width, T(0));
        kernels_.multiply(tile, nullptr, chirp_.data(), n_, false, cyclic_.input(),
                          cyclic_.positions());
        // swap(y) conj c = swap(y c), on the way to its place.
        if (step != step_) space_targets(step);
        kernels_.multiply(cyclic_.run(), nullptr, swapped_chirp_.data(), n_, true, to,
                          target_.data());
    }

  private:
    Bluestein(const Kernels<T>& kernels, Index n, Index m)
        : kernels_(kernels), n_(n), cyclic_(kernels, m) {
        std::vector<Exact> sequence(static_cast<std::size_t>(m));
        for (Index j = 0; j < n; ++j) {
            const Turn w = turn(multiply_modulo(j, j, 2 * n), 2 * n);
            chirp_.push_back(static_cast<T>(w.cos));
            chirp_.push_back(static_cast<T>(-w.sin));
            swapped_chirp_.push_back(static_cast<T>(w.cos));
            swapped_chirp_.push_back(static_cast<T>(w.sin));
            sequence[static_cast<std::size_t>(j)] = {w.cos, w.sin};
            sequence[static_cast<std::size_t>((m - j) % m)] = {w.cos, w.sin};
            target_.push_back(j);
        }
        cyclic_.convolve_with(sequence);
    }

    void space_targets(Index step) {
        step_ = step;
        for (Index j = 0; j < n_; ++j) target_[static_cast<std::size_t>(j)] = j * step;
    }

    const Kernels<T>& kernels_;
    Index n_;
    Cyclic<T> cyclic_;
    std::vector<T> chirp_;
    std::vector<T> swapped_chirp_;
    std::vector<Index> target_;
    Index step_ = 1;
};

/// Also of planning: the spectrum is computed by the definition for each prime factor of n-1.
double rader_cost(const Radices& radices, Index n) {
    constexpr Index largest_prime = 300;
    if (n < 3 || smallest_factor(n) != n) return HUGE_VAL;
    if (prime_factors(n - 1).back() > largest_prime) return HUGE_VAL;
    return 2 * factorize(radices, n - 1).cost + 20;
}

double bluestein_cost(const Radices& radices, Index n) {
    const Index m = smooth_length(radices, 2 * n - 1);
    return (2 * factorize(radices, m).cost + 14) * static_cast<double>(m) / static_cast<double>(n) +
           10;
}

}  // namespace

Index smooth_length(const Radices& radices, Index shortest) {
    Index best = 0;
    double lowest = HUGE_VAL;
    constexpr Index looks = 1024;
    for (Index m = shortest; m <= shortest + shortest / 4 + 8; ++m) {
        if (m % looks == 0) require_planning_time();
        if (rough_part(radices, m) != 1) continue;
        const double cost = factorize(radices, m).cost * static_cast<double>(m);
        if (cost >= lowest) continue;
        lowest = cost;
        best = m;
    }
    return best;
}

double convolution_cost(const Radices& radices, Index n) {
    return std::min(rader_cost(radices, n), bluestein_cost(radices, n));
}

template <class T>
std::unique_ptr<TileDft<T>> make_convolution(const Kernels<T>& kernels, Index n) {
    if (rader_cost(kernels.radices, n) <= bluestein_cost(kernels.radices, n))
        return std::make_unique<Rader<T>>(kernels, n);
    return std::make_unique<Bluestein<T>>(kernels, n);
}

template std::unique_ptr<TileDft<float>> make_convolution(const Kernels<float>&, Index);
template std::unique_ptr<TileDft<double>> make_convolution(const Kernels<double>&, Index);

}  // namespace weft::core::native
