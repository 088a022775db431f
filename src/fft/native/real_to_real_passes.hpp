// The passes of real-to-real transforms beside their DFTs (see real_to_real_kernels.hpp).
#pragma once

#include "fft/native/halves.hpp"
#include "fft/native/real_staging.hpp"
#include "fft/native/real_to_real_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Element `e` of tile `t`.
template <class T>
HWY_INLINE Vector<T> load_real(const RealArray<const T>& from, Index e, Index t) {
    return hn::LoadU(Tag<T>(), from.data + e * from.step + t * from.tile_step);
}
template <class T>
HWY_INLINE void store_real(Vector<T> x, const RealArray<T>& to, Index e, Index t) {
    hn::StoreU(x, Tag<T>(), to.data + e * to.step + t * to.tile_step);
}

template <class T>
void scatter_reals_from(const RealArray<const T>& from, const RealPlace<T>* places, Index count,
                        const DftTiles<T>& to) {
    const Tag<T> d;
    for (Index e = 0; e < count; ++e) {
        const Vector<T> factor = hn::Set(d, places[e].factor);
        T* number = to.data + places[e].number;
        for (Index t = 0; t < to.count; ++t) {
            hn::Store(hn::Mul(load_real<T>(from, e, t), factor), d, number + t * to.room);
        }
    }
}

template <class T>
void gather_reals_to(const DftTiles<const T>& from, const RealPlace<T>* places, Index count,
                     const RealArray<T>& to) {
    const Tag<T> d;
    for (Index e = 0; e < count; ++e) {
        const Vector<T> factor = hn::Set(d, places[e].factor);
        const T* number = from.data + places[e].number;
        for (Index t = 0; t < from.count; ++t) {
            store_real<T>(hn::Mul(hn::Load(d, number + t * from.room), factor), to, e, t);
        }
    }
}

/// The pairs of a contiguous line are complex numbers, of each tile a run.
template <class T>
Runs pair_runs(const Lanes<T>& lines, Index count, Index tiles) {
    return {tiles, count / 2, 0, lines.lanes * lines.lane_step, 1};
}
template <class U>
HWY_INLINE Lanes<U> as_pairs(const Lanes<U>& lines) {
    return {lines.data, 2, lines.lane_step, lines.lanes, false, lines.ahead};
}

template <class T>
void scatter_lines(const Lanes<const T>& from, const RealPlace<T>* places, Index count,
                   const DftTiles<T>& to) {
    const Tag<T> d;
    const auto put = [d](Vector<T> x, const RealPlace<T>& place, T* tile) WEFT_INLINE_LAMBDA {
        hn::Store(hn::Mul(x, hn::Set(d, place.factor)), d, tile + place.number);
    };
    const Runs runs = pair_runs(from, count, to.count);
    read_runs<T>(as_pairs(from), runs, [&](Index r) WEFT_INLINE_LAMBDA {
        T* tile = to.data + r * to.room;
        return [tile, places, put](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            put(z.re, places[2 * e], tile);
            put(z.im, places[2 * e + 1], tile);
        };
    });
    if (count % 2 == 0) return;
    HWY_ALIGN T last[lanes<T>];
    Lanes<const T> end = from;
    end.data += count - 1;
    for (Index t = 0; t < to.count; ++t, end.data += runs.step) {
        read_part<T>(end, 1, last);
        put(hn::Load(d, last), places[count - 1], to.data + t * to.room);
    }
}

template <class T>
void gather_lines(const DftTiles<const T>& from, const RealPlace<T>* places, Index count,
                  const Lanes<T>& to) {
    const Tag<T> d;
    const auto get = [d](const RealPlace<T>& place, const T* tile) WEFT_INLINE_LAMBDA {
        return hn::Mul(hn::Load(d, tile + place.number), hn::Set(d, place.factor));
    };
    const Runs runs = pair_runs(to, count, from.count);
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* tile = from.data + r * from.room;
            return [tile, places, get](Index e) WEFT_INLINE_LAMBDA {
                return Complex<T>{get(places[2 * e], tile), get(places[2 * e + 1], tile)};
            };
        },
        runs, as_pairs(to));
    if (count % 2 == 0) return;
    HWY_ALIGN T last[lanes<T>];
    Lanes<T> end = to;
    end.data += count - 1;
    for (Index t = 0; t < from.count; ++t, end.data += runs.step) {
        hn::Store(get(places[count - 1], from.data + t * from.room), d, last);
        write_part<T>(last, 1, end);
    }
}

template <class T>
void join_pairs(const RealArray<const T>& from, const RealPair<T>* pairs, Index count,
                const DftTiles<T>& to) {
    const Tag<T> d;
    for (const RealPair<T>* pair = pairs; pair != pairs + count; ++pair) {
        const Vector<T> a = hn::Set(d, pair->a);
        const Vector<T> b = hn::Set(d, pair->b);
        const Vector<T> c = hn::Set(d, pair->c);
        const Vector<T> e = hn::Set(d, pair->d);
        T* element = to.data + pair->element * width<T>;
        for (Index t = 0; t < to.count; ++t) {
            const Vector<T> x = load_real<T>(from, pair->x, t);
            const Vector<T> y = load_real<T>(from, pair->y, t);
            store<T>({hn::MulAdd(b, y, hn::Mul(a, x)), hn::MulAdd(e, y, hn::Mul(c, x))},
                     element + t * to.room);
        }
    }
}

