// Work on tiles of real lines: passes over an odd number of elements, and convolutions.
#pragma once

#include "fft/native/kernels/passes.hpp"
#include "fft/native/real/butterfly.hpp"
#include "fft/native/real/staging.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// turn<T>, unless all angles are 0 because the pass is the only one.
template <class T>
HWY_INLINE Complex<T> turn_unless_alone(const Complex<T>& z, const T* twiddles, Index k,
                                        bool alone) {
    return alone ? z : turn<T>(z, twiddles, static_cast<int>(k));
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
                         const Tiles<T>& zeros, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.lane_line_);
    const bool ordered = reals.ordered;
    const bool alone = pass.count == 1;
    const Index stride = pass.count * reals.step;
    const Index line_step = pass.line_step * width<T>;
    for (Index t = 0; t < zeros.count; ++t) {
        const T* from = reals.data + t * reals.tile_step;
        T* lines = all_lines + t * pass.lines_room * width<T>;
        T* zero = zeros.at(t);
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
void last_pass_of_reals(const RealPass<T>& pass, const T* all_lines, const Tiles<T>& zeros,
                        const RealArray<T>& reals, T* /*work*/) {
    constexpr int h = (R - 1) / 2;
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.line_lane_);
    const bool ordered = reals.ordered;
    const bool alone = pass.count == 1;
    const Index stride = pass.count * reals.step;
    for (Index t = 0; t < zeros.count; ++t) {
        const T* lines = all_lines + t * pass.lines_room * width<T>;
        const T* zero = zeros.at(t);
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
// which each root of unity is loaded once. As many results at a time as registers hold: of two
// tiles, 2 x 2 x 5 sums of 32, 2 x 2 x 3 of 16.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr int prime_group = 5;
#else
inline constexpr int prime_group = 3;
#endif

/// x[t][g] += a cos(2 pi jk/n) and b sin(2 pi jk/n) for k = first + g and each pair
/// (a, b) = pairs[j-1] of tile t, 0 < j <= h.
template <class T, int Count, int Group>
HWY_INLINE void add_terms(const T* pairs, Index h, const T* roots, Index n, Index first,
                          Complex<T> (&x)[Count][Group]) {
    const Tag<T> d;
    Index angle[Group] = {};
    for (Index j = 0; j < h; ++j) {
        Complex<T> both[Count];
        unroll(indices<Count>, [&](int t) WEFT_INLINE_LAMBDA {
            both[t] = load<T>(pairs + (j * Count + t) * width<T>);
        });
        unroll(indices<Group>, [&](int g) WEFT_INLINE_LAMBDA {
            angle[g] += first + g;
            angle[g] -= angle[g] >= n ? n : 0;
            const Vector<T> cos = hn::Set(d, roots[2 * angle[g]]);
            const Vector<T> sin = hn::Set(d, roots[2 * angle[g] + 1]);
            unroll(indices<Count>, [&](int t) WEFT_INLINE_LAMBDA {
                Complex<T>& sum = x[t][g];
                sum = {hn::MulAdd(both[t].re, cos, sum.re), hn::MulAdd(both[t].im, sin, sum.im)};
            });
        });
    }
}

/// put(k, t, z) for 0 < k <= h: z = x0 + the sum over 0 < j <= h of a cos(2 pi jk/n) and
/// b sin(2 pi jk/n), for the pair (a, b) = pairs[j-1] of each tile.
template <class T, int Count, class Put>
HWY_INLINE void prime_results(const Vector<T> (&x0)[Count], const T* pairs, const T* roots, Index n,
                              const Put& put) {
    constexpr int group = prime_group;
    const Tag<T> d;
    const Index h = (n - 1) / 2;
    for (Index first = 1; first <= h; first += group) {
        Complex<T> x[Count][group];
        unroll(indices<Count>, [&](int t) WEFT_INLINE_LAMBDA {
            std::fill_n(x[t], group, Complex<T>{x0[t], hn::Zero(d)});
        });
        add_terms<T, Count, group>(pairs, h, roots, n, first, x);
        unroll(indices<group>, [&](int g) WEFT_INLINE_LAMBDA {
            if (first + g > h) return;
            unroll(indices<Count>,
                   [&](int t) WEFT_INLINE_LAMBDA { put(first + g, Index{t}, x[t][g]); });
        });
    }
}

/// body(t, number): two tiles at a time, then one, each beginning at tile t.
template <class Body>
HWY_INLINE void for_two_tiles(Index tiles, const Body& body) {
    Index t = 0;
    for (; t + 1 < tiles; t += 2) body(t, std::integral_constant<int, 2>());
    if (t < tiles) body(t, std::integral_constant<int, 1>());
}

template <class T>
void first_pass_of_reals_prime(const RealPass<T>& pass, const RealArray<const T>& reals, T* lines,
                               const Tiles<T>& zeros, T* work) {
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * reals.step;
    const T* roots = pass.twiddles.data() + 2 * pass.count * h;
    for_two_tiles(zeros.count, [&](Index first, auto number) {
        constexpr int count = number.value;
        for_positions(pass.rows, [&](Index c, Index position) {
            Vector<T> x0[count];
            unroll(indices<count>, [&](int t) WEFT_INLINE_LAMBDA {
                const T* from = reals.data + (first + t) * reals.tile_step + c * reals.step;
                x0[t] = hn::Load(d, from);
                Vector<T> total = x0[t];
                for (Index j = 1; j <= h; ++j) {
                    const Vector<T> a = hn::Load(d, from + j * stride);
                    const Vector<T> b = hn::Load(d, from + (n - j) * stride);
                    store<T>({hn::Add(a, b), hn::Sub(b, a)},
                             work + ((j - 1) * count + t) * width<T>);
                    total = hn::Add(total, hn::Add(a, b));
                }
                hn::Store(total, d, zeros.at(first + t) + c * lanes<T>);
            });
            const T* twiddles = pass.twiddles.data() + 2 * c * h;
            prime_results<T>(
                x0, work, roots, n, [&](Index k, Index t, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    const Index element =
                        (first + t) * pass.lines_room + (k - 1) * pass.line_step + position;
                    store<T>(turn_unless_alone<T>(z, twiddles, k, pass.count == 1),
                             lines + element * width<T>);
                });
        });
    });
}

template <class T>
void last_pass_of_reals_prime(const RealPass<T>& pass, const T* lines, const Tiles<T>& zeros,
                              const RealArray<T>& reals, T* work) {
    const Tag<T> d;
    const Index n = pass.radix;
    const Index h = (n - 1) / 2;
    const Index stride = pass.count * reals.step;
    const T* roots = pass.twiddles.data() + 2 * pass.count * h;
    for_two_tiles(zeros.count, [&](Index first, auto number) {
        constexpr int count = number.value;
        for (Index c = 0; c < pass.count; ++c) {
            const T* twiddles = pass.twiddles.data() + 2 * c * h;
            const auto result = [&](Index t) WEFT_INLINE_LAMBDA {
                return reals.data + (first + t) * reals.tile_step + c * reals.step;
            };
            Vector<T> x0[count];
            unroll(indices<count>, [&](int t) WEFT_INLINE_LAMBDA {
                const T* line = lines + ((first + t) * pass.lines_room + c * h) * width<T>;
                x0[t] = hn::Load(d, zeros.at(first + t) + c * lanes<T>);
                Vector<T> total = x0[t];
                for (Index k = 1; k <= h; ++k) {
                    const Complex<T> z = turn_unless_alone<T>(load<T>(line + (k - 1) * width<T>),
                                                              twiddles, k, pass.count == 1);
                    store<T>(z + z, work + ((k - 1) * count + t) * width<T>);
                    total = hn::Add(total, hn::Add(z.re, z.re));
                }
                hn::Store(total, d, result(t));
            });
            prime_results<T>(x0, work, roots, n,
                             [&](Index j, Index t, const Complex<T>& sum) WEFT_INLINE_LAMBDA {
                                 hn::Store(hn::Sub(sum.re, sum.im), d, result(t) + j * stride);
                                 hn::Store(hn::Add(sum.re, sum.im), d,
                                           result(t) + (n - j) * stride);
                             });
        }
    });
}

/// to[target[j]] = from[source[j]], real elements.
template <class T>
void permute_reals(const T* from, const Index* source, Index count, T* to, const Index* target) {
    const Tag<T> d;
    for (Index j = 0; j < count; ++j) {
        hn::Store(hn::Load(d, from + source[j] * lanes<T>), d, to + target[j] * lanes<T>);
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
    const Tag<T> d;
    const Vector<T> first = hn::Load(d, x0);
    for (Index q = 0; q < h; ++q) {
        const Vector<T> a = hn::Load(d, hartley + position[q] * lanes<T>);
        const Vector<T> b = hn::Load(d, hartley + position[q + h] * lanes<T>);
        store<T>({hn::Add(first, hn::Add(a, b)), hn::Sub(b, a)}, to + q * width<T>);
    }
}

/// H[q] = Re X[q] - Im X[q], H[q+h] = Re X[q] + Im X[q], put at position[q] and position[q+h].
/// sum[0] = x0 + all of H.
template <class T>
void hartley_from_spectrum(const T* x, Index h, const T* x0, T* hartley, const Index* position,
                           T* sum) {
    const Tag<T> d;
    Vector<T> total = hn::Load(d, x0);
    for (Index q = 0; q < h; ++q) {
        const Complex<T> z = load<T>(x + q * width<T>);
        hn::Store(hn::Sub(z.re, z.im), d, hartley + position[q] * lanes<T>);
        hn::Store(hn::Add(z.re, z.im), d, hartley + position[q + h] * lanes<T>);
        total = hn::Add(total, hn::Add(z.re, z.re));
    }
    hn::Store(total, d, sum);
}

/// to[target[j]] = addend + from[source[j]], real elements.
template <class T>
void scatter_reals(const T* from, const Index* source, const T* addend, Index count, T* to,
                   const Index* target) {
    const Tag<T> d;
    const Vector<T> x0 = hn::Load(d, addend);
    for (Index j = 0; j < count; ++j) {
        hn::Store(hn::Add(x0, hn::Load(d, from + source[j] * lanes<T>)), d,
                  to + target[j] * lanes<T>);
    }
}

/// to[0] = the sum of `count` real elements.
template <class T>
void sum_reals(const T* from, Index count, T* to) {
    const Tag<T> d;
    Vector<T> total = hn::Load(d, from);
    for (Index j = 1; j < count; ++j) total = hn::Add(total, hn::Load(d, from + j * lanes<T>));
    hn::Store(total, d, to);
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
