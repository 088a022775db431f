// Butterflies: forward DFTs of a few elements in registers, X[k] = sum_j x[j] exp(-2 pi i jk/R).
// Included once for each instruction set.
//
// R = 2, 4    by hand.
// R prime     s_j = x_j + x_{R-j}, d_j = x_j - x_{R-j} for 0 < j <= h = (R-1)/2:
//             X[k], X[R-k] = x_0 + sum_j cos(2 pi jk/R) s_j  -/+  i sum_j sin(2 pi jk/R) d_j
// R = P*Q     coprime: Good and Thomas. j = (Q a + P b) mod R; with u = Q (1/Q mod P),
//             v = P (1/P mod Q), k = (u c + v d) mod R, a DFT over a and b without twiddles.
//             otherwise: Cooley and Tukey. j = Q a + b, k = c + P d: DFTs over a, twiddles
//             exp(-2 pi i bc/R), DFTs over b.
#include <numeric>
#include <utility>

#include "fft/native/numbers.hpp"
#include "fft/native/simd.hpp"

#if defined(WEFT_FFT_NATIVE_BUTTERFLY_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_FFT_NATIVE_BUTTERFLY_HPP
#undef WEFT_FFT_NATIVE_BUTTERFLY_HPP
#else
#define WEFT_FFT_NATIVE_BUTTERFLY_HPP
#endif

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
template <class T, int M, int N>
HWY_INLINE Complex<T> twiddle(const Complex<T>& z) {
    constexpr int m = M % N;
    const Tag<T> d;
    if constexpr (m == 0) {
        return z;
    } else if constexpr (2 * m == N) {
        return {hn::Neg(z.re), hn::Neg(z.im)};
    } else if constexpr (4 * m == N) {
        return {z.im, hn::Neg(z.re)};
    } else if constexpr (4 * m == 3 * N) {
        return {hn::Neg(z.im), z.re};
    } else if constexpr (8 * m == N) {
        const Vector<T> h = hn::Set(d, static_cast<T>(root(1, 8).cos));
        return {hn::Mul(hn::Add(z.re, z.im), h), hn::Mul(hn::Sub(z.im, z.re), h)};
    } else if constexpr (8 * m == 3 * N) {
        const Vector<T> h = hn::Set(d, static_cast<T>(root(1, 8).cos));
        const Vector<T> minus = hn::Set(d, static_cast<T>(-root(1, 8).cos));
        return {hn::Mul(hn::Sub(z.im, z.re), h), hn::Mul(hn::Add(z.re, z.im), minus)};
    } else {
        constexpr Turn w = root(m, N);
        return rotate<T>(z, hn::Set(d, static_cast<T>(w.cos)), hn::Set(d, static_cast<T>(w.sin)));
    }
}

/// Dft<T, R>::run(load, store): load(Int<j>()) gives x[j], all of which are loaded before
/// store(Int<k>(), X[k]) is called.
template <class T, int R>
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
        constexpr int h = (R - 1) / 2;
        const Tag<T> d;
        const Complex<T> x0 = load(Int<0>());
        Complex<T> sums[h];
        Complex<T> differences[h];
        unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
            const Complex<T> a = load(Int<j.value + 1>());
            const Complex<T> b = load(Int<R - 1 - j.value>());
            sums[j.value] = a + b;
            differences[j.value] = a - b;
        });
        Complex<T> total = x0;
        unroll<h>([&](auto j) WEFT_INLINE_LAMBDA { total = total + sums[j.value]; });
        store(Int<0>(), total);
        unroll<h>([&](auto index) WEFT_INLINE_LAMBDA {
            constexpr int k = index.value + 1;
            Complex<T> even = x0;
            Complex<T> odd;
            unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
                constexpr Turn w = root((j.value + 1) * k % R, R);
                const Vector<T> c = hn::Set(d, static_cast<T>(w.cos));
                const Vector<T> s = hn::Set(d, static_cast<T>(w.sin));
                even = {hn::MulAdd(sums[j.value].re, c, even.re),
                        hn::MulAdd(sums[j.value].im, c, even.im)};
                if constexpr (j.value == 0) {
                    odd = {hn::Mul(differences[j.value].re, s),
                           hn::Mul(differences[j.value].im, s)};
                } else {
                    odd = {hn::MulAdd(differences[j.value].re, s, odd.re),
                           hn::MulAdd(differences[j.value].im, s, odd.im)};
                }
            });
            store(Int<k>(), Complex<T>{hn::Add(even.re, odd.im), hn::Sub(even.im, odd.re)});
            store(Int<R - k>(), Complex<T>{hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)});
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        constexpr int P = first_factor(R);
        constexpr int Q = R / P;
        constexpr bool coprime = std::gcd(P, Q) == 1;
        Complex<T> between[R];
        unroll<Q>([&](auto b) WEFT_INLINE_LAMBDA {
            Dft<T, P>::run(
                [&](auto a) WEFT_INLINE_LAMBDA {
                    return load(
                        Int<(coprime ? Q * a.value + P * b.value : Q * a.value + b.value) % R>());
                },
                [&](auto c, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    between[c.value * Q + b.value] = twiddle < T, coprime ? 0 : b.value * c.value,
                                          R > (z);
                });
        });
        unroll<P>([&](auto c) WEFT_INLINE_LAMBDA {
            Dft<T, Q>::run(
                [&](auto b) WEFT_INLINE_LAMBDA { return between[c.value * Q + b.value]; },
                [&](auto e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    constexpr int u = Q * inverse(Q % P, P);
                    constexpr int v = P * inverse(P % Q, Q);
                    store(Int<(coprime ? u * c.value + v * e.value : c.value + P * e.value) % R>(),
                          z);
                });
        });
    }
};

template <class T>
struct Dft<T, 1> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        store(Int<0>(), load(Int<0>()));
    }
};

template <class T>
struct Dft<T, 2> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Complex<T> a = load(Int<0>());
        const Complex<T> b = load(Int<1>());
        store(Int<0>(), a + b);
        store(Int<1>(), a - b);
    }
};

template <class T>
struct Dft<T, 4> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Complex<T> x0 = load(Int<0>());
        const Complex<T> x1 = load(Int<1>());
        const Complex<T> x2 = load(Int<2>());
        const Complex<T> x3 = load(Int<3>());
        const Complex<T> a = x0 + x2;
        const Complex<T> b = x0 - x2;
        const Complex<T> c = x1 + x3;
        const Complex<T> e = x1 - x3;
        store(Int<0>(), a + c);
        store(Int<1>(), Complex<T>{hn::Add(b.re, e.im), hn::Sub(b.im, e.re)});
        store(Int<2>(), a - c);
        store(Int<3>(), Complex<T>{hn::Sub(b.re, e.im), hn::Add(b.im, e.re)});
    }
};

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include once for each instruction set