template <class T>
void part_pairs(const DftTiles<const T>& from, const RealPair<T>* pairs, Index count,
                const RealArray<T>& to) {
    const Tag<T> d;
    for (const RealPair<T>* pair = pairs; pair != pairs + count; ++pair) {
        const Vector<T> a = hn::Set(d, pair->a);
        const Vector<T> b = hn::Set(d, pair->b);
        const Vector<T> c = hn::Set(d, pair->c);
        const Vector<T> e = hn::Set(d, pair->d);
        const T* element = from.data + pair->element * width<T>;
        for (Index t = 0; t < from.count; ++t) {
            const Complex<T> z = load<T>(element + t * from.room);
            store_real<T>(hn::MulAdd(b, z.im, hn::Mul(a, z.re)), to, pair->x, t);
            store_real<T>(hn::MulAdd(e, z.im, hn::Mul(c, z.re)), to, pair->y, t);
        }
    }
}

/// exp(-i angle) z, for cos and sin of the angle.
template <class T>
HWY_INLINE Complex<T> turned_by(const Complex<T>& z, const T* turn) {
    const Tag<T> d;
    return rotate<T>(z, hn::Set(d, turn[0]), hn::Set(d, turn[1]));
}

template <class T>
void part_halves(const DftTiles<const T>& from, Index h, const HalvesTurn<T>* turns,
                 const RealArray<T>& to) {
    const Tag<T> d;
    const Index n = 2 * h;
    const Vector<T> root_half = hn::Set(d, static_cast<T>(0.70710678118654752440L));
    for (Index k = 0; 2 * k <= h; ++k) {
        const HalvesTurn<T>& turn = turns[k];
        for (Index t = 0; t < from.count; ++t) {
            const T* z = from.data + t * from.room;
            const Complex<T> a = load<T>(z + k * width<T>);
            const Complex<T> b = load<T>(z + (k == 0 ? 0 : h - k) * width<T>);
            const Complex<T> even =
                turned_by<T>({hn::Add(a.re, b.re), hn::Sub(a.im, b.im)}, turn.even);
            const Complex<T> odd =
                turned_by<T>({hn::Add(a.im, b.im), hn::Sub(b.re, a.re)}, turn.odd);
            store_real<T>(hn::Add(even.re, odd.re), to, k, t);
            if (k > 0) store_real<T>(hn::Neg(hn::Add(even.im, odd.im)), to, n - k, t);
            if (2 * k == h) continue;
            const Complex<T> opposite = scaled<T>(even - odd, root_half);
            store_real<T>(hn::Sub(opposite.re, opposite.im), to, h - k, t);
            if (k > 0) store_real<T>(hn::Add(opposite.re, opposite.im), to, h + k, t);
        }
    }
}

