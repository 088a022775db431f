// Butterflies of an odd number of real elements, and their inverses, in registers: half the work of
// complex ones.
//
// R odd, h = (R-1)/2. Forward: X[k] = sum_j x[j] exp(-2 pi i jk/R) for 0 <= k <= h; the others are
// X[R-k] = conj X[k]. Inverse: x[j] = X[0] + 2 Re sum_{0<k<=h} X[k] exp(2 pi i jk/R).
//
// R prime     with the sums and differences of butterfly.hpp, which are real.
// R = P*Q     the index maps of butterfly.hpp. The DFTs over a leave real values for c = 0 and
//             complex ones for 0 < c <= (P-1)/2, whose conjugates are left out; the DFTs over b are
//             a real one and (P-1)/2 complex ones. Example, R = 9: the real one gives X[0] and
//             X[3], the complex one X[1], X[4] and X[7] = conj X[2].
#pragma once

#include "fft/native/kernels/butterfly.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
HWY_INLINE Complex<T> conjugate(const Complex<T>& z) {
    return {z.re, hn::Neg(z.im)};
}

/// z exp(-2 pi i m/R)
template <int R, class T>
HWY_INLINE Complex<T> turned(const Complex<T>& z, int m) {
    if (m % R == 0) return z;
    const Tag<T> d;
    const Roots<T>& w = roots<T, R>[m % R];
    return rotate<T>(z, hn::Set(d, w.cos), hn::Set(d, w.sin));
}

/// The index maps of a composite R (see butterfly.hpp).
template <int R>
struct Composite {
    static constexpr int P = first_factor(R);
    static constexpr int Q = R / P;
    static constexpr bool coprime = std::gcd(P, Q) == 1;
    static constexpr int u = Q * inverse(Q % P, P);
    static constexpr int v = P * inverse(P % Q, Q);
    static constexpr int element(int a, int b) { return (coprime ? Q * a + P * b : Q * a + b) % R; }
    static constexpr int frequency(int c, int d) {
        return (coprime ? u * c + v * d : c + P * d) % R;
    }
    /// The twiddle is exp(-2 pi i turns/R).
    static constexpr int turns(int b, int c) { return coprime ? 0 : b * c; }
};

/// put(k, even, odd) for 0 < k <= h: even = x0 + the sum over 0 < j <= h of re cos(2 pi jk/R), odd
/// that of im sin(2 pi jk/R), of pairs[j-1]. The first terms are products alone.
template <int R, class T, class Put>
HWY_INLINE void prime_sums(Vector<T> x0, const Complex<T>* pairs, const Put& put) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto c = [&](int m) WEFT_INLINE_LAMBDA { return hn::Set(d, roots<T, R>[m % R].cos); };
    const auto s = [&](int m) WEFT_INLINE_LAMBDA { return hn::Set(d, roots<T, R>[m % R].sin); };
    unroll(indices<h>, [&](int index) WEFT_INLINE_LAMBDA {
        const int k = index + 1;
        Vector<T> even = hn::MulAdd(pairs[0].re, c(k), x0);
        Vector<T> odd = hn::Mul(pairs[0].im, s(k));
        unroll(indices<h - 1>, [&](int j) WEFT_INLINE_LAMBDA {
            even = hn::MulAdd(pairs[j + 1].re, c((j + 2) * k), even);
            odd = hn::MulAdd(pairs[j + 1].im, s((j + 2) * k), odd);
        });
        put(k, even, odd);
    });
}

