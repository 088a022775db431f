// Work on tiles of real lines: passes over an odd number of elements, the two halves of an even
// one, and the convolutions of primes.
#pragma once

#include "fft/native/passes.hpp"
#include "fft/native/real_butterfly.hpp"
#include "fft/native/staging.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// body(c, position): where element c of a line lies.
template <class Body>
HWY_INLINE void for_positions(const Rows& rows, const Body& body) {
    Index c = 0;
    for (Index row = 0; row < rows.count; ++row) {
        for (Index i = 0; i < rows.length; ++i, ++c) body(c, row * rows.stride + i);
    }
}

template <class T, int R>
void first_pass_of_reals(const RealPass<T>& pass, const RealSource<T>& reals, T* all_lines,
                         T* all_zeros, Index tiles, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.lane_line_);
    const bool ordered = reals.ordered;
    const Index stride = pass.count * reals.step;
    const Index line_step = pass.line_step * width<T>;
    for (Index t = 0; t < tiles; ++t) {
        const T* from = reals.data + t * reals.tile_step;
        T* lines = all_lines + t * pass.lines_room * width<T>;
        T* zero = all_zeros + t * pass.zero_room * width<T>;
        const T* twiddles = pass.twiddles.data();
        for_positions(pass.rows, [&](Index /*c*/, Index position) WEFT_INLINE_LAMBDA {
            T* to = lines + position * width<T>;
            RealButterfly<T, R>::run(
                [&](int j) WEFT_INLINE_LAMBDA {
                    const Vector<T> x = hn::LoadU(d, from + j * stride);
                    return ordered ? x : hn::TableLookupLanes(x, order);
                },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    if (k == 0) {
                        hn::Store(z.re, d, zero);
                    } else {
                        store<T>(turn<T>(z, twiddles, k), to + (k - 1) * line_step);
                    }
                });
            from += reals.step;
            zero += lanes<T>;
            twiddles += 2 * h;
        });
    }
}

template <class T, int R>
void last_pass_of_reals(const RealPass<T>& pass, const T* all_lines, const T* all_zeros,
                        T* all_reals, Index tiles, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    const Index stride = pass.count * one;
    for (Index t = 0; t < tiles; ++t) {
        const T* lines = all_lines + t * pass.lines_room * width<T>;
        const T* zero = all_zeros + t * pass.zero_room * width<T>;
        T* reals = all_reals + t * pass.reals_room * width<T>;
        const T* twiddles = pass.twiddles.data();
        for (Index c = 0; c < pass.count; ++c) {
            InverseRealButterfly<T, R>::run(
                [&](int k) WEFT_INLINE_LAMBDA {
                    if (k == 0) return Complex<T>{hn::Load(d, zero), hn::Zero(d)};
                    return turn<T>(load<T>(lines + (k - 1) * width<T>), twiddles, k);
                },
                [&](int j, Vector<T> x)
                    WEFT_INLINE_LAMBDA { hn::Store(x, d, reals + j * stride); });
            lines += h * width<T>;
            zero += one;
            reals += one;
            twiddles += 2 * h;
        }
    }
}

/// body(g, cos, sin): the roots of unity of one term, for `group` results from `first` on, whose
/// angles have got that far.
template <class T, int Group, class Body>
HWY_INLINE void for_results(const T* roots, Index n, Index first, Index* angle, const Body& body) {
    const Tag<T> d;
    unroll(indices<Group>, [&](int g) WEFT_INLINE_LAMBDA {
        angle[g] += first + g;
        angle[g] -= angle[g] >= n ? n : 0;
        body(g, hn::Set(d, roots[2 * angle[g]]), hn::Set(d, roots[2 * angle[g] + 1]));
    });
}

