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

#include "fft/native/kernels/simd.hpp"
#include "fft/native/tables/numbers.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <int I>
using Int = std::integral_constant<int, I>;

template <int Count>
inline constexpr std::make_integer_sequence<int, Count> indices = {};
/// body(Int<0>()), ..., body(Int<Count - 1>()) for indices<Count>; a body that takes an int is
/// compiled once. (Each function that is inlined in another is text that the compiler optimises
/// once more, so there are as few as possible.)
template <class Body, int... I>
HWY_INLINE void unroll(std::integer_sequence<int, I...> /*indices*/, const Body& body) {
    (body(Int<I>()), ...);
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

/// cos and sin of 2 pi m/N, for all m
template <class T>
struct Roots {
    T cos;
    T sin;
};
template <class T, int N>
inline constexpr std::array<Roots<T>, N> roots = [] {
    std::array<Roots<T>, N> table = {};
    for (int m = 0; m < N; ++m) {
        const Turn w = root(m, N);
        table[m] = {static_cast<T>(w.cos), static_cast<T>(w.sin)};
    }
    return table;
}();

/// Whether a + i z c is as few operations as a + z c.
template <class Z>
inline constexpr bool fuses_i = requires(const Z& z, Vector<typename Z::Number> c) {
    plus_i_scaled(z, z, c);
};

/// Dft<Z, R>::run(load, store) for elements of type Z: load(j) gives x[j], all of which are loaded
/// before store(k, X[k]) is called; j and k are constants where it is inlined. (Types do not depend
/// on them, so that the compiler reads each text once, not once for each element.)
template <class Z, int R>
struct Dft {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        if constexpr (smallest_factor(R) == R) {
            prime(load, store);
        } else {
            Z between[R];
            columns(load, between, indices<Q>);
            rows(between, store, indices<P>);
        }
    }

  private:
    using T = typename Z::Number;
    static constexpr int P = first_factor(R);
    static constexpr int Q = R / P;
    static constexpr bool coprime = std::gcd(P, Q) == 1;

    template <class Load, class Store>
    static HWY_INLINE void prime(const Load& load, const Store& store) {
        constexpr int h = (R - 1) / 2;
        const Tag<T> d;
        const auto c = [&](int m) WEFT_INLINE_LAMBDA { return hn::Set(d, roots<T, R>[m % R].cos); };
        const auto s = [&](int m) WEFT_INLINE_LAMBDA { return hn::Set(d, roots<T, R>[m % R].sin); };
        const Z x0 = load(0);
        Z sums[h];
        Z differences[h];
        unroll(indices<h>, [&](int j) WEFT_INLINE_LAMBDA {
            const Z a = load(j + 1);
            const Z b = load(R - 1 - j);
            sums[j] = a + b;
            differences[j] = a - b;
        });
        Z total = x0;
        unroll(indices<h>, [&](int j) WEFT_INLINE_LAMBDA { total = total + sums[j]; });
        store(0, total);
        unroll(indices<h>, [&](int index) WEFT_INLINE_LAMBDA {
            const int k = index + 1;
            Z even = plus_scaled(x0, sums[0], c(k));
            if constexpr (h == 1 && fuses_i<Z>) {
                store(k, minus_i_scaled(even, differences[0], s(k)));
                store(R - k, plus_i_scaled(even, differences[0], s(k)));
                return;
            }
            Z odd = scaled(differences[0], s(k));
            unroll(indices<h - 1>, [&](int j) WEFT_INLINE_LAMBDA {
                even = plus_scaled(even, sums[j + 1], c((j + 2) * k));
                odd = plus_scaled(odd, differences[j + 1], s((j + 2) * k));
            });
            store(k, minus_i_times(even, odd));
            store(R - k, plus_i_times(even, odd));
        });
    }

    template <class Load, int... B>
    static HWY_INLINE void columns(const Load& load, Z* between,
                                   std::integer_sequence<int, B...> /*all*/) {
        ((column(load, B, between), turn_column<B>(between)), ...);
    }
    template <class Load>
    static HWY_INLINE void column(const Load& load, int b, Z* between) {
        Dft<Z, P>::run(
            [&](int a)
                WEFT_INLINE_LAMBDA { return load((coprime ? Q * a + P * b : Q * a + b) % R); },
            [&](int c, const Z& z) WEFT_INLINE_LAMBDA { between[c * Q + b] = z; });
    }
    template <class Store, int... C>
    static HWY_INLINE void rows(const Z* between, const Store& store,
                                std::integer_sequence<int, C...> /*all*/) {
        (row(between + C * Q, C, store), ...);
    }
    template <class Store>
    static HWY_INLINE void row(const Z* row, int c, const Store& store) {
        if constexpr (scales_late) {
            if (4 * c == P || 2 * c == P || 4 * c == 3 * P) return scaled_row(row, c, store);
        }
        constexpr int u = Q * inverse(Q % P, P);
        constexpr int v = P * inverse(P % Q, Q);
        Dft<Z, Q>::run([&](int b) WEFT_INLINE_LAMBDA { return row[b]; },
                       [&](int e, const Z& z) WEFT_INLINE_LAMBDA {
                           store((coprime ? u * c + v * e : c + P * e) % R, z);
                       });
    }
    template <int B>
    static HWY_INLINE void turn_column(Z* between) {
        if constexpr (!coprime && B != 0) {
            unroll(indices<P - 1>, [&](auto index) WEFT_INLINE_LAMBDA {
                constexpr int c = index.value + 1;
                Z& z = between[c * Q + B];
                if constexpr (scales_late && 8 * B * c == R) {
                    z = minus_i_times(z, z);
                } else if constexpr (scales_late && 8 * B * c == 3 * R) {
                    z = plus_i_times(z, z);
                } else {
                    z = twiddle<B * c, R>(z);
                }
            });
        }
    }

    /// Whether eighths of a turn are left without their factor, the root of a half or minus that:
    /// it is part of the additions of rows P/4, P/2 and 3P/4.
    static constexpr bool scales_late = !coprime && Q == 4 && fuses_i<Z>;
    template <class Store>
    static HWY_INLINE void scaled_row(const Z* row, int c, const Store& store) {
        const auto h = hn::Set(Tag<T>(), static_cast<T>(root(1, 8).cos));
        const auto put = [&](int k, const Z& z) WEFT_INLINE_LAMBDA { store(c + P * k, z); };
        if (2 * c == P) {
            const Z a = row[0] + row[2];
            const Z b = row[0] - row[2];
            const Z sum = row[1] - row[3];
            const Z difference = row[1] + row[3];
            put(0, plus_scaled(a, sum, h));
            put(1, minus_i_scaled(b, difference, h));
            put(2, minus_scaled(a, sum, h));
            put(3, plus_i_scaled(b, difference, h));
            return;
        }
        const bool first = 4 * c == P;
        const Z more = plus_scaled(row[0], row[2], h);
        const Z less = minus_scaled(row[0], row[2], h);
        const Z sum = row[1] + row[3];
        const Z difference = row[1] - row[3];
        const Z& a = first ? more : less;
        const Z& b = first ? less : more;
        put(0, a + sum);
        put(1, minus_i_times(b, difference));
        put(2, a - sum);
        put(3, plus_i_times(b, difference));
    }
};

