// Butterflies: forward DFTs of a few elements in registers, X[k] = sum_j x[j] exp(-2 pi i jk/R).
//
// R = 2, 4    by hand.
// R prime     s_j = x_j + x_{R-j}, d_j = x_j - x_{R-j} for 0 < j <= h = (R-1)/2:
//             X[k], X[R-k] = x_0 + sum_j cos(2 pi jk/R) s_j  -/+  i sum_j sin(2 pi jk/R) d_j
// R = P*Q     coprime: Good and Thomas. j = (Q a + P b) mod R; with u = Q (1/Q mod P),
//             v = P (1/P mod Q), k = (u c + v d) mod R, a DFT over a and b without twiddles.
//             otherwise: Cooley and Tukey. j = Q a + b, k = c + P d: DFTs over a, twiddles
//             exp(-2 pi i bc/R), DFTs over b.
#pragma once

#include <numeric>
#include <utility>

#include "fft/native/numbers.hpp"
#include "fft/native/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <int I>
using Int = std::integral_constant<int, I>;

template <class Body, int... I>
HWY_INLINE void unroll(const Body& body, std::integer_sequence<int, I...>) {
    (body(Int<I>()), ...);
}
/// body(Int<0>()), ..., body(Int<Count - 1>())
template <int Count, class Body>
HWY_INLINE void unroll(const Body& body) {
    unroll(body, std::make_integer_sequence<int, Count>());
}

constexpr int inverse(int a, int modulus) {
    for (int b = 1; b < modulus; ++b) {
        if (a * b % modulus == 1) return b;
    }
    return 0;
}

/// z * exp(-2 pi i M/N)
template <int M, int N, class Z>
HWY_INLINE Z twiddle(const Z& z) {
    using T = typename Z::Number;
    constexpr int m = M % N;
    const Tag<T> d;
    if constexpr (m == 0) {
        return z;
    } else if constexpr (2 * m == N) {
        return -z;
    } else if constexpr (4 * m == N) {
        return times_minus_i(z);
    } else if constexpr (4 * m == 3 * N) {
        return times_i(z);
    } else if constexpr (8 * m == N) {
        return scaled(minus_i_times(z, z), hn::Set(d, static_cast<T>(root(1, 8).cos)));
    } else if constexpr (8 * m == 3 * N) {
        return scaled(plus_i_times(z, z), hn::Set(d, static_cast<T>(-root(1, 8).cos)));
    } else {
        constexpr Turn w = root(m, N);
        return rotate(z, hn::Set(d, static_cast<T>(w.cos)), hn::Set(d, static_cast<T>(w.sin)));
    }
}

/// Dft<Z, R>::run(load, store) for elements of type Z: load(Int<j>()) gives x[j], all of which are
/// loaded before store(Int<k>(), X[k]) is called.
template <class Z, int R>
struct Dft {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        if constexpr (smallest_factor(R) == R) {
            prime(load, store);
        } else {
            composite(load, store);
        }
    }

  private:
    template <class Load, class Store>
    static HWY_INLINE void prime(const Load& load, const Store& store) {
        using T = typename Z::Number;
        constexpr int h = (R - 1) / 2;
        const Tag<T> d;
        const Z x0 = load(Int<0>());
        Z sums[h];
        Z differences[h];
        unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
            const Z a = load(Int<j.value + 1>());
            const Z b = load(Int<R - 1 - j.value>());
            sums[j.value] = a + b;
            differences[j.value] = a - b;
        });
        Z total = x0;
        unroll<h>([&](auto j) WEFT_INLINE_LAMBDA { total = total + sums[j.value]; });
        store(Int<0>(), total);
        unroll<h>([&](auto index) WEFT_INLINE_LAMBDA {
            constexpr int k = index.value + 1;
            Z even = x0;
            Z odd;
            unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
                constexpr Turn w = root((j.value + 1) * k % R, R);
                const Vector<T> c = hn::Set(d, static_cast<T>(w.cos));
                const Vector<T> s = hn::Set(d, static_cast<T>(w.sin));
                even = plus_scaled(even, sums[j.value], c);
                if constexpr (j.value == 0) {
                    odd = scaled(differences[j.value], s);
                } else {
                    odd = plus_scaled(odd, differences[j.value], s);
                }
            });
            store(Int<k>(), minus_i_times(even, odd));
            store(Int<R - k>(), plus_i_times(even, odd));
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        constexpr int P = first_factor(R);
        constexpr int Q = R / P;
        constexpr bool coprime = std::gcd(P, Q) == 1;
        Z between[R];
        unroll<Q>([&](auto b) WEFT_INLINE_LAMBDA {
            Dft<Z, P>::run(
                [&](auto a) WEFT_INLINE_LAMBDA {
                    return load(
                        Int<(coprime ? Q * a.value + P * b.value : Q * a.value + b.value) % R>());
                },
                [&](auto c, const Z& z) WEFT_INLINE_LAMBDA {
                    between[c.value * Q + b.value] = twiddle < coprime ? 0 : b.value * c.value,
                                          R > (z);
                });
        });
        unroll<P>([&](auto c) WEFT_INLINE_LAMBDA {
            Dft<Z, Q>::run(
                [&](auto b) WEFT_INLINE_LAMBDA { return between[c.value * Q + b.value]; },
                [&](auto e, const Z& z) WEFT_INLINE_LAMBDA {
                    constexpr int u = Q * inverse(Q % P, P);
                    constexpr int v = P * inverse(P % Q, Q);
                    store(Int<(coprime ? u * c.value + v * e.value : c.value + P * e.value) % R>(),
                          z);
                });
        });
    }
};

template <class Z>
struct Dft<Z, 1> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        store(Int<0>(), load(Int<0>()));
    }
};

template <class Z>
struct Dft<Z, 2> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Z a = load(Int<0>());
        const Z b = load(Int<1>());
        store(Int<0>(), a + b);
        store(Int<1>(), a - b);
    }
};

template <class Z>
struct Dft<Z, 4> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Z x0 = load(Int<0>());
        const Z x1 = load(Int<1>());
        const Z x2 = load(Int<2>());
        const Z x3 = load(Int<3>());
        const Z a = x0 + x2;
        const Z b = x0 - x2;
        const Z c = x1 + x3;
        const Z e = x1 - x3;
        store(Int<0>(), a + c);
        store(Int<1>(), minus_i_times(b, e));
        store(Int<2>(), a - c);
        store(Int<3>(), plus_i_times(b, e));
    }
};

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
