// Work on the elements of tiles beside the passes: real spectra and convolutions. Included once for
// each instruction set.
#include "fft/native/simd.hpp"

#if defined(WEFT_FFT_NATIVE_ELEMENTS_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_FFT_NATIVE_ELEMENTS_HPP
#undef WEFT_FFT_NATIVE_ELEMENTS_HPP
#else
#define WEFT_FFT_NATIVE_ELEMENTS_HPP
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void split_spectra(const T* z, Index n, T* a, T* b) {
    const Tag<T> d;
    const Vector<T> half_one = hn::Set(d, T(0.5));
    for (Index k = 0; k <= n / 2; ++k) {
        const Complex<T> x = load<T>(z + k * width<T>);
        const Complex<T> y = load<T>(z + (k == 0 ? 0 : n - k) * width<T>);
        store<T>({hn::Mul(hn::Add(x.re, y.re), half_one), hn::Mul(hn::Sub(x.im, y.im), half_one)},
                 a + k * width<T>);
        store<T>({hn::Mul(hn::Add(x.im, y.im), half_one), hn::Mul(hn::Sub(y.re, x.re), half_one)},
                 b + k * width<T>);
    }
}

template <class T>
void join_spectra(const T* a, const T* b, Index n, const Index* position, T* z) {
    const Tag<T> d;
    const Vector<T> zero = hn::Zero(d);
    for (Index k = 0; k <= n / 2; ++k) {
        Complex<T> x = load<T>(a + k * width<T>);
        Complex<T> y = load<T>(b + k * width<T>);
        const bool real = k == 0 || 2 * k == n;
        if (real) x.im = y.im = zero;
        store<T>({hn::Sub(x.re, y.im), hn::Add(x.im, y.re)}, z + position[k] * width<T>);
        if (real) continue;
        store<T>({hn::Add(x.re, y.im), hn::Sub(y.re, x.im)}, z + position[n - k] * width<T>);
    }
}

template <class T>
void multiply(const T* from, const Index* source, const T* factors, Index count, bool swap, T* to,
              const Index* target) {
    const Tag<T> d;
    for (Index j = 0; j < count; ++j) {
        const Complex<T> z = load<T>(from + (source == nullptr ? j : source[j]) * width<T>);
        // rotate multiplies by c - is.
        const Complex<T> w =
            rotate<T>(z, hn::Set(d, factors[2 * j]), hn::Set(d, -factors[2 * j + 1]));
        T* element = to + (target == nullptr ? j : target[j]) * width<T>;
        store<T>(swap ? Complex<T>{w.im, w.re} : w, element);
    }
}

template <class T>
void permute(const T* from, const Index* source, Index count, T* to, const Index* target) {
    for (Index j = 0; j < count; ++j) {
        store<T>(load<T>(from + source[j] * width<T>), to + target[j] * width<T>);
    }
}

template <class T>
void scatter_swapped(const T* from, const T* addend, Index count, T* to, const Index* target,
                     Index step) {
    const Complex<T> x0 = load<T>(addend);
    for (Index j = 0; j < count; ++j) {
        const Complex<T> z = load<T>(from + j * width<T>);
        store<T>(x0 + Complex<T>{z.im, z.re}, to + target[j] * step * width<T>);
    }
}

template <class T>
void sum(const T* from, Index count, T* to) {
    Complex<T> total = load<T>(from);
    for (Index j = 1; j < count; ++j) total = total + load<T>(from + j * width<T>);
    store<T>(total, to);
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include once for each instruction set
