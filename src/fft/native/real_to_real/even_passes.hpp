// The passes beside the DFTs of dct2, dct3, dct4 and their sines of even length (see
// real_to_real/kernels.hpp).
#pragma once

#include "fft/native/real/staging.hpp"
#include "fft/native/real_to_real/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Element `e` of tile `t`.
template <class U>
HWY_INLINE auto load_real(const RealArray<U>& from, Index e, Index t) {
    return hn::LoadU(Tag<std::remove_const_t<U>>(), from.data + e * from.step + t * from.tile_step);
}
template <class T>
HWY_INLINE void store_real(Vector<T> x, const RealArray<T>& to, Index e, Index t) {
    hn::StoreU(x, Tag<T>(), to.data + e * to.step + t * to.tile_step);
}

/// The line backwards.
template <class U>
HWY_INLINE RealArray<U> reversed(RealArray<U> array, Index n) {
    array.data += (n - 1) * array.step;
    array.step = -array.step;
    return array;
}
/// h of the halves of 2h elements, for 0 <= k <= h.
template <class T>
Index half_of(const StepTables<T>& halves) {
    return static_cast<Index>(halves.turns.size()) - 1;
}

/// The pairs of a contiguous line are complex numbers, of each tile a run.
template <class T>
Runs pair_runs(const Lanes<T>& lines, std::size_t count, Index tiles) {
    return {tiles, static_cast<Index>(count / 2), 0, lines.lanes * lines.lane_step, 1};
}
template <class U>
HWY_INLINE Lanes<U> as_pairs(const Lanes<U>& lines) {
    return {lines.data, 2, lines.lane_step, lines.lanes, false, lines.ahead};
}

/// exp(-i angle) z, for cos and sin of the angle.
template <class T>
HWY_INLINE Complex<T> turned_by(const Complex<T>& z, const T* turn) {
    const Tag<T> d;
    return rotate<T>(z, hn::Set(d, turn[0]), hn::Set(d, turn[1]));
}

/// Elements k, n-k, h-k and h+k of a line of n = 2h after the DFT of a dct2; of k = 0 the elements
/// 0 and h, twice.
template <class T>
struct Quarters {
    HWY_INLINE Quarters(const T* z, Index h, Index k, const TwoTurns<T>& turn) {
        const Complex<T> a = load<T>(z + k * width<T>);
        const Complex<T> b = load<T>(z + (k == 0 ? 0 : h - k) * width<T>);
        const Complex<T> even =
            turned_by<T>({hn::Add(a.re, b.re), hn::Sub(a.im, b.im)}, turn.first);
        const Complex<T> odd =
            turned_by<T>({hn::Add(a.im, b.im), hn::Sub(b.re, a.re)}, turn.second);
        sum = even + odd;
        difference =
            scaled<T>(even - odd, hn::Set(Tag<T>(), static_cast<T>(0.70710678118654752440L)));
    }
    HWY_INLINE Vector<T> at_k() const { return sum.re; }
    HWY_INLINE Vector<T> at_n_minus_k() const { return hn::Neg(sum.im); }
    HWY_INLINE Vector<T> at_h_minus_k() const { return hn::Sub(difference.re, difference.im); }
    HWY_INLINE Vector<T> at_h_plus_k() const { return hn::Add(difference.re, difference.im); }

    Complex<T> sum;
    Complex<T> difference;
};

template <class T>
void part_halves(Tiles<T> from, const StepTables<T>& tables, RealArray<T> line) {
    const Index h = half_of(tables);
    const TwoTurns<T>* turns = tables.turns.data();
    const RealArray<T> to = tables.sine ? reversed(line, 2 * h) : line;
    for (Index k = 0; 2 * k <= h; ++k) {
        for (Index t = 0; t < from.count; ++t) {
            const Quarters<T> x(from.at(t), h, k, turns[k]);
            store_real<T>(x.at_k(), to, k, t);
            if (k > 0) store_real<T>(x.at_n_minus_k(), to, 2 * h - k, t);
            if (2 * k == h) continue;
            store_real<T>(x.at_h_minus_k(), to, h - k, t);
            if (k > 0) store_real<T>(x.at_h_plus_k(), to, h + k, t);
        }
    }
}

/// So many elements of contiguous lines of n from `first` on, or opposite to these.
template <class T>
HWY_INLINE void store_reals_to_lines(const Vector<T>* x, Index first, Index n, bool backwards,
                                     const Lanes<T>& to) {
    constexpr Index count = 2 * group<T>;
    T* data = to.data + (backwards ? n - first - count : first);
    store_lines<T, 1>(
        [&](Index pair) WEFT_INLINE_LAMBDA {
            const Index e = 2 * pair;
            return backwards ? Complex<T>{x[count - 1 - e], x[count - 2 - e]}
                             : Complex<T>{x[e], x[e + 1]};
        },
        0, data, to.lane_step);
}

