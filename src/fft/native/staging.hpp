// Between callers' arrays and tiles, and within tiles. Included once for each instruction set.
#include "fft/native/butterfly.hpp"

#if defined(WEFT_FFT_NATIVE_STAGING_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_FFT_NATIVE_STAGING_HPP
#undef WEFT_FFT_NATIVE_STAGING_HPP
#else
#define WEFT_FFT_NATIVE_STAGING_HPP
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Whether there is something to transpose.
template <class T>
inline constexpr bool transposes = lanes<T> > 1;

/// A vector of blocks: block i is at data + i*step. (Loads of halves and insertions from memory are
/// cheaper than permuting whole vectors.)
template <class T>
HWY_INLINE Vector<T> load_blocks(const T* data, Index step) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        __m512d v = _mm512_castpd128_pd512(_mm_loadu_pd(data));
        v = _mm512_insertf64x2(v, _mm_loadu_pd(data + step), 1);
        v = _mm512_insertf64x2(v, _mm_loadu_pd(data + 2 * step), 2);
        return Vector<T>{_mm512_insertf64x2(v, _mm_loadu_pd(data + 3 * step), 3)};
    } else {
        __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(data));
        v = _mm512_insertf32x4(v, _mm_loadu_ps(data + step), 1);
        v = _mm512_insertf32x4(v, _mm_loadu_ps(data + 2 * step), 2);
        return Vector<T>{_mm512_insertf32x4(v, _mm_loadu_ps(data + 3 * step), 3)};
    }
#elif HWY_TARGET == HWY_AVX2
    const hn::Half<Tag<T>> d;
    return hn::Combine(Tag<T>(), hn::LoadU(d, data + step), hn::LoadU(d, data));
#else
    (void)step;
    return hn::LoadU(Tag<T>(), data);
#endif
}

template <class T>
HWY_INLINE void store_blocks(Vector<T> v, T* data, Index step) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        _mm_storeu_pd(data, _mm512_castpd512_pd128(v.raw));
        _mm_storeu_pd(data + step, _mm512_extractf64x2_pd(v.raw, 1));
        _mm_storeu_pd(data + 2 * step, _mm512_extractf64x2_pd(v.raw, 2));
        _mm_storeu_pd(data + 3 * step, _mm512_extractf64x2_pd(v.raw, 3));
    } else {
        _mm_storeu_ps(data, _mm512_castps512_ps128(v.raw));
        _mm_storeu_ps(data + step, _mm512_extractf32x4_ps(v.raw, 1));
        _mm_storeu_ps(data + 2 * step, _mm512_extractf32x4_ps(v.raw, 2));
        _mm_storeu_ps(data + 3 * step, _mm512_extractf32x4_ps(v.raw, 3));
    }
#elif HWY_TARGET == HWY_AVX2
    const hn::Half<Tag<T>> d;
    hn::StoreU(hn::LowerHalf(d, v), d, data);
    hn::StoreU(hn::UpperHalf(d, v), d, data + step);
#else
    (void)step;
    hn::StoreU(v, Tag<T>(), data);
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

// Several elements of all lines at once: `group` of them lie side by side in a line, so that the
// loads of a line are as wide as its part of a transposition.
#if HWY_TARGET == HWY_AVX3
inline constexpr Index group_bytes = 32;
#else
inline constexpr Index group_bytes = 16;
#endif
template <class T>
inline constexpr Index group = group_bytes / static_cast<Index>(2 * sizeof(T));