/// first_pass_of_reals of one tile for an odd radix without a butterfly; `work` holds the sums and
/// differences.
template <class T>
void first_pass_of_reals_prime(const RealPass<T>& pass, const RealSource<T>& reals, T* lines,
                               T* zero, Index /*tiles*/, T* work) {
    constexpr Index one = lanes<T>;
    constexpr int group = 4;
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * one;
    const T* twiddles = pass.twiddles.data();
    const T* roots = twiddles + 2 * pass.count * h;
    for_positions(pass.rows, [&](Index c, Index position) {
        const T* from = reals.data + c * one;
        T* to = lines + position * width<T>;
        const Vector<T> x0 = hn::Load(d, from);
        Vector<T> total = x0;
        for (Index j = 1; j <= h; ++j) {
            const Vector<T> a = hn::Load(d, from + j * stride);
            const Vector<T> b = hn::Load(d, from + (n - j) * stride);
            const Complex<T> both = {hn::Add(a, b), hn::Sub(b, a)};
            store<T>(both, work + (j - 1) * width<T>);
            total = hn::Add(total, both.re);
        }
        hn::Store(total, d, zero + c * one);
        for (Index first = 1; first <= h; first += group) {
            Complex<T> x[group];
            unroll(indices<group>, [&](int g) WEFT_INLINE_LAMBDA { x[g] = {x0, hn::Zero(d)}; });
            Index angle[group] = {};
            for (Index j = 0; j < h; ++j) {
                const Complex<T> both = load<T>(work + j * width<T>);
                for_results<T, group>(roots, n, first, angle,
                                      [&](int g, Vector<T> cos, Vector<T> sin) WEFT_INLINE_LAMBDA {
                                          x[g] = {hn::MulAdd(both.re, cos, x[g].re),
                                                  hn::MulAdd(both.im, sin, x[g].im)};
                                      });
            }
            unroll(indices<group>, [&](int g) WEFT_INLINE_LAMBDA {
                const Index k = first + g;
                if (k > h) return;
                store<T>(rotate<T>(x[g], hn::Set(d, twiddles[2 * k - 2]),
                                   hn::Set(d, twiddles[2 * k - 1])),
                         to + (k - 1) * pass.line_step * width<T>);
            });
        }
        twiddles += 2 * h;
    });
}

/// last_pass_of_reals of one tile for an odd radix without a butterfly; `work` holds the spectrum
/// twice.
template <class T>
void last_pass_of_reals_prime(const RealPass<T>& pass, const T* lines, const T* zero, T* reals,
                              Index /*tiles*/, T* work) {
    constexpr Index one = lanes<T>;
    constexpr int group = 4;
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * one;
    const T* twiddles = pass.twiddles.data();
    const T* roots = twiddles + 2 * pass.count * h;
    for (Index c = 0; c < pass.count; ++c) {
        const Vector<T> x0 = hn::Load(d, zero);
        Vector<T> total = x0;
        for (Index k = 0; k < h; ++k) {
            const Complex<T> z =
                rotate<T>(load<T>(lines + k * width<T>), hn::Set(d, twiddles[2 * k]),
                          hn::Set(d, twiddles[2 * k + 1]));
            store<T>(z + z, work + k * width<T>);
            total = hn::Add(total, hn::Add(z.re, z.re));
        }
        hn::Store(total, d, reals);
        for (Index first = 1; first <= h; first += group) {
            Complex<T> x[group];  // even and odd parts
            unroll(indices<group>, [&](int g) WEFT_INLINE_LAMBDA { x[g] = {x0, hn::Zero(d)}; });
            Index angle[group] = {};
            for (Index k = 0; k < h; ++k) {
                const Complex<T> twice = load<T>(work + k * width<T>);
                for_results<T, group>(roots, n, first, angle,
                                      [&](int g, Vector<T> cos, Vector<T> sin) WEFT_INLINE_LAMBDA {
                                          x[g] = {hn::MulAdd(twice.re, cos, x[g].re),
                                                  hn::MulAdd(twice.im, sin, x[g].im)};
                                      });
            }
            unroll(indices<group>, [&](int g) WEFT_INLINE_LAMBDA {
                const Index j = first + g;
                if (j > h) return;
                hn::Store(hn::Sub(x[g].re, x[g].im), d, reals + j * stride);
                hn::Store(hn::Add(x[g].re, x[g].im), d, reals + (n - j) * stride);
            });
        }
        lines += h * width<T>;
        zero += one;
        reals += one;
        twiddles += 2 * h;
    }
}