/// Of one tile. From the front and from the middle on upwards as many elements as are stored
/// together, and down from the end and from the middle as many, one step later. What is computed
/// twice in the end is the same but for rounding.
template <class T, bool Backwards>
HWY_INLINE void part_halves_to_tile_lines(const T* z, Index h, const TwoTurns<T>* turns,
                                          const Lanes<T>& to) {
    constexpr int count = static_cast<int>(2 * group<T>);
    Vector<T> up[count];
    Vector<T> middle_up[count];
    Vector<T> down[count];
    Vector<T> middle_down[count];
    for (Index first = 0; 2 * first <= h + count - 1; first += count) {
        unroll(indices<count>, [&](int i) WEFT_INLINE_LAMBDA {
            const Quarters<T> x(z, h, first + i, turns[first + i]);
            up[i] = x.at_k();
            middle_up[i] = x.at_h_plus_k();
            if (i == 0) {
                down[0] = x.at_n_minus_k();
                middle_down[0] = x.at_h_minus_k();
                if (first > 0) {
                    store_reals_to_lines<T>(down, 2 * h - first, 2 * h, Backwards, to);
                    store_reals_to_lines<T>(middle_down, h - first, 2 * h, Backwards, to);
                }
            } else {
                down[count - i] = x.at_n_minus_k();
                middle_down[count - i] = x.at_h_minus_k();
            }
        });
        store_reals_to_lines<T>(up, first, 2 * h, Backwards, to);
        store_reals_to_lines<T>(middle_up, h + first, 2 * h, Backwards, to);
    }
}

/// Whether all that is stored at a time shares few sets of the nearest cache, and more of it than
/// they hold.
template <class T>
HWY_INLINE bool crowds_cache(Index h, const Lanes<T>& to) {
    constexpr Index page = 4096 / static_cast<Index>(sizeof(T));
    constexpr Index most_lines = 16;
    return 4 * lanes<T> > most_lines && h % page == 0 && to.lane_step % page == 0;
}

template <class T>
bool part_halves_to_lines(Tiles<T> from, const StepTables<T>& tables, const Lanes<T>& all) {
    const Index h = half_of(tables);
    if (!transposes<T> || all.lanes != lanes<T> || h < 6 * group<T>) return false;
    if (crowds_cache(h, all)) return false;
    Lanes<T> to = all;
    for (Index t = 0; t < from.count; ++t, to.data += lanes<T> * to.lane_step) {
        const auto kernel =
            tables.sine ? part_halves_to_tile_lines<T, true> : part_halves_to_tile_lines<T, false>;
        kernel(from.at(t), h, tables.turns.data(), to);
    }
    return true;
}

template <class T>
void join_real_halves(RealArray<const T> line, const StepTables<T>& tables, Tiles<T> to) {
    const Tag<T> d;
    const Index h = half_of(tables);
    const Index n = 2 * h;
    const TwoTurns<T>* turns = tables.turns.data();
    const RealArray<const T> from = tables.sine ? reversed(line, n) : line;
    const Vector<T> root_half = hn::Set(d, static_cast<T>(0.70710678118654752440L));
    for (Index k = 0; 2 * k <= h; ++k) {
        const TwoTurns<T>& turn = turns[k];
        for (Index t = 0; t < to.count; ++t) {
            const auto x = [&](Index e) WEFT_INLINE_LAMBDA { return load_real(from, e, t); };
            // The conjugates of t V[k] and of exp(-i pi/4) conj(t V[h-k]).
            const Complex<T> a = {x(k), k == 0 ? hn::Zero(d) : x(n - k)};
            const Vector<T> near = hn::Mul(x(h - k), root_half);
            const Vector<T> far = hn::Mul(x(h + k), root_half);
            const Complex<T> b = {hn::Add(near, far), hn::Sub(near, far)};
            const Complex<T> even = turned_by<T>(a + b, turn.first);
            const Complex<T> odd = turned_by<T>(a - b, turn.second);
            T* z = to.at(t);
            // Z[k] = E + i O, Z[h-k] = conj E + i conj O, for the conjugates of E and O.
            store<T>({hn::Add(even.re, odd.im), hn::Sub(odd.re, even.im)},
                     z + turn.position * width<T>);
            if (k == 0) continue;
            store<T>({hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)},
                     z + turn.opposite_position * width<T>);
        }
    }
}

