// Whole contiguous lines of few elements: from array to array by way of registers.
#pragma once

#include "fft/native/interleaved.hpp"
#include "fft/native/transpose.hpp"

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

/// Of `tiles` times lanes/2 lines each. A vector holds one element of each line as arrays keep it,
/// so that half of a transposition is enough and a short line's results stay in registers.
template <class T, int N>
void short_lines(const T* from, Index from_step, int sign, Index tiles, T* to, Index to_step) {
    constexpr int size = static_cast<int>(group<T>);
    const Vector<T> minus_sign = hn::Set(Tag<T>(), static_cast<T>(-sign));
    const Vector<T> signs = hn::OddEven(hn::Neg(minus_sign), minus_sign);
    for (Index tile = 0; tile < tiles; ++tile) {
        Interleaved<T> x[N];
        Interleaved<T> y[N];
        for_groups<T, N>([&](auto e) WEFT_INLINE_LAMBDA {
            Vector<T> a[size];
            load_group<T>(from + 2 * e.value, from_step, a);
            unroll(indices<size>, [&](auto i) WEFT_INLINE_LAMBDA {
                x[e.value + i.value] = {a[i.value], signs};
            });
        });
        Dft<Interleaved<T>, N>::run([&](int j) WEFT_INLINE_LAMBDA { return x[j]; },
                                    [&](int k, const Interleaved<T>& z)
                                        WEFT_INLINE_LAMBDA { y[k] = z; });
        for_groups<T, N>([&](auto e) WEFT_INLINE_LAMBDA {
            Vector<T> a[size];
            unroll(indices<size>,
                   [&](auto i) WEFT_INLINE_LAMBDA { a[i.value] = y[e.value + i.value].v; });
            to_lines<T>(a);
            store_group<T>(a, to + 2 * e.value, to_step);
        });
        from += lanes<T> / 2 * from_step;
        to += lanes<T> / 2 * to_step;
    }
}

#endif

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
