// Work on tiles of real lines: passes over an odd number of elements, and convolutions.
#pragma once

#include "fft/native/passes.hpp"
#include "fft/native/real/butterfly.hpp"
#include "fft/native/real/staging.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// turn<T>, unless all angles are 0 because the pass is the only one.
template <class T>
HWY_INLINE Complex<T> turn_unless_alone(const Complex<T>& z, const T* twiddles, int k, bool alone) {
    return alone ? z : turn<T>(z, twiddles, k);
}

/// body(c, position): where element c of a line lies.
template <class Body>
HWY_INLINE void for_positions(const Rows& rows, const Body& body) {
    Index c = 0;
    for (Index row = 0; row < rows.count; ++row) {
        for (Index i = 0; i < rows.length; ++i, ++c) body(c, row * rows.stride + i);
    }
}

template <class T, int R>
void first_pass_of_reals(const RealPass<T>& pass, const RealArray<const T>& reals, T* all_lines,
                         T* all_zeros, Index tiles, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.lane_line_);
    const bool ordered = reals.ordered;
    const bool alone = pass.count == 1;
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
                        store<T>(turn_unless_alone<T>(z, twiddles, k, alone),
                                 to + (k - 1) * line_step);
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
                        const RealArray<T>& reals, Index tiles, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.line_lane_);
    const bool ordered = reals.ordered;
    const bool alone = pass.count == 1;
    const Index stride = pass.count * reals.step;
    for (Index t = 0; t < tiles; ++t) {
        const T* lines = all_lines + t * pass.lines_room * width<T>;
        const T* zero = all_zeros + t * pass.zero_room * width<T>;
        T* to = reals.data + t * reals.tile_step;
        const T* twiddles = pass.twiddles.data();
        for (Index c = 0; c < pass.count; ++c) {
            InverseRealButterfly<T, R>::run(
                [&](int k) WEFT_INLINE_LAMBDA {
                    if (k == 0) return Complex<T>{hn::Load(d, zero), hn::Zero(d)};
                    return turn_unless_alone<T>(load<T>(lines + (k - 1) * width<T>), twiddles, k,
                                                alone);
                },
                [&](int j, Vector<T> x) WEFT_INLINE_LAMBDA {
                    hn::StoreU(ordered ? x : hn::TableLookupLanes(x, order), d, to + j * stride);
                });
            lines += h * width<T>;
            zero += lanes<T>;
            to += reals.step;
            twiddles += 2 * h;
        }
    }
}

// An odd radix without a butterfly, by the formula of butterfly.hpp: of one tile or of two, for
// which each root of unity is loaded once.

/// Results that are computed at a time: of two tiles, 2 x 2 x 5 sums of 32 registers, 2 x 2 x 3
/// of 16.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr int prime_group = 5;
#else
inline constexpr int prime_group = 3;
#endif

/// x[g] += (a cos, b sin) for pairs (a, b) of every element of `pairs`, and results first + g.
template <class T, int Tiles, int Group>
HWY_INLINE void add_terms(const T* pairs, Index h, const T* roots, Index n, Index first,
                          Complex<T> (&x)[Tiles][Group]) {
    const Tag<T> d;
    Index angle[Group] = {};
    for (Index j = 0; j < h; ++j) {
        Complex<T> both[Tiles];
        unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
            both[t] = load<T>(pairs + (j * Tiles + t) * width<T>);
        });
        unroll(indices<Group>, [&](int g) WEFT_INLINE_LAMBDA {
            angle[g] += first + g;
            angle[g] -= angle[g] >= n ? n : 0;
            const Vector<T> cos = hn::Set(d, roots[2 * angle[g]]);
            const Vector<T> sin = hn::Set(d, roots[2 * angle[g] + 1]);
            unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
                Complex<T>& sum = x[t][g];
                sum = {hn::MulAdd(both[t].re, cos, sum.re), hn::MulAdd(both[t].im, sin, sum.im)};
            });
        });
    }
}