template <class Z>
struct Dft<Z, 1> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        store(0, load(0));
    }
};

template <class Z>
struct Dft<Z, 2> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Z a = load(0);
        const Z b = load(1);
        store(0, a + b);
        store(1, a - b);
    }
};

template <class Z>
struct Dft<Z, 4> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        const Z x0 = load(0);
        const Z x1 = load(1);
        const Z x2 = load(2);
        const Z x3 = load(3);
        const Z a = x0 + x2;
        const Z b = x0 - x2;
        const Z c = x1 + x3;
        const Z e = x1 - x3;
        store(0, a + c);
        store(1, minus_i_times(b, e));
        store(2, a - c);
        store(3, plus_i_times(b, e));
    }
};

/// Of even and odd inputs, whose twiddles are part of the last additions: multiplying by -i is a
/// shuffle and an addition, and by the root of a half a fused pair.
template <class Z>
struct Dft<Z, 8> {
    template <class Load, class Store>
    static HWY_INLINE void run(const Load& load, const Store& store) {
        using T = typename Z::Number;
        const Vector<T> h = hn::Set(Tag<T>(), static_cast<T>(root(1, 8).cos));
        Z even[4];
        Z odd[4];
        Dft<Z, 4>::run([&](int j) WEFT_INLINE_LAMBDA { return load(2 * j); },
                       [&](int k, const Z& z) WEFT_INLINE_LAMBDA { even[k] = z; });
        Dft<Z, 4>::run([&](int j) WEFT_INLINE_LAMBDA { return load(2 * j + 1); },
                       [&](int k, const Z& z) WEFT_INLINE_LAMBDA { odd[k] = z; });
        store(0, even[0] + odd[0]);
        store(4, even[0] - odd[0]);
        const Z first = minus_i_times(odd[1], odd[1]);
        store(1, plus_scaled(even[1], first, h));
        store(5, minus_scaled(even[1], first, h));
        store(2, minus_i_times(even[2], odd[2]));
        store(6, plus_i_times(even[2], odd[2]));
        const Z third = plus_i_times(odd[3], odd[3]);
        store(3, minus_scaled(even[3], third, h));
        store(7, plus_scaled(even[3], third, h));
    }
};

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
