// A few elements of many contiguous lines: transposed in registers.
#pragma once

#include "fft/native/kernels/butterfly.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Whether there is something to transpose.
template <class T>
inline constexpr bool transposes = lanes<T> > 1;

#if HWY_TARGET > HWY_AVX3
/// A vector of blocks of 128 bits: block i is at data + i*step. (Loads of halves and insertions
/// from memory are cheaper than permuting whole vectors.)
template <class T>
HWY_INLINE Vector<T> load_blocks(const T* data, Index step) {
#if HWY_TARGET == HWY_AVX2
    const hn::Half<Tag<T>> d;
    return hn::Combine(Tag<T>(), hn::LoadU(d, data + step), hn::LoadU(d, data));
#else
    (void)step;
    return hn::LoadU(Tag<T>(), data);
#endif
}

/// The numbers of two vectors in turns by pairs, within blocks: for single precision, whose blocks
/// hold two complex numbers each.
template <class T>
HWY_INLINE void exchange_pairs(Vector<T> v, Vector<T> w, Vector<T>& lower, Vector<T>& upper) {
#if HWY_TARGET == HWY_SCALAR
    lower = v;
    upper = w;
#else
    const hn::ScalableTag<double> d;
    const hn::ScalableTag<T> t;
    const auto a = hn::BitCast(d, v);
    const auto b = hn::BitCast(d, w);
    lower = hn::BitCast(t, hn::InterleaveLower(d, a, b));
    upper = hn::BitCast(t, hn::InterleaveUpper(d, a, b));
#endif
}
#endif

// Several elements of all lines at once: `group` of them lie side by side in a line, so that the
// loads of a line are as wide as its part of a transposition.
#if HWY_TARGET <= HWY_AVX3
inline constexpr Index group_bytes = 32;
#else
inline constexpr Index group_bytes = 16;
#endif
template <class T>
inline constexpr Index group = group_bytes / static_cast<Index>(2 * sizeof(T));

#if HWY_TARGET <= HWY_AVX3
/// A vector whose halves are at `lower` and at `upper`.
HWY_INLINE __m512d load_halves(const double* lower, const double* upper) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(lower)),
                              _mm256_loadu_pd(upper), 1);
}
/// Complex numbers in single precision, each as one number of a vector whose halves are at `lower`
/// and at `upper`.
HWY_INLINE __m512d load_halves(const float* lower, const float* upper) {
    return _mm512_castps_pd(_mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(lower)),
                                               _mm256_loadu_ps(upper), 1));
}
HWY_INLINE __m512d as_pairs(Vector<float> v) { return _mm512_castps_pd(v.raw); }
HWY_INLINE Vector<float> as_floats(__m512d pairs) { return Vector<float>{_mm512_castpd_ps(pairs)}; }
#endif

/// The vectors a[group] of `lanes/2` lines: a[e] is element e of each line, in their order.
template <class T>
HWY_INLINE void load_group(const T* data, Index lane_step, Vector<T>* a) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        // Two halves of two complex numbers: lines 0, 1 and 2, 3.
        const __m512d v = load_halves(data, data + lane_step);
        const __m512d w = load_halves(data + 2 * lane_step, data + 3 * lane_step);
        a[0] = Vector<T>{_mm512_shuffle_f64x2(v, w, _MM_SHUFFLE(2, 0, 2, 0))};
        a[1] = Vector<T>{_mm512_shuffle_f64x2(v, w, _MM_SHUFFLE(3, 1, 3, 1))};
    } else {
        // Lines 0, 4; 1, 5; 2, 6; 3, 7, four complex numbers of each.
        const __m512d p0 = load_halves(data, data + 4 * lane_step);
        const __m512d p1 = load_halves(data + lane_step, data + 5 * lane_step);
        const __m512d p2 = load_halves(data + 2 * lane_step, data + 6 * lane_step);
        const __m512d p3 = load_halves(data + 3 * lane_step, data + 7 * lane_step);
        const __m512d l01 = _mm512_unpacklo_pd(p0, p1);  // elements 0, 2 of lines 0 1 | 4 5
        const __m512d h01 = _mm512_unpackhi_pd(p0, p1);  // elements 1, 3
        const __m512d l23 = _mm512_unpacklo_pd(p2, p3);
        const __m512d h23 = _mm512_unpackhi_pd(p2, p3);
        // Blocks: element 0 of lines 0 1, element 2 of 0 1, element 0 of 4 5, element 2 of 4 5.
        const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        a[0] = as_floats(_mm512_permutex2var_pd(l01, even, l23));
        a[1] = as_floats(_mm512_permutex2var_pd(h01, even, h23));
        a[2] = as_floats(_mm512_permutex2var_pd(l01, odd, l23));
        a[3] = as_floats(_mm512_permutex2var_pd(h01, odd, h23));
    }
