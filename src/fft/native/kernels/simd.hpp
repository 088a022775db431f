// Vectors of one instruction set, and how interleaved complex numbers become split ones.
//
// Multiplications and additions are fused where this code says so, and nowhere else
// (-ffp-contract=off): kernels that share a butterfly then give the same bits, wherever the
// compiler puts it.
//
// A file of kernels is compiled once for each instruction set and precision. WEFT_TARGET names the
// instruction set, as in -DWEFT_TARGET=HWY_AVX2. Highway then switches it on for the code between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE only: inline functions of other headers, of which
// the linker keeps one copy for all files, are compiled for every machine.
#pragma once

#include <hwy/detect_targets.h>
#undef HWY_TARGET
#define HWY_TARGET WEFT_TARGET
#include <hwy/highway.h>

#include <algorithm>

#include "fft/native/kernels.hpp"

// A lambda that must be part of the loop that calls it.
#ifndef WEFT_INLINE_LAMBDA
#define WEFT_INLINE_LAMBDA __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
template <class T>
inline constexpr Index lanes = static_cast<Index>(hn::MaxLanes(Tag<T>()));
/// Numbers in one tile element.
template <class T>
inline constexpr Index width = 2 * lanes<T>;

/// One complex number of each lane.
template <class T>
struct Complex {
    using Number = T;
    Vector<T> re;
    Vector<T> im;
};

template <class T>
HWY_INLINE Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
    return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
    return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class T>
HWY_INLINE Complex<T> operator-(const Complex<T>& z) {
    return {hn::Neg(z.re), hn::Neg(z.im)};
}
template <class T>
HWY_INLINE Complex<T> times_i(const Complex<T>& z) {
    return {hn::Neg(z.im), z.re};
}
template <class T>
HWY_INLINE Complex<T> times_minus_i(const Complex<T>& z) {
    return {z.im, hn::Neg(z.re)};
}
/// a + i b
template <class T>
HWY_INLINE Complex<T> plus_i_times(const Complex<T>& a, const Complex<T>& b) {
    return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
/// a - i b
template <class T>
HWY_INLINE Complex<T> minus_i_times(const Complex<T>& a, const Complex<T>& b) {
    return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
/// z c, for real c
template <class T>
HWY_INLINE Complex<T> scaled(const Complex<T>& z, Vector<T> c) {
    return {hn::Mul(z.re, c), hn::Mul(z.im, c)};
}
/// a + z c, for real c
template <class T>
HWY_INLINE Complex<T> plus_scaled(const Complex<T>& a, const Complex<T>& z, Vector<T> c) {
    return {hn::MulAdd(z.re, c, a.re), hn::MulAdd(z.im, c, a.im)};
}
/// a - z c, for real c
template <class T>
HWY_INLINE Complex<T> minus_scaled(const Complex<T>& a, const Complex<T>& z, Vector<T> c) {
    return {hn::NegMulAdd(z.re, c, a.re), hn::NegMulAdd(z.im, c, a.im)};
}
/// a + i z c, for real c
template <class T>
HWY_INLINE Complex<T> plus_i_scaled(const Complex<T>& a, const Complex<T>& z, Vector<T> c) {
    return {hn::NegMulAdd(z.im, c, a.re), hn::MulAdd(z.re, c, a.im)};
}
/// a - i z c, for real c
template <class T>
HWY_INLINE Complex<T> minus_i_scaled(const Complex<T>& a, const Complex<T>& z, Vector<T> c) {
    return {hn::MulAdd(z.im, c, a.re), hn::NegMulAdd(z.re, c, a.im)};
}
/// a * exp(-i angle), for the vectors c = cos(angle), s = sin(angle).
template <class T>
HWY_INLINE Complex<T> rotate(const Complex<T>& a, Vector<T> c, Vector<T> s) {
    return {hn::MulAdd(a.im, s, hn::Mul(a.re, c)), hn::NegMulAdd(a.re, s, hn::Mul(a.im, c))};
}

/// Even and odd numbers of two vectors in the order of lanes: within 128-bit blocks, since crossing
/// them costs more.
template <class T>
HWY_INLINE Complex<T> split(Vector<T> a, Vector<T> b) {
#if HWY_TARGET == HWY_SCALAR
    return {a, b};
#else
    const Tag<T> d;
    if constexpr (sizeof(T) == 8) {
        return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)};
    } else {
#if HWY_TARGET <= HWY_AVX3
        return {Vector<T>{_mm512_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))},
                Vector<T>{_mm512_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))}};
