// Real lines that are long, or few: pairs of them would leave most lanes of a tile empty.
//
// n = 2h, z[j] = x[2j] + i x[2j+1], Z its transform (Z[h] = Z[0]), w = exp(2 pi i/n):
//     X[k] = (Z[k] + conj Z[h-k])/2 - i w^-k (Z[k] - conj Z[h-k])/2,  0 <= k <= h
//     Z[k] = X[k] + conj X[h-k] + i w^k (X[k] - conj X[h-k]),         0 <= k < h
// so that one complex line of half the length is left.
#include <algorithm>
#include <complex>

#include "fft/native/lines.hpp"
#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

template <class T>
class LongRealLines : public Lines<T> {
  public:
    LongRealLines(const LinesTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          half_(task.line.extent / 2),
          line_buffer_(half_ * number),
          spectrum_buffer_(half_ * number),
          transform_(
              make_lines<T>({Kind::c2c, task.sign, {half_, 1, 1}, {}, false, false}, kernels)) {
        roots_.reserve(static_cast<std::size_t>(half_ + 1));
        for (Index k = 0; k <= half_; ++k) {
            const Turn w = turn(k, task.line.extent);
            roots_.emplace_back(static_cast<T>(w.cos), static_cast<T>(w.sin));
        }
    }

  protected:
    using Complex = std::complex<T>;
    static constexpr Index number = static_cast<Index>(sizeof(Complex));

    [[nodiscard]] Index tile_lines() const override { return 1; }

    /// Multiplied without a look at infinities.
    static Complex times(const Complex& a, const Complex& b) {
        return {a.real() * b.real() - a.imag() * b.imag(),
                a.real() * b.imag() + a.imag() * b.real()};
    }
    static Complex times_i(const Complex& a) { return {-a.imag(), a.real()}; }
    [[nodiscard]] Complex root(Index k) const { return roots_[static_cast<std::size_t>(k)]; }

    /// The real line that is the complex one, and its transform.
    [[nodiscard]] T* line() const { return reinterpret_cast<T*>(line_buffer_.data()); }
    [[nodiscard]] Complex* spectrum() const {
        return reinterpret_cast<Complex*>(spectrum_buffer_.data());
    }
    void transform(const T* from, T* to) { transform_->execute(from, to); }

    Index half_;

  private:
    Buffer line_buffer_;
    Buffer spectrum_buffer_;
    std::unique_ptr<Lines<T>> transform_;
    std::vector<Complex> roots_;  ///< w^k
};

template <class T>
class LongRealToComplex : public LongRealLines<T> {
  public:
    using LongRealLines<T>::LongRealLines;

  protected:
    void tile(const T* from, T* to, Index /*count*/) override {
        using Complex = std::complex<T>;
        const Index h = this->half_;
        const Complex* z = this->spectrum();
        T* packed = this->line();
        const bool adjacent = this->line_.from == 1;
        for (Index j = 0; !adjacent && j < 2 * h; ++j) packed[j] = from[j * this->line_.from];
        this->transform(adjacent ? from : packed, reinterpret_cast<T*>(this->spectrum()));
        for (Index k = 0; k <= h; ++k) {
            const Complex a = z[k == h ? 0 : k];
            const Complex b = std::conj(z[k == 0 ? 0 : h - k]);
            const Complex odd = this->times_i(this->times(std::conj(this->root(k)), a - b));
            const Complex x = (a + b - odd) * T(0.5);
            to[k * this->line_.to] = x.real();
            to[k * this->line_.to + 1] = x.imag();
        }
    }
};

template <class T>
class LongComplexToReal : public LongRealLines<T> {
  public:
    using LongRealLines<T>::LongRealLines;

  protected:
    void tile(const T* from, T* to, Index /*count*/) override {
        using Complex = std::complex<T>;
        const Index h = this->half_;
        const auto x = [&](Index k) {
            const T* element = from + k * this->line_.from;
            return Complex(element[0], k == 0 || k == h ? 0 : element[1]);
        };
        Complex* z = this->spectrum();
        for (Index k = 0; k < h; ++k) {
            const Complex a = x(k);
            const Complex b = std::conj(x(h - k));
            z[k] = a + b + this->times_i(this->times(this->root(k), a - b));
        }
        T* packed = this->line();
        const bool adjacent = this->line_.to == 1;
        this->transform(reinterpret_cast<const T*>(z), adjacent ? to : packed);
        for (Index j = 0; !adjacent && j < 2 * h; ++j) to[j * this->line_.to] = packed[j];
    }
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_long_real_lines(const LinesTask& task, const Kernels<T>& kernels) {
    const Index n = task.line.extent;
    const bool few = 2 * most_lines(task) <= kernels.lanes && n >= 2 * kernels.lanes;
    if (n % 2 != 0 || (n <= longest_tile && !few)) return nullptr;
    if (task.kind == Kind::r2c) return std::make_unique<LongRealToComplex<T>>(task, kernels);
    return std::make_unique<LongComplexToReal<T>>(task, kernels);
}

template std::unique_ptr<Lines<float>> make_long_real_lines(const LinesTask&,
                                                            const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_long_real_lines(const LinesTask&,
                                                             const Kernels<double>&);

}  // namespace weft::core::native
