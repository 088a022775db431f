// Two passes over lines of which lanes/2 share a vector of interleaved numbers, so that a butterfly
// needs half the registers that split ones need.
//
// n = P Q, j = c + Q i (i < P, c < Q), k = e + P f (e < P, f < Q):
//     X[e + P f] = sum_c exp(-2 pi i c f/Q) exp(-2 pi i c e/n) sum_i exp(-2 pi i i e/P) x[c + Q i]
// The inner sums are the first pass, with the twiddles, the outer ones the last pass. Each reads
// and writes adjacent lanes as they lie; of contiguous lines it loads or stores 128 bits at a time.
//
// Example, n = 60 with 4 lanes in double precision: P = 6, Q = 10, vectors of two lines. The first
// pass loads elements c, c + 10, ..., c + 50 of two lines, for each c < 10; the last pass computes
// for each e < 6 the frequencies e, e + 6, ..., e + 54.
#pragma once

#include "fft/native/kernels/interleaved.hpp"
#include "fft/native/kernels/transpose.hpp"

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// One element of each of lanes/2 lines: neighbours in memory if `Adjacent`, or lines that are
/// `line_step` numbers apart.
template <class T, bool Adjacent>
HWY_INLINE Vector<T> load_of_lines(const T* data, Index line_step) {
    if constexpr (Adjacent) {
        (void)line_step;
        return hn::LoadU(Tag<T>(), data);
    } else {
        static_assert(sizeof(T) == 8, "lanes of single precision would be of 64 bits");
#if HWY_TARGET <= HWY_AVX3
        __m512d v = _mm512_castpd128_pd512(_mm_loadu_pd(data));
        v = _mm512_mask_broadcast_f64x2(v, 0x0c, _mm_loadu_pd(data + line_step));
        v = _mm512_mask_broadcast_f64x2(v, 0x30, _mm_loadu_pd(data + 2 * line_step));
        return Vector<T>{_mm512_mask_broadcast_f64x2(v, 0xc0, _mm_loadu_pd(data + 3 * line_step))};
#else
        return load_blocks<T>(data, line_step);
#endif
    }
}
/// The inverse.
template <class T, bool Adjacent>
HWY_INLINE void store_of_lines(Vector<T> v, T* data, Index line_step) {
    if constexpr (Adjacent) {
        (void)line_step;
        hn::StoreU(v, Tag<T>(), data);
    } else {
        static_assert(sizeof(T) == 8, "lanes of single precision would be of 64 bits");
#if HWY_TARGET <= HWY_AVX3
        _mm_storeu_pd(data, _mm512_castpd512_pd128(v.raw));
        _mm_storeu_pd(data + line_step, _mm512_extractf64x2_pd(v.raw, 1));
        _mm_storeu_pd(data + 2 * line_step, _mm512_extractf64x2_pd(v.raw, 2));
        _mm_storeu_pd(data + 3 * line_step, _mm512_extractf64x2_pd(v.raw, 3));
#else
        _mm_storeu_pd(data, _mm256_castpd256_pd128(v.raw));
        _mm_storeu_pd(data + line_step, _mm256_extractf128_pd(v.raw, 1));
#endif
    }
}

/// z times cos + i sin at `twiddle`.
template <class T>
HWY_INLINE Vector<T> turn_interleaved(const Interleaved<T>& z, const T* twiddle) {
    const Tag<T> d;
    const Vector<T> cos = hn::Set(d, twiddle[0]);
    const Vector<T> across = hn::Mul(swapped(z), hn::Set(d, twiddle[1]));
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        return Vector<T>{_mm512_fmaddsub_pd(z.v.raw, cos.raw, across.raw)};
    } else {
        return Vector<T>{_mm512_fmaddsub_ps(z.v.raw, cos.raw, across.raw)};
    }
#else
    if constexpr (sizeof(T) == 8) {
        return Vector<T>{_mm256_fmaddsub_pd(z.v.raw, cos.raw, across.raw)};
    } else {
        return Vector<T>{_mm256_fmaddsub_ps(z.v.raw, cos.raw, across.raw)};
    }
#endif
}

template <class T, int P, bool Adjacent>
void interleaved_first_pass(const InterleavedPasses<T>& pass, const T* from, Index step,
                            Index line_step, Index vectors, T* tile) {
    const Vector<T> signs = signs_of<T>(pass.sign);
    const Index row_step = pass.columns * step;
    const Index vector_step = lanes<T> / 2 * line_step;
    const Index stride = pass.stride * lanes<T> * vectors;
    const T* twiddles = pass.twiddles.data();
    for (Index c = 0; c < pass.columns; ++c) {
        const T* data = from;
        for (Index v = 0; v < vectors; ++v) {
            Dft<Interleaved<T>, P>::run(
                [&](int i) WEFT_INLINE_LAMBDA {
                    return Interleaved<T>{
                        load_of_lines<T, Adjacent>(data + i * row_step, line_step), signs};
                },
                [&](int e, const Interleaved<T>& z) WEFT_INLINE_LAMBDA {
                    hn::Store(e == 0 ? z.v : turn_interleaved<T>(z, twiddles + 2 * e - 2), Tag<T>(),
                              tile + e * stride);
                });
            data += vector_step;
            tile += lanes<T>;
        }
        from += step;
        twiddles += 2 * (P - 1);
    }
}

template <class T, int Q, bool Adjacent>
void interleaved_last_pass(const InterleavedPasses<T>& pass, const T* tile, Index vectors, T* to,
                           Index step, Index line_step) {
    const Vector<T> signs = signs_of<T>(pass.sign);
    const Index result_step = pass.rows * step;
    const Index vector_step = lanes<T> / 2 * line_step;
    const Index width = lanes<T> * vectors;
    for (Index e = 0; e < pass.rows; ++e) {
        T* data = to;
        for (Index v = 0; v < vectors; ++v) {
            const T* element = tile + v * lanes<T>;
            Dft<Interleaved<T>, Q>::run(
                [&](int c) WEFT_INLINE_LAMBDA {
                    return Interleaved<T>{hn::Load(Tag<T>(), element + c * width), signs};
                },
                [&](int f, const Interleaved<T>& z) WEFT_INLINE_LAMBDA {
                    store_of_lines<T, Adjacent>(z.v, data + f * result_step, line_step);
                });
            data += vector_step;
        }
        tile += pass.stride * width;
        to += step;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