template <class T, int Tiles>
void first_prime(const RealPass<T>& pass, const RealArray<const T>& reals, T* lines, T* zero,
                 T* work) {
    constexpr int group = prime_group;
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * reals.step;
    const T* twiddles = pass.twiddles.data();
    const T* roots = twiddles + 2 * pass.count * h;
    const T* all = reals.data;
    for_positions(pass.rows, [&](Index c, Index position) {
        Vector<T> x0[Tiles];
        unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
            const T* from = all + t * reals.tile_step;
            x0[t] = hn::Load(d, from);
            Vector<T> total = x0[t];
            for (Index j = 1; j <= h; ++j) {
                const Vector<T> a = hn::Load(d, from + j * stride);
                const Vector<T> b = hn::Load(d, from + (n - j) * stride);
                store<T>({hn::Add(a, b), hn::Sub(b, a)}, work + ((j - 1) * Tiles + t) * width<T>);
                total = hn::Add(total, hn::Add(a, b));
            }
            hn::Store(total, d, zero + t * pass.zero_room * width<T> + c * lanes<T>);
        });
        for (Index first = 1; first <= h; first += group) {
            Complex<T> x[Tiles][group];
            unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
                std::fill_n(x[t], group, Complex<T>{x0[t], hn::Zero(d)});
            });
            add_terms<T, Tiles, group>(work, h, roots, n, first, x);
            for (Index k = first; k < std::min<Index>(first + group, h + 1); ++k) {
                const Vector<T> cos = hn::Set(d, twiddles[2 * k - 2]);
                const Vector<T> sin = hn::Set(d, twiddles[2 * k - 1]);
                for (Index t = 0; t < Tiles; ++t) {
                    const Index element = t * pass.lines_room + (k - 1) * pass.line_step + position;
                    const Complex<T>& z = x[t][k - first];
                    store<T>(pass.count == 1 ? z : rotate<T>(z, cos, sin),
                             lines + element * width<T>);
                }
            }
        }
        all += reals.step;
        twiddles += 2 * h;
    });
}

template <class T>
void first_pass_of_reals_prime(const RealPass<T>& pass, const RealArray<const T>& reals, T* lines,
                               T* zero, Index tiles, T* work) {
    RealArray<const T> from = reals;
    for (; tiles > 0; tiles -= 2) {
        const auto kernel = tiles > 1 ? first_prime<T, 2> : first_prime<T, 1>;
        kernel(pass, from, lines, zero, work);
        from.data += 2 * from.tile_step;
        lines += 2 * pass.lines_room * width<T>;
        zero += 2 * pass.zero_room * width<T>;
    }
}

template <class T, int Tiles>
void last_prime(const RealPass<T>& pass, const T* lines, const T* zero, const RealArray<T>& reals,
                T* work) {
    constexpr int group = prime_group;
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * reals.step;
    const T* twiddles = pass.twiddles.data();
    const T* roots = twiddles + 2 * pass.count * h;
    T* all = reals.data;
    for (Index c = 0; c < pass.count; ++c) {
        Vector<T> x0[Tiles];
        unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
            const T* line = lines + (t * pass.lines_room + c * h) * width<T>;
            x0[t] = hn::Load(d, zero + t * pass.zero_room * width<T> + c * lanes<T>);
            Vector<T> total = x0[t];
            for (Index k = 0; k < h; ++k) {
                Complex<T> z = load<T>(line + k * width<T>);
                if (pass.count > 1) {
                    z = rotate<T>(z, hn::Set(d, twiddles[2 * k]), hn::Set(d, twiddles[2 * k + 1]));
                }
                store<T>(z + z, work + (k * Tiles + t) * width<T>);
                total = hn::Add(total, hn::Add(z.re, z.re));
            }
            hn::Store(total, d, all + t * reals.tile_step);
        });
        for (Index first = 1; first <= h; first += group) {
            Complex<T> x[Tiles][group];  // even and odd parts
            unroll(indices<Tiles>, [&](int t) WEFT_INLINE_LAMBDA {
                std::fill_n(x[t], group, Complex<T>{x0[t], hn::Zero(d)});
            });
            add_terms<T, Tiles, group>(work, h, roots, n, first, x);
            for (Index j = first; j < std::min<Index>(first + group, h + 1); ++j) {
                for (Index t = 0; t < Tiles; ++t) {
                    const Complex<T>& sum = x[t][j - first];
                    T* to = all + t * reals.tile_step;
                    hn::Store(hn::Sub(sum.re, sum.im), d, to + j * stride);
                    hn::Store(hn::Add(sum.re, sum.im), d, to + (n - j) * stride);
                }
            }
        }
        all += reals.step;
        twiddles += 2 * h;
    }
}

template <class T>
void last_pass_of_reals_prime(const RealPass<T>& pass, const T* lines, const T* zero,
                              const RealArray<T>& reals, Index tiles, T* work) {
    RealArray<T> to = reals;
    for (; tiles > 0; tiles -= 2) {
        const auto kernel = tiles > 1 ? last_prime<T, 2> : last_prime<T, 1>;
        kernel(pass, lines, zero, to, work);
        to.data += 2 * to.tile_step;
        lines += 2 * pass.lines_room * width<T>;
        zero += 2 * pass.zero_room * width<T>;
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
