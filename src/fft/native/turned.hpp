// Transforms of contiguous lines with vectors along them, decimated in time:
// results of adjacent frequencies are the lanes of a tile from the first step
// on, and inputs of butterflies are multiplied by twiddles, of each lane its
// own.
//
// n = 4 Q M, j = c + M (i + Q h) with c < M, i < Q, h < 4, k = k1 + 4 k2 with
// k1 < 4, k2 < Q:
//     S_k[c] = sum_i exp(-2 pi i i k/4Q) sum_h exp(-2 pi i h k1/4) x[j]
// is the first step, `columns_pass`. The inner sums are butterflies on vectors
// as the array has them, of adjacent columns c; a block in the nearest cache
// brings the four results of a column together, 128 bits at a time, and the
// outer sums are butterflies whose lanes are k1. Then
//     X[k + 4Q f] = sum_c exp(-2 pi i c (k + 4Q f)/n) S_k[c]
// by further passes, `turned_pass`, with results of adjacent k in a vector.
//
// Example, n = 64 in double precision with 4 lanes: Q = 4, M = 4. Vectors hold
// columns 0, 1 or 2, 3 of a row; tile k2 < 4 holds S_k[c] for k = 4 k2 to 4 k2
// + 3, c < 4; the last pass has radix 4.
#pragma once

#include "fft/native/interleaved.hpp"
#include "fft/native/transpose.hpp"

#if HWY_TARGET == HWY_AVX2
HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// The results k1 = 0 to 3 of the columns in block `data` of each vector: lanes
/// in their order; in single precision of two columns in turn.
template <class T>
HWY_INLINE Complex<T> gather_columns(const T* data) {
    constexpr Index vector = lanes<T>;
    if constexpr (sizeof(T) == 8) {
        return split<T>(load_blocks<T>(data, vector), load_blocks<T>(data + 2 * vector, vector));
    } else {
        return split<T>(load_blocks<T>(data, 2 * vector),
                        load_blocks<T>(data + vector, 2 * vector));
    }
}

/// Halves of vectors are loaded from memory for less than vectors are cut in
/// registers, which the compiler would do.
template <class T>
HWY_INLINE void keep_in_memory(const T* data) {
    asm volatile("" : : "r"(data) : "memory");
}

/// Real and imaginary parts exchanged, which makes a forward transform a
/// backward one.
template <bool Backward, class T>
HWY_INLINE Complex<T> exchanged(const Complex<T>& z) {
    return Backward ? Complex<T>{z.im, z.re} : z;
}

/// A butterfly of inputs that are multiplied by twiddles before: cos and sin of
/// twiddle j at twiddles + (j - 1)*width, from input 1 on. All inputs are
/// loaded before a result is stored.
template <class T, int R>
struct TurnedDft {
    template <class Load, class Store>
    static HWY_INLINE void run(const T* twiddles, const Load& load_input, const Store& store) {
        Dft<Complex<T>, R>::run(
            [&](int j) WEFT_INLINE_LAMBDA {
                const Complex<T> z = load_input(j);
                if (j == 0) return z;
                const Complex<T> w = load<T>(twiddles + (j - 1) * width<T>);
                return rotate<T>(z, w.re, w.im);
            },
            store);
    }
};

/// z exp(-i angle) / cos(angle)
template <class T>
HWY_INLINE Complex<T> sheared(const Complex<T>& z, Vector<T> tangent) {
    return {hn::MulAdd(tangent, z.im, z.re), hn::NegMulAdd(tangent, z.re, z.im)};
}

/// Twiddles 2 and 3 are cosines and tangents: cosines are then part of
/// additions, 24 operations where there were 28.
template <class T>
struct TurnedDft<T, 4> {
    template <class Load, class Store>
    static HWY_INLINE void run(const T* twiddles, const Load& load_input, const Store& store) {
        const Tag<T> d;
        const auto table = [&](int i)
                               WEFT_INLINE_LAMBDA { return hn::Load(d, twiddles + i * lanes<T>); };
        const Complex<T> x0 = load_input(0);
        const Complex<T> u2 = sheared<T>(load_input(2), table(3));
        const Vector<T> c2 = table(2);
        const Complex<T> a = plus_scaled<T>(x0, u2, c2);
        const Complex<T> b = minus_scaled<T>(x0, u2, c2);
        const Complex<T> x1 = rotate<T>(load_input(1), table(0), table(1));
        const Complex<T> u3 = sheared<T>(load_input(3), table(5));
        const Vector<T> c3 = table(4);
        const Complex<T> p = plus_scaled<T>(x1, u3, c3);
        const Complex<T> q = minus_scaled<T>(x1, u3, c3);
        store(0, a + p);
        store(1, minus_i_times(b, q));
        store(2, a - p);
        store(3, plus_i_times(b, q));
    }
};

