// Contiguous lines of a few lengths that are known when this is compiled, so that loops and steps
// are constants. Vectors hold adjacent numbers of a line as arrays keep them, `together` of them.
//
// n = P Q R, j = c + Q R i (i < P, c < Q R), k = k1 + P f (k1 < P, f < Q R):
//     S_k1[c] = sum_i exp(-2 pi i i k1/P) x[j]
// is the first step: butterflies of adjacent columns c, whose results are transposed in registers,
// `together` of k1 and c at a time. From there on a vector holds adjacent frequencies k1. Then
//     X[k] = sum_c exp(-2 pi i c k/n) S_k1[c]
// by one step of radix Q (where R is 1) or by two, decimated in time: inputs are multiplied by
// twiddles, each lane's its own, and the last step stores vectors where they belong.
//
// Between steps a line lies in a block of n numbers: those of frequencies k1 to k1 + together - 1,
// and c, are vector k1/together * Q R + c.
//
// Example, n = 32 in double precision, P = 4, Q = 8, R = 1: two vectors of columns 0 and 1 at a
// time, 2 and 3, 4 and 5, 6 and 7; then, of radix 8, frequencies 0 and 1 modulo 4, and 2 and 3.
#pragma once

#include "fft/native/kernels/interleaved.hpp"
#include "fft/native/kernels/transpose.hpp"

#if HWY_TARGET == HWY_AVX2
HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Complex numbers in a vector.
template <class T>
inline constexpr int together = static_cast<int>(lanes<T> / 2);

/// `together` vectors of results k of adjacent columns become vectors of columns, which hold
/// adjacent results.
template <class T>
HWY_INLINE void transpose_columns(Vector<T>* y) {
    const Tag<T> d;
    if constexpr (sizeof(T) == 8) {
        const Vector<T> y0 = y[0];
        y[0] = hn::ConcatLowerLower(d, y[1], y0);
        y[1] = hn::ConcatUpperUpper(d, y[1], y0);
    } else {
        Vector<T> even01;
        Vector<T> odd01;
        Vector<T> even23;
        Vector<T> odd23;
        exchange_pairs<T>(y[0], y[1], even01, odd01);
        exchange_pairs<T>(y[2], y[3], even23, odd23);
        y[0] = hn::ConcatLowerLower(d, even23, even01);
        y[1] = hn::ConcatLowerLower(d, odd23, odd01);
        y[2] = hn::ConcatUpperUpper(d, even23, even01);
        y[3] = hn::ConcatUpperUpper(d, odd23, odd01);
    }
}

/// The first step: butterflies of `Columns` columns.
template <class T, int P, int Columns>
HWY_INLINE void begin_fixed(const T* from, Vector<T> signs, T* block) {
    const Tag<T> d;
    for (int c = 0; c < Columns; c += together<T>) {
        // The last vector may overlap the one before.
        const int first = std::min(c, Columns - together<T>);
        Vector<T> y[P];
        Dft<Interleaved<T>, P>::run(
            [&](int i) WEFT_INLINE_LAMBDA {
                return Interleaved<T>{hn::LoadU(d, from + 2 * (first + Columns * i)), signs};
            },
            [&](int k, const Interleaved<T>& z) WEFT_INLINE_LAMBDA { y[k] = z.v; });
        unroll(indices<P / together<T>>, [&](int group) WEFT_INLINE_LAMBDA {
            Vector<T>* results = y + group * together<T>;
            transpose_columns<T>(results);
            unroll(indices<together<T>>, [&](int i) WEFT_INLINE_LAMBDA {
                hn::Store(results[i], d, block + (group * Columns + first + i) * lanes<T>);
            });
        });
    }
}

/// A butterfly of inputs `step` numbers apart that are multiplied by twiddles before, from input 1
/// on; to places `to_step` numbers apart.
template <class T, int R>
HWY_INLINE void turn_fixed(const T* twiddles, Vector<T> signs, const T* from, int step, T* to,
                           int to_step) {
    const Tag<T> d;
    Dft<Interleaved<T>, R>::run(
        [&](int j) WEFT_INLINE_LAMBDA {
            const Interleaved<T> z = {hn::Load(d, from + j * step), signs};
            if (j == 0) return z;
            const T* w = twiddles + (j - 1) * width<T>;
            return Interleaved<T>{
                hn::MulAdd(swapped(z), hn::Load(d, w + lanes<T>), hn::Mul(z.v, hn::Load(d, w))),
                signs};
        },
        [&](int k, const Interleaved<T>& z)
            WEFT_INLINE_LAMBDA { hn::StoreU(z.v, d, to + k * to_step); });
}

/// `count` lines of P Q R elements. `twiddles`: of each step but the first, of each vector of
/// frequencies k of all that the steps before leave, of each input j > 0 of a butterfly, for which
/// w = exp(-2 pi i j k/(frequencies * radix)): a vector of cos, cos and one of sin, -sin of each k
/// (of -sin, sin if the sign is 1).
template <class T, int P, int Q, int R>
void fixed_lines(const T* twiddles, const T* from, Index from_step, int sign, Index count, T* to,
                 Index to_step) {
    constexpr int vector = static_cast<int>(lanes<T>);
    constexpr int columns = Q * R;
    constexpr int groups = P / together<T>;
    const Vector<T> signs = signs_of<T>(sign);
    alignas(64) T block[2 * P * columns];
    for (Index line = 0; line < count; ++line) {
        begin_fixed<T, P, columns>(from, signs, block);
        const T* w = twiddles;
        if constexpr (R > 1) {
            for (int group = 0; group < groups; ++group) {
                for (int c = 0; c < R; ++c) {
                    T* elements = block + (group * columns + c) * vector;
                    turn_fixed<T, Q>(w, signs, elements, R * vector, elements, R * vector);
                }
                w += (Q - 1) * width<T>;
            }
        }
        constexpr int last = R > 1 ? R : Q;
        constexpr int blocks = R > 1 ? Q : 1;
        for (int q = 0; q < blocks; ++q) {
            for (int group = 0; group < groups; ++group) {
                turn_fixed<T, last>(w, signs, block + (group * columns + q * last) * vector, vector,
                                    to + 2 * P * q + group * vector, 2 * P * blocks);
                w += (last - 1) * width<T>;
            }
        }
        from += from_step;
        to += to_step;
    }
}

template <class T, int P, int Q, int R>
void add_fixed_lines(Kernels<T>& k) {
    if constexpr (P % together<T> == 0 && Q * R >= together<T>) {
        k.fixed_lines.push_back({{P, Q, R}, &fixed_lines<T, P, Q, R>});
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