/// to[target[j]] = from[source[j]], real elements.
template <class T>
void permute_reals(const T* from, const Index* source, Index count, T* to, const Index* target) {
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    for (Index j = 0; j < count; ++j) {
        hn::Store(hn::Load(d, from + source[j] * one), d, to + target[j] * one);
    }
}

/// w = a from[j] + b conj from[(n-j) mod n], put at target[j] with real and imaginary parts
/// exchanged. factors: re, im of a and b.
template <class T>
void multiply_pairs(const T* from, const T* factors, Index n, T* to, const Index* target) {
    const Tag<T> d;
    for (Index j = 0; j < n; ++j, factors += 4) {
        const Complex<T> z = load<T>(from + j * width<T>);
        const Complex<T> y = conjugate<T>(load<T>(from + (j == 0 ? 0 : n - j) * width<T>));
        // rotate multiplies by c - is.
        const Complex<T> w = rotate<T>(z, hn::Set(d, factors[0]), hn::Set(d, -factors[1])) +
                             rotate<T>(y, hn::Set(d, factors[2]), hn::Set(d, -factors[3]));
        store<T>({w.im, w.re}, to + target[j] * width<T>);
    }
}

/// X[q] = x0 + H[q] + H[q+h] - i (H[q] - H[q+h]), H real with element j at position[j].
template <class T>
void spectrum_from_hartley(const T* hartley, const Index* position, Index h, const T* x0, T* to) {
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    const Vector<T> first = hn::Load(d, x0);
    for (Index q = 0; q < h; ++q) {
        const Vector<T> a = hn::Load(d, hartley + position[q] * one);
        const Vector<T> b = hn::Load(d, hartley + position[q + h] * one);
        store<T>({hn::Add(first, hn::Add(a, b)), hn::Sub(b, a)}, to + q * width<T>);
    }
}

/// H[q] = Re X[q] - Im X[q], H[q+h] = Re X[q] + Im X[q], put at position[q] and position[q+h].
/// sum[0] = x0 + all of H.
template <class T>
void hartley_from_spectrum(const T* x, Index h, const T* x0, T* hartley, const Index* position,
                           T* sum) {
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    Vector<T> total = hn::Load(d, x0);
    for (Index q = 0; q < h; ++q) {
        const Complex<T> z = load<T>(x + q * width<T>);
        hn::Store(hn::Sub(z.re, z.im), d, hartley + position[q] * one);
        hn::Store(hn::Add(z.re, z.im), d, hartley + position[q + h] * one);
        total = hn::Add(total, hn::Add(z.re, z.re));
    }
    hn::Store(total, d, sum);
}

/// to[target[j]] = addend + from[source[j]], real elements.
template <class T>
void scatter_reals(const T* from, const Index* source, const T* addend, Index count, T* to,
                   const Index* target) {
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    const Vector<T> x0 = hn::Load(d, addend);
    for (Index j = 0; j < count; ++j) {
        hn::Store(hn::Add(x0, hn::Load(d, from + source[j] * one)), d, to + target[j] * one);
    }
}

/// to[0] = the sum of `count` real elements.
template <class T>
void sum_reals(const T* from, Index count, T* to) {
    constexpr Index one = lanes<T>;
    const Tag<T> d;
    Vector<T> total = hn::Load(d, from);
    for (Index j = 1; j < count; ++j) total = hn::Add(total, hn::Load(d, from + j * one));
    hn::Store(total, d, to);
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