/// RealButterfly<T, R>::run(load, store): load(j) gives the vector x[j], all of which are loaded
/// before store(k, X[k]) is called; X[0] has no imaginary part. Indices are constants where it is
/// inlined (see Dft).
template <class T, int R>
struct RealButterfly {
    static_assert(R % 2 == 1);
    static constexpr int h = (R - 1) / 2;

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
        const Tag<T> d;
        const Vector<T> x0 = load(0);
        Complex<T> pairs[h];
        Vector<T> total = x0;
        unroll(indices<h>, [&](int j) WEFT_INLINE_LAMBDA {
            const Vector<T> a = load(j + 1);
            const Vector<T> b = load(R - 1 - j);
            pairs[j] = {hn::Add(a, b), hn::Sub(b, a)};
            total = hn::Add(total, pairs[j].re);
        });
        store(0, Complex<T>{total, hn::Zero(d)});
        prime_sums<R, T>(x0, pairs, [&](int k, Vector<T> even, Vector<T> odd) WEFT_INLINE_LAMBDA {
            store(k, Complex<T>{even, odd});
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        using Map = Composite<R>;
        constexpr int P = Map::P;
        constexpr int Q = Map::Q;
        Vector<T> real[Q];
        Complex<T> between[P / 2][Q];
        unroll(indices<Q>, [&](int b) WEFT_INLINE_LAMBDA {
            RealButterfly<T, P>::run([&](int a)
                                         WEFT_INLINE_LAMBDA { return load(Map::element(a, b)); },
                                     [&](int c, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                                         if (c == 0) {
                                             real[b] = z.re;
                                         } else {
                                             between[c - 1][b] = turned<R>(z, Map::turns(b, c));
                                         }
                                     });
        });
        const auto emit = [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            if (k <= h) {
                store(k, z);
            } else {
                store(R - k, conjugate<T>(z));
            }
        };
        RealButterfly<T, Q>::run([&](int b) WEFT_INLINE_LAMBDA { return real[b]; },
                                 [&](int e, const Complex<T>& z)
                                     WEFT_INLINE_LAMBDA { emit(Map::frequency(0, e), z); });
        unroll(indices<P / 2>, [&](int c) WEFT_INLINE_LAMBDA {
            Dft<Complex<T>, Q>::run([&](int b) WEFT_INLINE_LAMBDA { return between[c][b]; },
                                    [&](int e, const Complex<T>& z)
                                        WEFT_INLINE_LAMBDA { emit(Map::frequency(c + 1, e), z); });
        });
    }
};

/// InverseRealButterfly<T, R>::run(load, store): load(k) gives X[k], 0 <= k <= h, all of which are
/// loaded before store(j, x[j]) is called. The imaginary part of X[0] is not looked at. Indices are
/// constants where it is inlined.
template <class T, int R>
struct InverseRealButterfly {
    static constexpr int h = (R - 1) / 2;

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
        const Vector<T> x0 = load(0).re;
        Complex<T> pairs[h];
        Vector<T> total = x0;
        unroll(indices<h>, [&](int k) WEFT_INLINE_LAMBDA {
            const Complex<T> z = load(k + 1);
            pairs[k] = z + z;
            total = hn::Add(total, pairs[k].re);
        });
        store(0, total);
        prime_sums<R, T>(x0, pairs, [&](int j, Vector<T> even, Vector<T> odd) WEFT_INLINE_LAMBDA {
            store(j, hn::Sub(even, odd));
            store(R - j, hn::Add(even, odd));
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        using Map = Composite<R>;
        constexpr int P = Map::P;
        constexpr int Q = Map::Q;
        const auto get = [&](int k) WEFT_INLINE_LAMBDA {
            return k <= h ? load(k) : conjugate<T>(load(R - k));
        };
        Complex<T> between[P / 2 + 1][Q];
        InverseRealButterfly<T, Q>::run(
            [&](int e) WEFT_INLINE_LAMBDA { return get(Map::frequency(0, e)); },
            [&](int b, Vector<T> x) WEFT_INLINE_LAMBDA {
                between[0][b] = Complex<T>{x, hn::Zero(Tag<T>())};
            });
        unroll(indices<P / 2>, [&](int index) WEFT_INLINE_LAMBDA {
            const int c = index + 1;
            // A backward DFT is the forward one of the elements in reverse.
            Dft<Complex<T>, Q>::run(
                [&](int e) WEFT_INLINE_LAMBDA { return get(Map::frequency(c, (Q - e) % Q)); },
                [&](int b, const Complex<T>& z)
                    WEFT_INLINE_LAMBDA { between[c][b] = turned<R>(z, R - Map::turns(b, c)); });
        });
        unroll(indices<Q>, [&](int b) WEFT_INLINE_LAMBDA {
            InverseRealButterfly<T, P>::run(
                [&](int c) WEFT_INLINE_LAMBDA { return between[c][b]; },
                [&](int a, Vector<T> x) WEFT_INLINE_LAMBDA { store(Map::element(a, b), x); });
        });
    }
};

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
