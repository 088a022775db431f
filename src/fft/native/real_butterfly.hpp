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

#include "fft/native/butterfly.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
HWY_INLINE Complex<T> conjugate(const Complex<T>& z) {
    return {z.re, hn::Neg(z.im)};
}

/// The index maps of a composite R (see butterfly.hpp).
template <int R>
struct Composite {
    static constexpr int P = first_factor(R);
    static constexpr int Q = R / P;
    static constexpr bool coprime = std::gcd(P, Q) == 1;
    static constexpr int element(int a, int b) { return (coprime ? Q * a + P * b : Q * a + b) % R; }
    static constexpr int frequency(int c, int d) {
        return (coprime ? Q * inverse(Q % P, P) * c + P * inverse(P % Q, Q) * d : c + P * d) % R;
    }
    /// The twiddle is exp(-2 pi i turns/R).
    static constexpr int turns(int b, int c) { return coprime ? 0 : b * c; }
};

/// RealButterfly<T, R>::run(load, store): load(Int<j>()) gives the vector x[j], all of which are
/// loaded before store(Int<k>(), X[k]) is called; X[0] has no imaginary part.
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
        const Vector<T> x0 = load(Int<0>());
        Vector<T> sums[h];
        Vector<T> differences[h];
        Vector<T> total = x0;
        unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
            const Vector<T> a = load(Int<j.value + 1>());
            const Vector<T> b = load(Int<R - 1 - j.value>());
            sums[j.value] = hn::Add(a, b);
            differences[j.value] = hn::Sub(b, a);
            total = hn::Add(total, sums[j.value]);
        });
        store(Int<0>(), Complex<T>{total, hn::Zero(d)});
        unroll<h>([&](auto index) WEFT_INLINE_LAMBDA {
            constexpr int k = index.value + 1;
            Complex<T> x = {x0, hn::Zero(d)};
            unroll<h>([&](auto j) WEFT_INLINE_LAMBDA {
                constexpr Turn w = root((j.value + 1) * k % R, R);
                const Vector<T> s = hn::Set(d, static_cast<T>(w.sin));
                x.re = hn::MulAdd(sums[j.value], hn::Set(d, static_cast<T>(w.cos)), x.re);
                x.im = j.value == 0 ? hn::Mul(differences[j.value], s)
                                    : hn::MulAdd(differences[j.value], s, x.im);
            });
            store(Int<k>(), x);
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        using Map = Composite<R>;
        constexpr int P = Map::P;
        constexpr int Q = Map::Q;
        Vector<T> real[Q];
        Complex<T> between[P / 2][Q];
        unroll<Q>([&](auto b) WEFT_INLINE_LAMBDA {
            RealButterfly<T, P>::run(
                [&](auto a)
                    WEFT_INLINE_LAMBDA { return load(Int<Map::element(a.value, b.value)>()); },
                [&](auto c, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    if constexpr (c.value == 0) {
                        real[b.value] = z.re;
                    } else {
                        between[c.value - 1][b.value] = twiddle<Map::turns(b.value, c.value), R>(z);
                    }
                });
        });
        const auto emit = [&](auto k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            if constexpr (k.value <= h) {
                store(Int<k.value>(), z);
            } else {
                store(Int<R - k.value>(), conjugate<T>(z));
            }
        };
        RealButterfly<T, Q>::run([&](auto b) WEFT_INLINE_LAMBDA { return real[b.value]; },
                                 [&](auto e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                                     emit(Int<Map::frequency(0, e.value)>(), z);
                                 });
        unroll<P / 2>([&](auto c) WEFT_INLINE_LAMBDA {
            Dft<Complex<T>, Q>::run(
                [&](auto b) WEFT_INLINE_LAMBDA { return between[c.value][b.value]; },
                [&](auto e, const Complex<T>& z)
                    WEFT_INLINE_LAMBDA { emit(Int<Map::frequency(c.value + 1, e.value)>(), z); });
        });
    }
};

/// InverseRealButterfly<T, R>::run(load, store): load(Int<k>()) gives X[k], 0 <= k <= h, all of
/// which are loaded before store(Int<j>(), x[j]) is called. The imaginary part of X[0] is not
/// looked at.
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
        const Tag<T> d;
        const Vector<T> x0 = load(Int<0>()).re;
        Complex<T> twice[h];
        Vector<T> total = x0;
        unroll<h>([&](auto k) WEFT_INLINE_LAMBDA {
            const Complex<T> z = load(Int<k.value + 1>());
            twice[k.value] = z + z;
            total = hn::Add(total, twice[k.value].re);
        });
        store(Int<0>(), total);
        unroll<h>([&](auto index) WEFT_INLINE_LAMBDA {
            constexpr int j = index.value + 1;
            Vector<T> even = x0;
            Vector<T> odd = hn::Zero(d);
            unroll<h>([&](auto k) WEFT_INLINE_LAMBDA {
                constexpr Turn w = root((k.value + 1) * j % R, R);
                const Vector<T> s = hn::Set(d, static_cast<T>(w.sin));
                even = hn::MulAdd(twice[k.value].re, hn::Set(d, static_cast<T>(w.cos)), even);
                odd = k.value == 0 ? hn::Mul(twice[k.value].im, s)
                                   : hn::MulAdd(twice[k.value].im, s, odd);
            });
            store(Int<j>(), hn::Sub(even, odd));
            store(Int<R - j>(), hn::Add(even, odd));
        });
    }

    template <class Load, class Store>
    static HWY_INLINE void composite(const Load& load, const Store& store) {
        using Map = Composite<R>;
        constexpr int P = Map::P;
        constexpr int Q = Map::Q;
        const auto get = [&](auto k) WEFT_INLINE_LAMBDA {
            if constexpr (k.value <= h) {
                return load(Int<k.value>());
            } else {
                return conjugate<T>(load(Int<R - k.value>()));
            }
        };
        Complex<T> between[P / 2 + 1][Q];
        InverseRealButterfly<T, Q>::run(
            [&](auto e) WEFT_INLINE_LAMBDA { return get(Int<Map::frequency(0, e.value)>()); },
            [&](auto b, Vector<T> x) WEFT_INLINE_LAMBDA {
                between[0][b.value] = {x, hn::Zero(Tag<T>())};
            });
        unroll<P / 2>([&](auto index) WEFT_INLINE_LAMBDA {
            constexpr int c = index.value + 1;
            // A backward DFT is the forward one of the elements in reverse.
            Dft<Complex<T>, Q>::run(
                [&](auto e)
                    WEFT_INLINE_LAMBDA { return get(Int<Map::frequency(c, (Q - e.value) % Q)>()); },
                [&](auto b, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    between[c][b.value] = twiddle<R - Map::turns(b.value, c), R>(z);
                });
        });
        unroll<Q>([&](auto b) WEFT_INLINE_LAMBDA {
            InverseRealButterfly<T, P>::run(
                [&](auto c) WEFT_INLINE_LAMBDA { return between[c.value][b.value]; },
                [&](auto a, Vector<T> x)
                    WEFT_INLINE_LAMBDA { store(Int<Map::element(a.value, b.value)>(), x); });
        });
    }
};

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