/// The vectors a[group] of `lanes/2` lines: a[e] is element e of each line, in their order.
template <class T>
HWY_INLINE void load_group(const T* data, Index lane_step, Vector<T>* a) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        // Two halves of two complex numbers: lines 0, 1 and 2, 3.
        const auto pair = [&](Index line) WEFT_INLINE_LAMBDA {
            return _mm512_insertf64x4(
                _mm512_castpd256_pd512(_mm256_loadu_pd(data + line * lane_step)),
                _mm256_loadu_pd(data + (line + 1) * lane_step), 1);
        };
        const __m512d v = pair(0);
        const __m512d w = pair(2);
        a[0] = Vector<T>{_mm512_shuffle_f64x2(v, w, _MM_SHUFFLE(2, 0, 2, 0))};
        a[1] = Vector<T>{_mm512_shuffle_f64x2(v, w, _MM_SHUFFLE(3, 1, 3, 1))};
    } else {
        // Lines 0, 4; 1, 5; 2, 6; 3, 7, four complex numbers of each.
        const auto pair = [&](Index line) WEFT_INLINE_LAMBDA {
            return _mm512_insertf32x8(
                _mm512_castps256_ps512(_mm256_loadu_ps(data + line * lane_step)),
                _mm256_loadu_ps(data + (line + 4) * lane_step), 1);
        };
        const auto as_pairs = [](__m512 x) WEFT_INLINE_LAMBDA { return _mm512_castps_pd(x); };
        const __m512d p0 = as_pairs(pair(0));
        const __m512d p1 = as_pairs(pair(1));
        const __m512d p2 = as_pairs(pair(2));
        const __m512d p3 = as_pairs(pair(3));
        const __m512d l01 = _mm512_unpacklo_pd(p0, p1);  // elements 0, 2 of lines 0 1 | 4 5
        const __m512d h01 = _mm512_unpackhi_pd(p0, p1);  // elements 1, 3
        const __m512d l23 = _mm512_unpacklo_pd(p2, p3);
        const __m512d h23 = _mm512_unpackhi_pd(p2, p3);
        // Blocks: element 0 of lines 0 1, element 2 of 0 1, element 0 of 4 5, element 2 of 4 5.
        const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        const auto as_floats = [](__m512d x)
                                   WEFT_INLINE_LAMBDA { return Vector<T>{_mm512_castpd_ps(x)}; };
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

/// The inverse of load_group.
template <class T>
HWY_INLINE void store_group(const Vector<T>* a, T* data, Index lane_step) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(T) == 8) {
        const auto put = [&](__m512d v, Index line) WEFT_INLINE_LAMBDA {
            _mm256_storeu_pd(data + line * lane_step, _mm512_castpd512_pd256(v));
            _mm256_storeu_pd(data + (line + 1) * lane_step, _mm512_extractf64x4_pd(v, 1));
        };
        const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        put(_mm512_permutex2var_pd(a[0].raw, first, a[1].raw), 0);
        put(_mm512_permutex2var_pd(a[0].raw, second, a[1].raw), 2);
    } else {
        const auto as_pairs = [](Vector<T> x)
                                  WEFT_INLINE_LAMBDA { return _mm512_castps_pd(x.raw); };
        const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        // Of elements 0 and 2, then 1 and 3: lines 0 1 | 4 5 and lines 2 3 | 6 7.
        const __m512d l01 = _mm512_permutex2var_pd(as_pairs(a[0]), even, as_pairs(a[2]));
        const __m512d l23 = _mm512_permutex2var_pd(as_pairs(a[0]), odd, as_pairs(a[2]));
        const __m512d h01 = _mm512_permutex2var_pd(as_pairs(a[1]), even, as_pairs(a[3]));
        const __m512d h23 = _mm512_permutex2var_pd(as_pairs(a[1]), odd, as_pairs(a[3]));
        const auto put = [&](__m512d v, Index line) WEFT_INLINE_LAMBDA {
            const __m512 x = _mm512_castpd_ps(v);
            _mm256_storeu_ps(data + line * lane_step, _mm512_castps512_ps256(x));
            _mm256_storeu_ps(data + (line + 4) * lane_step, _mm512_extractf32x8_ps(x, 1));
        };
        put(_mm512_unpacklo_pd(l01, h01), 0);
        put(_mm512_unpackhi_pd(l01, h01), 1);
        put(_mm512_unpacklo_pd(l23, h23), 2);
        put(_mm512_unpackhi_pd(l23, h23), 3);
    }
#else
    if constexpr (sizeof(T) == 8) {
        store_blocks<T>(a[0], data, lane_step);
    } else {
        Vector<T> lower;
        Vector<T> upper;
        exchange_pairs<T>(a[0], a[1], lower, upper);
        store_blocks<T>(lower, data, 2 * lane_step);
        store_blocks<T>(upper, data + lane_step, 2 * lane_step);
    }
#endif
}

/// take(e, z): elements 0 to count-1 of whole tiles of contiguous lines, but for a rest of less
/// than a group; returns where that starts.
template <class T, class Take>
HWY_INLINE Index for_lines(const T* data, Index lane_step, Index count, const Take& take) {
    Vector<T> a[group<T>];
    Vector<T> b[group<T>];
    Index e = 0;
    for (; e + group<T> <= count; e += group<T>) {
        load_group<T>(data + 2 * e, lane_step, a);
        load_group<T>(data + 2 * e + lanes<T> / 2 * lane_step, lane_step, b);
        unroll<group<T>>([&](auto g) WEFT_INLINE_LAMBDA {
            take(e + g.value, split<T>(a[g.value], b[g.value]));
        });
    }
    return e;
}

template <class T>
HWY_INLINE void read_some(const Lanes<const T>& from, Index first, Index count, T* tile,
                          Index tile_step) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        for (Index e = first; e < count; ++e) {
            T* element = tile + e * tile_step + lane;
            element[0] = present ? data[e * from.step] : T(0);
            element[lanes<T>] = present ? data[e * from.step + 1] : T(0);
        }
    }
}