#else
    if constexpr (sizeof(T) == 8) {
        a[0] = load_blocks<T>(data, lane_step);
    } else {
        exchange_pairs<T>(load_blocks<T>(data, 2 * lane_step),
                          load_blocks<T>(data + lane_step, 2 * lane_step), a[0], a[1]);
    }
#endif
}

// Parts of a vector that belong to different lines.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_AVX2
inline constexpr int parts = 2;
#else
inline constexpr int parts = 1;
static_assert(sizeof(Vector<float>) <= 16, "a wider instruction set needs its own transpositions");
#endif

/// The inverse of load_group, but for the stores: part h of a[p] becomes `group` elements of line
/// part_line(p, h).
template <class T>
HWY_INLINE void to_lines(Vector<T>* a) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        const __m512d a0 = a[0].raw;
        a[0] = Vector<T>{_mm512_permutex2var_pd(a0, first, a[1].raw)};
        a[1] = Vector<T>{_mm512_permutex2var_pd(a0, second, a[1].raw)};
    } else {
        const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        // Of elements 0 and 2, then 1 and 3: lines 0 1 | 4 5 and lines 2 3 | 6 7.
        const __m512d l01 = _mm512_permutex2var_pd(as_pairs(a[0]), even, as_pairs(a[2]));
        const __m512d l23 = _mm512_permutex2var_pd(as_pairs(a[0]), odd, as_pairs(a[2]));
        const __m512d h01 = _mm512_permutex2var_pd(as_pairs(a[1]), even, as_pairs(a[3]));
        const __m512d h23 = _mm512_permutex2var_pd(as_pairs(a[1]), odd, as_pairs(a[3]));
        a[0] = as_floats(_mm512_unpacklo_pd(l01, h01));
        a[1] = as_floats(_mm512_unpackhi_pd(l01, h01));
        a[2] = as_floats(_mm512_unpacklo_pd(l23, h23));
        a[3] = as_floats(_mm512_unpackhi_pd(l23, h23));
    }
#else
    if constexpr (sizeof(T) == 4) {
        const Vector<T> a0 = a[0];
        exchange_pairs<T>(a0, a[1], a[0], a[1]);
    }
#endif
}
template <class T>
constexpr Index part_line(Index p, Index h) {
    return sizeof(T) == 8 ? parts * p + h : p + h * (lanes<T> / 4);
}
template <class T, int Part>
HWY_INLINE void store_part(Vector<T> v, T* data) {
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_AVX2
    const hn::Half<Tag<T>> half;
    if constexpr (Part == 0) {
        hn::StoreU(hn::LowerHalf(half, v), half, data);
    } else {
        hn::StoreU(hn::UpperHalf(half, v), half, data);
    }
#else
    hn::StoreU(v, Tag<T>(), data);
#endif
}

/// The inverse of the loads of load_group: what to_lines returns to `lanes/2` lines.
template <class T>
HWY_INLINE void store_group(const Vector<T>* a, T* data, Index lane_step) {
    unroll(indices<group<T>>, [&](auto p) WEFT_INLINE_LAMBDA {
        unroll(indices<parts>, [&](auto h) WEFT_INLINE_LAMBDA {
            store_part<T, h.value>(a[p.value], data + part_line<T>(p.value, h.value) * lane_step);
        });
    });
}