/// Two steps of radix 4: j = c + 4 i, over i with twiddles of its own, then for
/// each result k over c.
template <class T>
struct TurnedDft<T, 16> {
    template <class Load, class Store>
    static HWY_INLINE void run(const T* twiddles, const Load& load_input, const Store& store) {
        Complex<T> between[16];
        unroll(indices<4>, [&](int c) WEFT_INLINE_LAMBDA {
            TurnedDft<T, 4>::run(
                twiddles, [&](int i) WEFT_INLINE_LAMBDA { return load_input(c + 4 * i); },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA { between[4 * k + c] = z; });
        });
        unroll(indices<4>, [&](int k) WEFT_INLINE_LAMBDA {
            TurnedDft<T, 4>::run(
                twiddles + 3 * (k + 1) * width<T>,
                [&](int c) WEFT_INLINE_LAMBDA { return between[4 * k + c]; },
                [&](int e, const Complex<T>& z) WEFT_INLINE_LAMBDA { store(k + 4 * e, z); });
        });
    }
};

/// The results of some columns that lie in a block, to the tiles of their
/// frequencies; the second of two columns `next` numbers after the first one.
template <class T, int Q, bool Backward>
HWY_INLINE void finish_columns(const T* block, const T* twiddles, Index tile_step, T* element,
                               Index next) {
    constexpr Index row = 4 * lanes<T>;
    Complex<T> result[Q];
    TurnedDft<T, Q>::run(
        twiddles,
        [&](int i)
            WEFT_INLINE_LAMBDA { return exchanged<Backward>(gather_columns<T>(block + i * row)); },
        [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA { result[k] = exchanged<Backward>(z); });
    if constexpr (sizeof(T) == 8) {
        unroll(indices<Q>,
               [&](int k) WEFT_INLINE_LAMBDA { store<T>(result[k], element + k * tile_step); });
    } else {
        unroll(indices<Q / 2>, [&](int k) WEFT_INLINE_LAMBDA {
            const Complex<T> re = split<T>(result[2 * k].re, result[2 * k + 1].re);
            const Complex<T> im = split<T>(result[2 * k].im, result[2 * k + 1].im);
            store<T>({re.re, im.re}, element + k * tile_step);
            store<T>({re.im, im.im}, element + k * tile_step + next);
        });
    }
    (void)next;
}

/// A butterfly of vectors as arrays have them, to a block.
template <class T, class Load>
HWY_INLINE void begin_columns(const Load& load, Vector<T> signs, T* block) {
    Dft<Interleaved<T>, 4>::run(
        [&](int h) WEFT_INLINE_LAMBDA {
            return Interleaved<T>{load(h), signs};
        },
        [&](int k, const Interleaved<T>& z)
            WEFT_INLINE_LAMBDA { hn::Store(z.v, Tag<T>(), block + k * lanes<T>); });
}

/// 1 and -1 in turn, or for backward transforms -1 and 1: the signs of interleaved numbers.
template <class T, bool Backward>
HWY_INLINE Vector<T> turned_signs() {
    const Vector<T> sign = hn::Set(Tag<T>(), static_cast<T>(Backward ? -1 : 1));
    return hn::OddEven(hn::Neg(sign), sign);
}

/// The first step of `count` lines that are `line_step` numbers apart.
template <class T, int Q, bool Backward>
void columns_pass(const ColumnsPass<T>& pass, const T* from, Index line_step, Index count,
                  T* tile) {
    constexpr Index row = 4 * lanes<T>;
    constexpr Index in_block = 16 / static_cast<Index>(2 * sizeof(T));
    const Vector<T> signs = turned_signs<T, Backward>();
    const Index columns = pass.columns;
    const Index step = 2 * columns;
    const Index line_room = pass.line_room * width<T>;
    alignas(64) T block[Q * row];
    for (Index line = 0; line < count; ++line) {
        for (Index c = 0; c < columns; c += lanes<T> / 2) {
            const Index first = std::min(c, columns - lanes<T> / 2);
            const T* column = from + 2 * first;
            unroll(indices<Q>, [&](int i) WEFT_INLINE_LAMBDA {
                begin_columns<T>(
                    [&](int h) WEFT_INLINE_LAMBDA {
                        return hn::LoadU(Tag<T>(), column + (i + h * Q) * step);
                    },
                    signs, block + i * row);
            });
            keep_in_memory(block);
            unroll(indices<2>, [&](int half) WEFT_INLINE_LAMBDA {
                finish_columns<T, Q, Backward>(
                    block + half * lanes<T> / 2, pass.twiddles, pass.tile_step,
                    tile + (first + half * in_block) * width<T>, width<T>);
            });
        }
        from += line_step;
        tile += line_room;
    }
}

/// One element of each of lanes/2 lines; if `Adjacent`, of neighbours in memory.
template <class T, bool Adjacent>
HWY_INLINE Vector<T> load_lines(const T* data, Index line_step) {
    if constexpr (Adjacent) {
        (void)line_step;
        return hn::LoadU(Tag<T>(), data);
    } else {
        static_assert(sizeof(T) == 8, "lanes of single precision would be of 64 bits");
        return load_blocks<T>(data, line_step);
    }
}

/// The first step of as many lines as so many vectors hold one element of.
template <class T, int Q, bool Backward, bool Adjacent, int Vectors>
HWY_INLINE void lanes_columns(const ColumnsPass<T>& pass, const T* from, Index step,
                              Index line_step, Vector<T> signs, T* tile) {
    constexpr Index row = 4 * lanes<T>;
    constexpr Index in_block = 16 / static_cast<Index>(2 * sizeof(T));
    constexpr Index in_vector = lanes<T> / 2;
    const Index row_step = pass.columns * step;
    const Index line_room = pass.line_room * width<T>;
    alignas(64) T block[Vectors * Q * row];
    for (Index c = 0; c < pass.columns; ++c) {
        unroll(indices<Q>, [&](int i) WEFT_INLINE_LAMBDA {
            unroll(indices<Vectors>, [&](int v) WEFT_INLINE_LAMBDA {
                const T* data = from + i * row_step + v * in_vector * line_step;
                begin_columns<T>(
                    [&](int h) WEFT_INLINE_LAMBDA {
                        return load_lines<T, Adjacent>(data + h * Q * row_step, line_step);
                    },
                    signs, block + (v * Q + i) * row);
            });
        });
        keep_in_memory(block);
        for (Index v = 0; v < Vectors; ++v) {
            unroll(indices<2>, [&](int half) WEFT_INLINE_LAMBDA {
                finish_columns<T, Q, Backward>(
                    block + v * Q * row + half * in_vector, pass.twiddles, pass.tile_step,
                    tile + (v * in_vector + half * in_block) * line_room, line_room);
            });
        }
        from += step;
        tile += width<T>;
    }
}

/// The first step of `count` lines, a multiple of lanes/2, whose elements are `step` numbers apart.
/// Four vectors are worked on together: of adjacent lanes two cache lines, since elements often
/// meet in one set of the nearest cache; and a block is not read just after it was written.
template <class T, int Q, bool Backward, bool Adjacent>
void lanes_columns_pass(const ColumnsPass<T>& pass, const T* from, Index step, Index line_step,
                        Index count, T* tile) {
    constexpr Index in_vector = lanes<T> / 2;
    constexpr int together = 4;
    const Vector<T> signs = turned_signs<T, Backward>();
    const Index line_room = pass.line_room * width<T>;
    Index line = 0;
    for (; line + together * in_vector <= count; line += together * in_vector) {
        lanes_columns<T, Q, Backward, Adjacent, together>(
            pass, from + line * line_step, step, line_step, signs, tile + line * line_room);
    }
    for (; line < count; line += in_vector) {
        lanes_columns<T, Q, Backward, Adjacent, 1>(pass, from + line * line_step, step, line_step,
                                                   signs, tile + line * line_room);
    }
}

/// A pass of `count` lines in place.
template <class T, int R>
void turned_pass(const TurnedPass<T>& pass, Index count, T* tile) {
    const Index stride = pass.count * width<T>;
    const Index result_stride = pass.backward ? -stride : stride;
    const Index others = pass.backward ? R * stride : 0;
    for (Index line = 0; line < count; ++line) {
        const T* twiddles = pass.twiddles;
        for (const Index base : pass.base) {
            T* element = tile + base * width<T>;
            for (Index c = 0; c < pass.count; ++c) {
                T* results = element + others;
                TurnedDft<T, R>::run(
                    twiddles,
                    [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * stride); },
                    [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                        store<T>(z, k == 0 ? element : results + k * result_stride);
                    });
                element += width<T>;
            }
            twiddles += (R - 1) * width<T>;
        }
        tile += pass.line_room * width<T>;
    }
}

/// The last pass of `count` lines, to arrays that are `line_step` numbers
/// apart.
template <class T, int R>
void turned_last_pass(const TurnedPass<T>& pass, Index count, const T* tile, T* to,
                      Index line_step) {
    const auto blocks = static_cast<Index>(pass.base.size());
    const Index stride = blocks * width<T>;
    const Index result_stride = pass.backward ? -stride : stride;
    const Index others = pass.backward ? R * stride : 0;
    for (Index line = 0; line < count; ++line) {
        const T* twiddles = pass.twiddles;
        T* target = to;
        for (const Index base : pass.base) {
            const T* element = tile + base * width<T>;
            T* results = target + others;
            TurnedDft<T, R>::run(
                twiddles, [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * width<T>); },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    store_interleaved<T>(z, k == 0 ? target : results + k * result_stride);
                });
            twiddles += (R - 1) * width<T>;
            target += width<T>;
        }
        tile += pass.line_room * width<T>;
        to += line_step;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
