// Whole lines of few elements, contiguous or adjacent lanes: from array to array by way of
// registers.
#pragma once

#include "fft/native/kernels/interleaved.hpp"
#include "fft/native/kernels/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// body(Int<e>()) for the first elements e of groups that cover a line of N; the last group may
/// overlap the one before.
template <class T, int N, class Body>
HWY_INLINE void for_groups(const Body& body) {
    constexpr int size = static_cast<int>(group<T>);
    unroll(indices<N / size>, [&](auto g) WEFT_INLINE_LAMBDA { body(Int<g.value * size>()); });
    if constexpr (N % size != 0) body(Int<N - size>());
}

/// Whether butterflies load adjacent lanes themselves. 32 registers hold shorter lines, whose loads
/// then all start at once.
inline constexpr bool wide_vectors = HWY_TARGET <= HWY_AVX3;
template <int N>
inline constexpr bool loads_directly = !wide_vectors || N > 24;

/// Element j of lanes/2 contiguous lines, in groups.
template <class T, int N>
HWY_INLINE void load_short_lines(const T* from, Index step, Vector<T>* x) {
    for_groups<T, N>(
        [&](auto e) WEFT_INLINE_LAMBDA { load_group<T>(from + 2 * e.value, step, x + e.value); });
}

/// Elements 2 i and 2 i + 1 of two contiguous lines, a vector of each.
template <class T, int N>
HWY_INLINE void store_pairs(const Vector<T>* y, T* to, Index step) {
    const Tag<T> d;
    unroll(indices<N / 2>, [&](int i) WEFT_INLINE_LAMBDA {
        hn::StoreU(hn::ConcatLowerLower(d, y[2 * i + 1], y[2 * i]), d, to + 4 * i);
    });
    unroll(indices<N / 2>, [&](int i) WEFT_INLINE_LAMBDA {
        hn::StoreU(hn::ConcatUpperUpper(d, y[2 * i + 1], y[2 * i]), d, to + step + 4 * i);
    });
    if constexpr (N % 2 != 0) store_group<T>(y + N - 1, to + 2 * (N - 1), step);
}

/// The inverse. (`Pairs`: as whole vectors, if parts of vectors are what is stored otherwise.)
template <class T, int N, bool Pairs>
HWY_INLINE void store_short_lines(const Vector<T>* y, T* to, Index step) {
    if constexpr (Pairs && group<T> == 1 && parts == 2) {
        store_pairs<T, N>(y, to, step);
    } else {
        constexpr int size = static_cast<int>(group<T>);
        for_groups<T, N>([&](auto e) WEFT_INLINE_LAMBDA {
            Vector<T> a[size];
            unroll(indices<size>,
                   [&](auto i) WEFT_INLINE_LAMBDA { a[i.value] = y[e.value + i.value]; });
            to_lines<T>(a);
            store_group<T>(a, to + 2 * e.value, step);
        });
    }
}

/// Of `tiles` times lanes/2 lines each. A vector holds one element of each line as arrays keep it,
/// so that half of a transposition is enough and a short line's results stay in registers. Lines
/// are adjacent lanes (`From`, `To`) and steps from element to element, or they are contiguous and
/// steps from line to line. Butterflies load and store adjacent lanes themselves: a copy of the
/// line beside them would be stored and loaded once more, since registers hold 16 numbers or 32.
template <class T, int N, bool From, bool To>
void short_lines(const T* from, Index from_step, int sign, Index tiles, T* to, Index to_step) {
    const Tag<T> d;
    const Vector<T> signs = signs_of<T>(sign);
    for (Index tile = 0; tile < tiles; ++tile) {
        [[maybe_unused]] Vector<T> x[N];
        Vector<T> y[N];
        // Elements that are loaded one by one are loaded where they are needed: before all others
        // they would fill the registers.
        constexpr bool one_by_one = group<T> == 1;
        if constexpr (!From && !one_by_one) load_short_lines<T, N>(from, from_step, x);
        if constexpr (From && !loads_directly<N>) {
            unroll(indices<N>,
                   [&](int j) WEFT_INLINE_LAMBDA { x[j] = hn::LoadU(d, from + j * from_step); });
        }
        Dft<Interleaved<T>, N>::run(
            [&](int j) WEFT_INLINE_LAMBDA {
                if constexpr (From && loads_directly<N>) {
                    // A vector of 512 bits that crosses a cache line would wait for the second one.
                    const T* data = from + j * from_step;
                    if constexpr (wide_vectors) __builtin_prefetch(data + 2 * lanes<T> - 1, 0, 3);
                    return Interleaved<T>{hn::LoadU(d, data), signs};
                }
                if constexpr (!From && one_by_one) load_group<T>(from + 2 * j, from_step, x + j);
                return Interleaved<T>{x[j], signs};
            },
            [&](int k, const Interleaved<T>& z) WEFT_INLINE_LAMBDA {
                if constexpr (To) hn::StoreU(z.v, d, to + k * to_step);
                y[k] = z.v;
            });
        // Adjacent lanes leave no registers for that if they are long.
        constexpr bool pairs = !From || N <= 32;
        if constexpr (!To) store_short_lines<T, N, pairs>(y, to, to_step);
        from += From ? lanes<T> : lanes<T> / 2 * from_step;
        to += To ? lanes<T> : lanes<T> / 2 * to_step;
    }
}

#endif

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