/// z of elements 2j and n-1-2j of the line; a sine transform is the cosine transform of the line
/// backwards, with every other sign turned.
template <class T>
HWY_INLINE Complex<T> joined(Vector<T> x, Vector<T> y, const TwoTurns<T>& turn, bool sine) {
    return turned_by<T>(sine ? Complex<T>{y, x} : Complex<T>{x, y}, turn.first);
}

template <class T>
void join_opposites(RealArray<const T> from, const StepTables<T>& tables, Tiles<T> to) {
    const auto h = static_cast<Index>(tables.turns.size());
    const TwoTurns<T>* turns = tables.turns.data();
    const bool sine = tables.sine;
    for (Index j = 0; j < h; ++j) {
        T* element = to.data + turns[j].position * width<T>;
        for (Index t = 0; t < to.count; ++t) {
            store<T>(joined<T>(load_real(from, 2 * j, t), load_real(from, 2 * (h - j) - 1, t),
                               turns[j], sine),
                     element + t * to.room);
        }
    }
}

template <class T>
void part_opposites(Tiles<T> from, const StepTables<T>& tables, RealArray<T> to) {
    const auto h = static_cast<Index>(tables.turns.size());
    const TwoTurns<T>* turns = tables.turns.data();
    const bool sine = tables.sine;
    for (Index j = 0; j < h; ++j) {
        const T* element = from.data + j * width<T>;
        for (Index t = 0; t < from.count; ++t) {
            const Complex<T> z = turned_by<T>(load<T>(element + t * from.room), turns[j].second);
            store_real<T>(z.re, to, 2 * j, t);
            store_real<T>(sine ? z.im : hn::Neg(z.im), to, 2 * (h - j) - 1, t);
        }
    }
}

/// A group of pairs from the front and the one opposite to it at a time.
template <class T>
bool join_opposites_of_lines(const Lanes<const T>& from, const StepTables<T>& tables, Tiles<T> to) {
    const auto h = static_cast<Index>(tables.turns.size());
    const TwoTurns<T>* turns = tables.turns.data();
    const bool sine = tables.sine;
    if (!transposes<T> || from.lanes != lanes<T> || h < 2 * group<T>) return false;
    const T* data = from.data;
    const auto load_pairs = [&](Index j, Complex<T>* pairs) WEFT_INLINE_LAMBDA {
        Vector<T> a[group<T>];
        Vector<T> b[group<T>];
        if (from.ahead != 0) ask_for_lines<T>(data, from.lane_step, j, from.ahead);
        load_group<T>(data + 2 * j, from.lane_step, a);
        load_group<T>(data + 2 * j + lanes<T> / 2 * from.lane_step, from.lane_step, b);
        unroll(indices<static_cast<int>(group<T>)>,
               [&](int i) WEFT_INLINE_LAMBDA { pairs[i] = split<T>(a[i], b[i]); });
    };
    for (Index t = 0; t < to.count; ++t, data += lanes<T> * from.lane_step) {
        T* tile = to.at(t);
        for (Index first = 0; 2 * first < h; first += group<T>) {
            Complex<T> front[group<T>];
            Complex<T> back[group<T>];
            load_pairs(first, front);
            load_pairs(h - group<T> - first, back);
            unroll(indices<static_cast<int>(group<T>)>, [&](int i) WEFT_INLINE_LAMBDA {
                const Complex<T>& a = front[i];
                const Complex<T>& b = back[group<T> - 1 - i];
                const TwoTurns<T>& near = turns[first + i];
                const TwoTurns<T>& far = turns[h - 1 - first - i];
                store<T>(joined<T>(a.re, b.im, near, sine), tile + near.position * width<T>);
                store<T>(joined<T>(b.re, a.im, far, sine), tile + far.position * width<T>);
            });
        }
    }
    return true;
}

template <class T>
bool part_opposites_to_lines(Tiles<T> from, const StepTables<T>& tables, const Lanes<T>& to) {
    const auto h = static_cast<Index>(tables.turns.size());
    const TwoTurns<T>* turns = tables.turns.data();
    const bool sine = tables.sine;
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* tile = from.at(r);
            return [tile, h, turns, sine](Index j) WEFT_INLINE_LAMBDA {
                const auto element = [&](Index k) WEFT_INLINE_LAMBDA {
                    return turned_by<T>(load<T>(tile + k * width<T>), turns[k].second);
                };
                const Vector<T> y = element(h - 1 - j).im;
                return Complex<T>{element(j).re, sine ? y : hn::Neg(y)};
            };
        },
        pair_runs(to, 2 * tables.turns.size(), from.count), as_pairs(to));
    return true;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