// Some adjacent lanes, where masked accesses touch nothing else.
#if HWY_MEM_OPS_MIGHT_FAULT
inline constexpr bool masks = false;
#else
inline constexpr bool masks = true;
#endif
template <class T>
struct LaneMask {
    using Mask = hn::Mask<Tag<T>>;
    explicit LaneMask(Index count)
        : a(first(2 * count)), b(first(std::max<Index>(2 * count - lanes<T>, 0))) {}
    static Mask first(Index numbers) {
        return hn::FirstN(Tag<T>(), static_cast<std::size_t>(std::min(numbers, lanes<T>)));
    }
    Mask a;
    Mask b;
};

template <class T>
HWY_INLINE void read_run(const Lanes<const T>& from, Index count, T* tile, Index tile_step) {
    Index first = 0;
    if (from.lanes == lanes<T> && from.lane_step == 2) {
        for (; first < count; ++first) {
            store<T>(load_interleaved<T>(from.data + first * from.step), tile + first * tile_step);
        }
    } else if (masks && from.lane_step == 2) {
        const Tag<T> d;
        const LaneMask<T> mask(from.lanes);
        for (; first < count; ++first) {
            const T* data = from.data + first * from.step;
            store<T>(split<T>(hn::MaskedLoad(mask.a, d, data),
                              hn::MaskedLoad(mask.b, d, data + lanes<T>)),
                     tile + first * tile_step);
        }
    } else if (transposes<T> && from.lanes == lanes<T> && from.step == 2) {
        first = for_lines<T>(from.data, from.lane_step, count,
                             [&](Index e, const Complex<T>& z)
                                 WEFT_INLINE_LAMBDA { store<T>(z, tile + e * tile_step); });
    }
    if (first < count) read_some<T>(from, first, count, tile, tile_step);
}

template <class T>
HWY_INLINE void write_some(const T* tile, Index first, Index count, const Lanes<T>& to) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        for (Index e = first; e < count; ++e) {
            const T* element = tile + e * width<T> + lane;
            data[e * to.step] = element[0];
            data[e * to.step + 1] = element[lanes<T>];
        }
    }
}

template <class T>
HWY_INLINE void write_run(const T* tile, Index count, const Lanes<T>& to) {
    Index e = 0;
    if (to.stream) {
        const Tag<T> d;
        for (; e < count; ++e) {
            Vector<T> a;
            Vector<T> b;
            merge<T>(load<T>(tile + e * width<T>), a, b);
            hn::Stream(a, d, to.data + e * to.step);
            hn::Stream(b, d, to.data + e * to.step + lanes<T>);
        }
    } else if (to.lanes == lanes<T> && to.lane_step == 2) {
        for (; e < count; ++e) {
            store_interleaved<T>(load<T>(tile + e * width<T>), to.data + e * to.step);
        }
    } else if (masks && to.lane_step == 2) {
        const Tag<T> d;
        const LaneMask<T> mask(to.lanes);
        for (; e < count; ++e) {
            Vector<T> a;
            Vector<T> b;
            merge<T>(load<T>(tile + e * width<T>), a, b);
            hn::BlendedStore(a, mask.a, d, to.data + e * to.step);
            hn::BlendedStore(b, mask.b, d, to.data + e * to.step + lanes<T>);
        }
    } else if (transposes<T> && to.lanes == lanes<T> && to.step == 2) {
        Vector<T> a[group<T>];
        Vector<T> b[group<T>];
        for (; e + group<T> <= count; e += group<T>) {
            unroll<group<T>>([&](auto g) WEFT_INLINE_LAMBDA {
                merge<T>(load<T>(tile + (e + g.value) * width<T>), a[g.value], b[g.value]);
            });
            store_group<T>(a, to.data + 2 * e, to.lane_step);
            store_group<T>(b, to.data + 2 * e + lanes<T> / 2 * to.lane_step, to.lane_step);
        }
    }
    if (e < count) write_some<T>(tile, e, count, to);
}

/// Real lines to one part (re or im) of tile elements.
template <class T>
HWY_INLINE void read_part(const Lanes<const T>& from, Index count, T* part) {
    Index first = 0;
    if (transposes<T> && from.lanes == lanes<T> && from.step == 1) {
        // Two real numbers travel as one complex number.
        const Index pairs = for_lines<T>(from.data, from.lane_step, count / 2,
                                         [&](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                                             const Tag<T> d;
                                             hn::Store(z.re, d, part + 2 * e * width<T>);
                                             hn::Store(z.im, d, part + (2 * e + 1) * width<T>);
                                         });
        first = 2 * pairs;
    }
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        for (Index e = first; e < count; ++e) {
            part[e * width<T> + lane] = present ? data[e * from.step] : T(0);
        }
    }
}

