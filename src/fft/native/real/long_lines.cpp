// Real lines of even length that are long, or so few that most lanes of a tile would be empty.
//
// n = 2h, z[j] = x[2j] + i x[2j+1], Z its transform (Z[h] = Z[0]), w = exp(2 pi i/n):
//     X[k] = (Z[k] + conj Z[h-k])/2 - i w^-k (Z[k] - conj Z[h-k])/2,  0 <= k <= h
//     Z[k] = X[k] + conj X[h-k] + i w^k (X[k] - conj X[h-k]),         0 <= k < h
// so that one complex line of half the length is left.
#include <algorithm>
#include <complex>

#include "fft/native/lines/lines.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

template <class T>
class LongRealLines : public LineTile<T> {
  public:
    LongRealLines(const FftTask& task, const Kernels<T>& kernels)
        : kind_(task.line.kind),
          half_(task.line.length / 2),
          packed_(half_ * number),
          spectrum_(half_ * number),
          transform_(make_lines<T>({.line = {.kind = Kind::c2c,
                                             .sign = task.line.sign,
                                             .precision = task.line.precision,
                                             .length = half_,
                                             .reproducible = task.line.reproducible}},
                                   kernels)) {
        this->most_ = 1;
        roots_.reserve(static_cast<std::size_t>(half_ + 1));
        for (Index k = 0; k <= half_; ++k) {
            const Turn w = turn(k, task.line.length);
            roots_.emplace_back(static_cast<T>(w.cos), static_cast<T>(w.sin));
        }
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        T* spectrum = reinterpret_cast<T*>(spectrum_.data());
        T* packed = reinterpret_cast<T*>(packed_.data());
        if (kind_ == Kind::r2c) {
            const Index step = from.step;
            for (Index j = 0; step != 1 && j < 2 * half_; ++j) packed[j] = from.data[j * step];
            transform_->execute(step == 1 ? from.data : packed, spectrum);
            split(to);
        } else {
            const Index step = to.step;
            join(from);
            transform_->execute(spectrum, step == 1 ? to.data : packed);
            for (Index j = 0; step != 1 && j < 2 * half_; ++j) to.data[j * step] = packed[j];
        }
    }

  private:
    using Complex = std::complex<T>;
    static constexpr Index number = static_cast<Index>(sizeof(Complex));

    /// i a b, multiplied without a look at infinities.
    static Complex times_i(const Complex& a, const Complex& b) {
        return {-(a.real() * b.imag() + a.imag() * b.real()),
                a.real() * b.real() - a.imag() * b.imag()};
    }
    [[nodiscard]] Complex root(Index k) const { return roots_[static_cast<std::size_t>(k)]; }

    /// X from Z.
    void split(const Lanes<T>& to) const {
        const auto* z = reinterpret_cast<const Complex*>(spectrum_.data());
        for (Index k = 0; k <= half_; ++k) {
            const Complex a = z[k == half_ ? 0 : k];
            const Complex b = std::conj(z[k == 0 ? 0 : half_ - k]);
            const Complex x = (a + b - times_i(std::conj(root(k)), a - b)) * T(0.5);
            T* element = to.data + k * to.step;
            element[0] = x.real();
            element[1] = x.imag();
        }
    }
    /// Z from X, whose first and last elements are real.
    void join(const Lanes<const T>& from) {
        const auto x = [&](Index k) {
            const T* element = from.data + k * from.step;
            return Complex(element[0], k == 0 || k == half_ ? 0 : element[1]);
        };
        auto* z = reinterpret_cast<Complex*>(spectrum_.data());
        for (Index k = 0; k < half_; ++k) {
            const Complex a = x(k);
            const Complex b = std::conj(x(half_ - k));
            z[k] = a + b + times_i(root(k), a - b);
        }
    }

    Kind kind_;
    Index half_;
    Buffer packed_;    ///< a real line that is not contiguous in the caller's array
    Buffer spectrum_;  ///< Z
    std::unique_ptr<Lines<T>> transform_;
    std::vector<Complex> roots_;  ///< w^k
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_long_real_lines(const FftTask& task, const Kernels<T>& kernels) {
    const Index n = task.line.length;
    const bool few = are_few(task, kernels.lanes) && n >= 2 * kernels.lanes;
    if (n % 2 != 0 || (n <= longest_tile && !few)) return nullptr;
    return make_batch<T>(task, kernels, std::make_unique<LongRealLines<T>>(task, kernels));
}

template std::unique_ptr<Lines<float>> make_long_real_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_long_real_lines(const FftTask&,
                                                             const Kernels<double>&);

}  // namespace weft::core::native