#elif HWY_TARGET == HWY_AVX2
        return {Vector<T>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))},
                Vector<T>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))}};
#else
        return {hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)};
#endif
    }
#endif
}
/// The inverse of split.
template <class T>
HWY_INLINE void merge(const Complex<T>& z, Vector<T>& a, Vector<T>& b) {
#if HWY_TARGET == HWY_SCALAR
    a = z.re;
    b = z.im;
#else
    const Tag<T> d;
    a = hn::InterleaveLower(d, z.re, z.im);
    b = hn::InterleaveUpper(d, z.re, z.im);
#endif
}

/// A tile element.
template <class T>
HWY_INLINE Complex<T> load(const T* tile) {
    const Tag<T> d;
    return {hn::Load(d, tile), hn::Load(d, tile + lanes<T>)};
}
template <class T>
HWY_INLINE void store(const Complex<T>& z, T* tile) {
    const Tag<T> d;
    hn::Store(z.re, d, tile);
    hn::Store(z.im, d, tile + lanes<T>);
}
/// One element of adjacent lanes in a caller's array.
template <class T>
HWY_INLINE Complex<T> load_interleaved(const T* array) {
    const Tag<T> d;
    return split<T>(hn::LoadU(d, array), hn::LoadU(d, array + lanes<T>));
}
template <class T>
HWY_INLINE void store_interleaved(const Complex<T>& z, T* array, Index half_step = lanes<T>) {
    const Tag<T> d;
    Vector<T> a;
    Vector<T> b;
    merge<T>(z, a, b);
    hn::StoreU(a, d, array);
    hn::StoreU(b, d, array + half_step);
}

/// The same past the caches, to an array that is aligned to vectors.
template <class T>
HWY_INLINE void stream_interleaved(const Complex<T>& z, T* array) {
    const Tag<T> d;
    Vector<T> a;
    Vector<T> b;
    merge<T>(z, a, b);
    hn::Stream(a, d, array);
    hn::Stream(b, d, array + lanes<T>);
}

/// The line that a lane holds.
template <class T>
constexpr Index lane_line(Index lane) {
    constexpr Index per_block = std::min(16 / static_cast<Index>(sizeof(T)), 2 * lanes<T>);
    constexpr Index pairs = per_block / 2;
    const Index block = lane / per_block;
    const Index within = lane % per_block;
    return within / pairs * (lanes<T> / 2) + block * pairs + within % pairs;
}

// Asking for memory that is needed soon, into the second cache: with every load and store of a pass
// some, since a core waits when many requests come at once.

/// The first cache lines (Part 0) of what one element of adjacent lanes takes, or the others (1).
template <class T, int Part>
HWY_INLINE void ask_for_part(const T* array) {
    constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
    constexpr Index first = (width<T> / cache_line + 1) / 2 * cache_line;
    constexpr Index end = Part == 0 ? std::max(first, Index{1}) : width<T>;
    for (Index i = Part == 0 ? 0 : std::max(first, cache_line); i < end; i += cache_line) {
        __builtin_prefetch(array + i, 0, 2);
    }
}

/// What one element of adjacent lanes takes, into the nearest cache.
template <class T>
HWY_INLINE void ask_near(const T* array) {
    constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
    for (Index i = 0; i < width<T>; i += cache_line) __builtin_prefetch(array + i, 0, 3);
}

/// What will be overwritten, wherever cache lines begin.
template <class T>
HWY_INLINE void ask_to_write(const T* array) {
    constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
    for (Index i = 0; i < width<T>; i += cache_line) __builtin_prefetch(array + i, 1, 2);
    __builtin_prefetch(array + width<T> - 1, 1, 2);
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
