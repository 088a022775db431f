// Work on the elements of tiles beside the passes: convolutions.
#pragma once

#include "fft/native/kernels/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

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
