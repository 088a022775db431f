// The passes of real-to-real transforms beside their DFTs (see real_to_real/kernels.hpp).
#pragma once

#include "fft/native/real_to_real/even_passes.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

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

/// The two sums that a pair makes of two vectors.
template <class T>
class PairFactors {
  public:
    HWY_INLINE explicit PairFactors(const RealPair<T>& pair)
        : a_(hn::Set(Tag<T>(), pair.a)),
          b_(hn::Set(Tag<T>(), pair.b)),
          c_(hn::Set(Tag<T>(), pair.c)),
          d_(hn::Set(Tag<T>(), pair.d)) {}
    [[nodiscard]] HWY_INLINE Vector<T> first(Vector<T> x, Vector<T> y) const {
        return hn::MulAdd(b_, y, hn::Mul(a_, x));
    }
    [[nodiscard]] HWY_INLINE Vector<T> second(Vector<T> x, Vector<T> y) const {
        return hn::MulAdd(d_, y, hn::Mul(c_, x));
    }

  private:
    Vector<T> a_, b_, c_, d_;
};

template <class T>
void join_pairs(const RealArray<const T>& from, const RealPair<T>* pairs, Index count,
                const DftTiles<T>& to) {
    for (const RealPair<T>* pair = pairs; pair != pairs + count; ++pair) {
        const PairFactors<T> by(*pair);
        T* element = to.data + pair->element * width<T>;
        for (Index t = 0; t < to.count; ++t) {
            const Vector<T> x = load_real<T>(from, pair->x, t);
            const Vector<T> y = load_real<T>(from, pair->y, t);
            store<T>({by.first(x, y), by.second(x, y)}, element + t * to.room);
        }
    }
}

template <class T>
void part_pairs(const DftTiles<const T>& from, const RealPair<T>* pairs, Index count,
                const RealArray<T>& to) {
    for (const RealPair<T>* pair = pairs; pair != pairs + count; ++pair) {
        const PairFactors<T> by(*pair);
        const T* element = from.data + pair->element * width<T>;
        for (Index t = 0; t < from.count; ++t) {
            const Complex<T> z = load<T>(element + t * from.room);
            store_real<T>(by.first(z.re, z.im), to, pair->x, t);
            store_real<T>(by.second(z.re, z.im), to, pair->y, t);
        }
    }
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
                                                   &part_halves_to_lines<T>,
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