template <class T>
HWY_INLINE void write_part(const T* part, Index count, const Lanes<T>& to) {
    Index first = 0;
    if (transposes<T> && to.lanes == lanes<T> && to.step == 1) {
        const Tag<T> d;
        Vector<T> a[group<T>];
        Vector<T> b[group<T>];
        for (; first + 2 * group<T> <= count; first += 2 * group<T>) {
            unroll<group<T>>([&](auto g) WEFT_INLINE_LAMBDA {
                const T* pair = part + (first + 2 * g.value) * width<T>;
                merge<T>({hn::Load(d, pair), hn::Load(d, pair + width<T>)}, a[g.value], b[g.value]);
            });
            store_group<T>(a, to.data + first, to.lane_step);
            store_group<T>(b, to.data + first + lanes<T> / 2 * to.lane_step, to.lane_step);
        }
    }
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        for (Index e = first; e < count; ++e) data[e * to.step] = part[e * width<T> + lane];
    }
}

/// Vectors of adjacent lines in their order: to that of lanes, and back.
template <class T>
HWY_INLINE auto lane_order() {
    alignas(64) hn::TFromD<hn::RebindToSigned<Tag<T>>> index[lanes<T>];
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        index[lane] = static_cast<hn::TFromD<hn::RebindToSigned<Tag<T>>>>(lane_line<T>(lane));
    }
    return hn::SetTableIndices(Tag<T>(), index);
}
template <class T>
HWY_INLINE auto line_order() {
    alignas(64) hn::TFromD<hn::RebindToSigned<Tag<T>>> index[lanes<T>];
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        index[lane_line<T>(lane)] = static_cast<hn::TFromD<hn::RebindToSigned<Tag<T>>>>(lane);
    }
    return hn::SetTableIndices(Tag<T>(), index);
}

template <class T>
HWY_INLINE void read_real_part(const Lanes<const T>& from, Index count, T* part) {
    if (from.lanes != lanes<T> || from.lane_step != 1) return read_part<T>(from, count, part);
    const Tag<T> d;
    const auto order = lane_order<T>();
    for (Index e = 0; e < count; ++e) {
        hn::Store(hn::TableLookupLanes(hn::LoadU(d, from.data + e * from.step), order), d,
                  part + e * width<T>);
    }
}

template <class T>
HWY_INLINE void write_real_part(const T* part, Index count, const Lanes<T>& to) {
    if (to.lanes != lanes<T> || to.lane_step != 1) return write_part<T>(part, count, to);
    const Tag<T> d;
    const auto order = line_order<T>();
    for (Index e = 0; e < count; ++e) {
        hn::StoreU(hn::TableLookupLanes(hn::Load(d, part + e * width<T>), order), d,
                   to.data + e * to.step);
    }
}

/// The lanes of one run.
template <class T>
HWY_INLINE Lanes<T> at_run(const Lanes<T>& lanes, const Runs& runs, Index run) {
    return {lanes.data + run * runs.step, lanes.step, lanes.lane_step, lanes.lanes};
}

template <class T>
void read(const Lanes<const T>& from, const Runs& runs, T* tile) {
    for (Index r = 0; r < runs.count; ++r) {
        read_run<T>(at_run(from, runs, r), runs.length, tile + r * runs.tile_stride * width<T>,
                    runs.direction * width<T>);
    }
}

template <class T>
void write(const T* tile, const Runs& runs, const Lanes<T>& to) {
    for (Index r = 0; r < runs.count; ++r) {
        write_run<T>(tile + r * runs.tile_stride * width<T>, runs.length, at_run(to, runs, r));
    }
}

template <class T>
void read_real(const Lanes<const T>& re, const Lanes<const T>& im, const Runs& runs, T* tile) {
    for (Index r = 0; r < runs.count; ++r) {
        T* elements = tile + r * runs.tile_stride * width<T>;
        read_real_part<T>(at_run(re, runs, r), runs.length, elements);
        read_real_part<T>(at_run(im, runs, r), runs.length, elements + lanes<T>);
    }
}

template <class T>
void write_real(const T* tile, const Runs& runs, const Lanes<T>& re, const Lanes<T>& im) {
    for (Index r = 0; r < runs.count; ++r) {
        const T* elements = tile + r * runs.tile_stride * width<T>;
        write_real_part<T>(elements, runs.length, at_run(re, runs, r));
        write_real_part<T>(elements + lanes<T>, runs.length, at_run(im, runs, r));
    }
}

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