template <class T>
void join_real_halves(const RealArray<const T>& from, Index h, const HalvesTurn<T>* turns,
                      const DftTiles<T>& to) {
    const Tag<T> d;
    const Index n = 2 * h;
    const Vector<T> root_half = hn::Set(d, static_cast<T>(0.70710678118654752440L));
    for (Index k = 0; 2 * k <= h; ++k) {
        const HalvesTurn<T>& turn = turns[k];
        for (Index t = 0; t < to.count; ++t) {
            const auto x = [&](Index e) WEFT_INLINE_LAMBDA { return load_real<T>(from, e, t); };
            // The conjugates of t V[k] and of exp(-i pi/4) conj(t V[h-k]).
            const Complex<T> a = {x(k), k == 0 ? hn::Zero(d) : x(n - k)};
            const Vector<T> near = hn::Mul(x(h - k), root_half);
            const Vector<T> far = hn::Mul(x(h + k), root_half);
            const Complex<T> b = {hn::Add(near, far), hn::Sub(near, far)};
            const Complex<T> even = turned_by<T>(a + b, turn.even);
            const Complex<T> odd = turned_by<T>(a - b, turn.odd);
            T* z = to.data + t * to.room;
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
HWY_INLINE Complex<T> joined(Vector<T> x, Vector<T> y, const OppositesTurn<T>& turn, bool sine) {
    return turned_by<T>(sine ? Complex<T>{y, x} : Complex<T>{x, y}, turn.before);
}

template <class T>
void join_opposites(const RealArray<const T>& from, Index h, const OppositesTurn<T>* turns,
                    bool sine, const DftTiles<T>& to) {
    for (Index j = 0; j < h; ++j) {
        T* element = to.data + turns[j].position * width<T>;
        for (Index t = 0; t < to.count; ++t) {
            store<T>(joined<T>(load_real<T>(from, 2 * j, t), load_real<T>(from, 2 * (h - j) - 1, t),
                               turns[j], sine),
                     element + t * to.room);
        }
    }
}

template <class T>
void part_opposites(const DftTiles<const T>& from, Index h, const OppositesTurn<T>* turns,
                    bool sine, const RealArray<T>& to) {
    for (Index j = 0; j < h; ++j) {
        const T* element = from.data + j * width<T>;
        for (Index t = 0; t < from.count; ++t) {
            const Complex<T> z = turned_by<T>(load<T>(element + t * from.room), turns[j].after);
            store_real<T>(z.re, to, 2 * j, t);
            store_real<T>(sine ? z.im : hn::Neg(z.im), to, 2 * (h - j) - 1, t);
        }
    }
}

/// A group of pairs from the front and the one opposite to it at a time.
template <class T>
bool join_opposites_of_lines(const Lanes<const T>& from, Index h, const OppositesTurn<T>* turns,
                             bool sine, const DftTiles<T>& to) {
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
        T* tile = to.data + t * to.room;
        for (Index first = 0; 2 * first < h; first += group<T>) {
            Complex<T> front[group<T>];
            Complex<T> back[group<T>];
            load_pairs(first, front);
            load_pairs(h - group<T> - first, back);
            unroll(indices<static_cast<int>(group<T>)>, [&](int i) WEFT_INLINE_LAMBDA {
                const Complex<T>& a = front[i];
                const Complex<T>& b = back[group<T> - 1 - i];
                const OppositesTurn<T>& near = turns[first + i];
                const OppositesTurn<T>& far = turns[h - 1 - first - i];
                store<T>(joined<T>(a.re, b.im, near, sine), tile + near.position * width<T>);
                store<T>(joined<T>(b.re, a.im, far, sine), tile + far.position * width<T>);
            });
        }
    }
    return true;
}

template <class T>
void part_opposites_to_lines(const DftTiles<const T>& from, Index h, const OppositesTurn<T>* turns,
                             bool sine, const Lanes<T>& to) {
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* tile = from.data + r * from.room;
            return [tile, h, turns, sine](Index j) WEFT_INLINE_LAMBDA {
                const auto element = [&](Index k) WEFT_INLINE_LAMBDA {
                    return turned_by<T>(load<T>(tile + k * width<T>), turns[k].after);
                };
                const Vector<T> y = element(h - 1 - j).im;
                return Complex<T>{element(j).re, sine ? y : hn::Neg(y)};
            };
        },
        pair_runs(to, 2 * h, from.count), as_pairs(to));
}

template <class T>
void real_butterfly(const RealArray<const T>& even, const RealArray<const T>& odd, Index m,
                    bool sine, const RealArray<T>& to, Index tiles) {
    // The first element of a sine transform is that of frequency 1.
    const Index shift = sine ? 1 : 0;
    for (Index k = shift; 2 * k < m; ++k) {
        for (Index t = 0; t < tiles; ++t) {
            const Vector<T> a = load_real<T>(even, k - shift, t);
            const Vector<T> b = load_real<T>(odd, k - shift, t);
            store_real<T>(hn::Add(a, b), to, k - shift, t);
            store_real<T>(sine ? hn::Sub(b, a) : hn::Sub(a, b), to, m - k - shift, t);
        }
    }
    for (Index t = 0; t < tiles; ++t) {
        store_real<T>(load_real<T>(sine ? odd : even, m / 2 - shift, t), to, m / 2 - shift, t);
    }
}

template <class T>
void dense_reals(const RealArray<const T>& from, const T* matrix, Index n, const RealArray<T>& to,
                 Index tiles) {
    const Tag<T> d;
    for (Index t = 0; t < tiles; ++t) {
        Vector<T> x[largest_dense];
        for (Index j = 0; j < n; ++j) x[j] = load_real<T>(from, j, t);
        for (Index k = 0; k < n; ++k) {
            const T* row = matrix + k * n;
            Vector<T> sum = hn::Mul(x[0], hn::Set(d, row[0]));
            for (Index j = 1; j < n; ++j) sum = hn::MulAdd(x[j], hn::Set(d, row[j]), sum);
            store_real<T>(sum, to, k, t);
        }
    }
}

template <class T>
const RealToRealKernels<T>& real_to_real_kernels() {
    static constexpr RealToRealKernels<T> table = {&scatter_reals_from<T>,
                                                   &gather_reals_to<T>,
                                                   &scatter_lines<T>,
                                                   &gather_lines<T>,
                                                   &join_pairs<T>,
                                                   &part_pairs<T>,
                                                   &part_halves<T>,
                                                   &join_real_halves<T>,
                                                   &join_opposites<T>,
                                                   &part_opposites<T>,
                                                   &join_opposites_of_lines<T>,
                                                   &part_opposites_to_lines<T>,
                                                   &real_butterfly<T>,
                                                   &dense_reals<T>};
    return table;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