/// Elements e and up of all lines, `Groups` groups, given by give(e). What goes to one line is
/// stored together: where lines are a power of two apart, other lines take its place in the
/// cache before one comes back to it.
template <class T, int Groups, class Give>
HWY_INLINE void store_lines(const Give& give, Index e, T* data, Index lane_step) {
    Vector<T> a[Groups][group<T>];
    Vector<T> b[Groups][group<T>];
    unroll(indices<Groups>, [&](auto g) WEFT_INLINE_LAMBDA {
        unroll(indices<group<T>>, [&](auto i) WEFT_INLINE_LAMBDA {
            merge<T>(give(e + g.value * group<T> + i.value), a[g.value][i.value],
                     b[g.value][i.value]);
        });
        to_lines<T>(a[g.value]);
        to_lines<T>(b[g.value]);
    });
    unroll(indices<group<T>>, [&](auto p) WEFT_INLINE_LAMBDA {
        unroll(indices<parts>, [&](auto h) WEFT_INLINE_LAMBDA {
            T* line = data + 2 * e + part_line<T>(p.value, h.value) * lane_step;
            unroll(indices<Groups>, [&](auto g) WEFT_INLINE_LAMBDA {
                store_part<T, h.value>(a[g.value][p.value], line + 2 * g.value * group<T>);
            });
            line += lanes<T> / 2 * lane_step;
            unroll(indices<Groups>, [&](auto g) WEFT_INLINE_LAMBDA {
                store_part<T, h.value>(b[g.value][p.value], line + 2 * g.value * group<T>);
            });
        });
    });
}

/// Elements 0 to count-1 of whole tiles of contiguous lines, given by give(e): the last group may
/// overlap the one before. If they are less than a group nothing is done; returns how many were.
template <class T, class Give>
HWY_INLINE Index to_whole_lines(const Give& give, Index count, T* data, Index lane_step) {
    constexpr Index cache_line = 64 / static_cast<Index>(2 * sizeof(T));
    Index e = 0;
    for (; e + cache_line <= count; e += cache_line) {
        store_lines<T, cache_line / group<T>>(give, e, data, lane_step);
    }
    for (; e + group<T> <= count; e += group<T>) store_lines<T, 1>(give, e, data, lane_step);
    if (e == count || count < group<T>) return e;
    store_lines<T, 1>(give, count - group<T>, data, lane_step);
    return count;
}

/// Of what is at `ahead` numbers beyond elements e and up of all lines, a cache line of every line
/// in the time that e takes to cross one.
template <class T>
HWY_INLINE void ask_for_lines(const T* data, Index lane_step, Index e, Index ahead) {
    constexpr Index turns = 64 / group_bytes;
    constexpr Index lines = (lanes<T> + turns - 1) / turns;
    const Index turn = e / group<T> % turns;
    for (Index i = turn * lines; i < std::min((turn + 1) * lines, lanes<T>); ++i) {
        __builtin_prefetch(data + 2 * e + i * lane_step + ahead, 0, 2);
    }
}

/// take(e, z): elements 0 to count-1 of whole tiles of contiguous lines, some of them twice if the
/// last group overlaps the one before. If they are less than a group nothing is done; returns how
/// many were.
template <class T, class Take>
HWY_INLINE Index for_lines(const T* data, Index lane_step, Index count, Index ahead,
                           const Take& take) {
    Vector<T> a[group<T>];
    Vector<T> b[group<T>];
    const auto some = [&](Index e) WEFT_INLINE_LAMBDA {
        if (ahead != 0) ask_for_lines<T>(data, lane_step, e, ahead);
        load_group<T>(data + 2 * e, lane_step, a);
        load_group<T>(data + 2 * e + lanes<T> / 2 * lane_step, lane_step, b);
        unroll(indices<group<T>>, [&](auto g) WEFT_INLINE_LAMBDA {
            take(e + g.value, split<T>(a[g.value], b[g.value]));
        });
    };
    Index e = 0;
    for (; e + group<T> <= count; e += group<T>) some(e);
    if (e == count || count < group<T>) return e;
    some(count - group<T>);
    return count;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
