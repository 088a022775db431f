// Complex numbers as arrays keep them, one of each line: a vector of real and imaginary parts in
// turn, with the arithmetic that butterflies are made of.
#pragma once

#include "fft/native/kernels/butterfly.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
struct Interleaved {
    using Number = T;
    Vector<T> v;
    /// 1 and -1 in turn; or -1 and 1, which takes -i for i, so that a transform is the backward
    /// one.
    Vector<T> signs;
};

/// The signs of a transform.
template <class T>
HWY_INLINE Vector<T> signs_of(int sign) {
    const Vector<T> minus_sign = hn::Set(Tag<T>(), static_cast<T>(-sign));
    return hn::OddEven(hn::Neg(minus_sign), minus_sign);
}

template <class T>
HWY_INLINE Vector<T> swapped(const Interleaved<T>& z) {
    return hn::Reverse2(Tag<T>(), z.v);
}

template <class T>
HWY_INLINE Interleaved<T> operator+(const Interleaved<T>& a, const Interleaved<T>& b) {
    return {hn::Add(a.v, b.v), a.signs};
}
template <class T>
HWY_INLINE Interleaved<T> operator-(const Interleaved<T>& a, const Interleaved<T>& b) {
    return {hn::Sub(a.v, b.v), a.signs};
}
template <class T>
HWY_INLINE Interleaved<T> operator-(const Interleaved<T>& z) {
    return {hn::Neg(z.v), z.signs};
}
template <class T>
HWY_INLINE Interleaved<T> times_minus_i(const Interleaved<T>& z) {
    return {hn::Mul(swapped(z), z.signs), z.signs};
}
template <class T>
HWY_INLINE Interleaved<T> times_i(const Interleaved<T>& z) {
    return -times_minus_i(z);
}
template <class T>
HWY_INLINE Interleaved<T> minus_i_times(const Interleaved<T>& a, const Interleaved<T>& b) {
    return {hn::MulAdd(swapped(b), a.signs, a.v), a.signs};
}
template <class T>
HWY_INLINE Interleaved<T> plus_i_times(const Interleaved<T>& a, const Interleaved<T>& b) {
    return {hn::NegMulAdd(swapped(b), a.signs, a.v), a.signs};
}
template <class T>
HWY_INLINE Interleaved<T> scaled(const Interleaved<T>& z, Vector<T> c) {
    return {hn::Mul(z.v, c), z.signs};
}
template <class T>
HWY_INLINE Interleaved<T> plus_scaled(const Interleaved<T>& a, const Interleaved<T>& z,
                                      Vector<T> c) {
    return {hn::MulAdd(z.v, c, a.v), a.signs};
}
template <class T>
HWY_INLINE Interleaved<T> rotate(const Interleaved<T>& z, Vector<T> c, Vector<T> s) {
    return {hn::MulAdd(swapped(z), hn::Mul(z.signs, s), hn::Mul(z.v, c)), z.signs};
}
/// a - z c, for real c
template <class T>
HWY_INLINE Interleaved<T> minus_scaled(const Interleaved<T>& a, const Interleaved<T>& z,
                                       Vector<T> c) {
    return {hn::NegMulAdd(z.v, c, a.v), a.signs};
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
