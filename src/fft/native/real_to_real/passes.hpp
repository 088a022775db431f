// The passes of real-to-real transforms beside their DFTs (see real_to_real/kernels.hpp).
#pragma once

#include "fft/native/real_to_real/even_passes.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void scatter_reals_from(RealArray<const T> from, const StepTables<T>& tables, Tiles<T> to) {
    const Tag<T> d;
    Index e = 0;
    for (const RealPlace<T>& place : tables.places) {
        const Vector<T> factor = hn::Set(d, place.factor);
        T* number = to.data + place.number;
        for (Index t = 0; t < to.count; ++t, number += to.room) {
            hn::Store(hn::Mul(load_real(from, e, t), factor), d, number);
        }
        ++e;
    }
}

template <class T>
void gather_reals_to(Tiles<T> from, const StepTables<T>& tables, RealArray<T> to) {
    const Tag<T> d;
    Index e = 0;
    for (const RealPlace<T>& place : tables.places) {
        const Vector<T> factor = hn::Set(d, place.factor);
        const T* number = from.data + place.number;
        for (Index t = 0; t < from.count; ++t, number += from.room) {
            store_real<T>(hn::Mul(hn::Load(d, number), factor), to, e, t);
        }
        ++e;
    }
}

template <class T>
bool scatter_lines(const Lanes<const T>& from, const StepTables<T>& tables, Tiles<T> to) {
    const Tag<T> d;
    const std::size_t count = tables.places.size();
    const RealPlace<T>* places = tables.places.data();
    const auto put = [d](Vector<T> x, const RealPlace<T>& place, T* tile) WEFT_INLINE_LAMBDA {
        hn::Store(hn::Mul(x, hn::Set(d, place.factor)), d, tile + place.number);
    };
    const Runs runs = pair_runs(from, count, to.count);
    read_runs<T>(as_pairs(from), runs, [&](Index r) WEFT_INLINE_LAMBDA {
        T* tile = to.at(r);
        return [tile, places, put](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            put(z.re, places[2 * e], tile);
            put(z.im, places[2 * e + 1], tile);
        };
    });
    if (count % 2 == 0) return true;
    HWY_ALIGN T last[lanes<T>];
    Lanes<const T> end = from;
    end.data += count - 1;
    for (Index t = 0; t < to.count; ++t, end.data += runs.step) {
        read_part<T>(end, 1, last);
        put(hn::Load(d, last), places[count - 1], to.at(t));
    }
    return true;
}

template <class T>
bool gather_lines(Tiles<T> from, const StepTables<T>& tables, const Lanes<T>& to) {
    const Tag<T> d;
    const std::size_t count = tables.places.size();
    const RealPlace<T>* places = tables.places.data();
    const auto get = [d](const RealPlace<T>& place, const T* tile) WEFT_INLINE_LAMBDA {
        return hn::Mul(hn::Load(d, tile + place.number), hn::Set(d, place.factor));
    };
    const Runs runs = pair_runs(to, count, from.count);
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* tile = from.at(r);
            return [tile, places, get](Index e) WEFT_INLINE_LAMBDA {
                return Complex<T>{get(places[2 * e], tile), get(places[2 * e + 1], tile)};
            };
        },
        runs, as_pairs(to));
    if (count % 2 == 0) return true;
    HWY_ALIGN T last[lanes<T>];
    Lanes<T> end = to;
    end.data += count - 1;
    for (Index t = 0; t < from.count; ++t, end.data += runs.step) {
        hn::Store(get(places[count - 1], from.at(t)), d, last);
        write_part<T>(last, 1, end);
    }
    return true;
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
void join_pairs(RealArray<const T> from, const StepTables<T>& tables, Tiles<T> to) {
    for (const RealPair<T>& pair : tables.pairs) {
        const PairFactors<T> by(pair);
        T* element = to.data + pair.element * width<T>;
        for (Index t = 0; t < to.count; ++t, element += to.room) {
            const Vector<T> x = load_real(from, pair.x, t);
            const Vector<T> y = load_real(from, pair.y, t);
            store<T>({by.first(x, y), by.second(x, y)}, element);
        }
    }
}

template <class T>
void part_pairs(Tiles<T> from, const StepTables<T>& tables, RealArray<T> to) {
    for (const RealPair<T>& pair : tables.pairs) {
        const PairFactors<T> by(pair);
        const T* element = from.data + pair.element * width<T>;
        for (Index t = 0; t < from.count; ++t, element += from.room) {
            const Complex<T> z = load<T>(element);
            store_real<T>(by.first(z.re, z.im), to, pair.x, t);
            store_real<T>(by.second(z.re, z.im), to, pair.y, t);
        }
    }
}

template <class T>
void real_butterfly(RealArray<T> even, RealArray<T> odd, Index m, bool sine, RealArray<T> to,
                    Index tiles) {
    // The first element of a sine transform is that of frequency 1.
    const Index shift = sine ? 1 : 0;
    for (Index k = shift; 2 * k < m; ++k) {
        for (Index t = 0; t < tiles; ++t) {
            const Vector<T> a = load_real(even, k - shift, t);
            const Vector<T> b = load_real(odd, k - shift, t);
            store_real<T>(hn::Add(a, b), to, k - shift, t);
            store_real<T>(sine ? hn::Sub(b, a) : hn::Sub(a, b), to, m - k - shift, t);
        }
    }
    for (Index t = 0; t < tiles; ++t) {
        store_real<T>(load_real(sine ? odd : even, m / 2 - shift, t), to, m / 2 - shift, t);
    }
}

template <class T>
void dense_reals(RealArray<const T> from, const T* matrix, Index n, RealArray<T> to, Index tiles) {
    const Tag<T> d;
    for (Index t = 0; t < tiles; ++t) {
        Vector<T> x[largest_dense];
        for (Index j = 0; j < n; ++j) x[j] = load_real(from, j, t);
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
    static constexpr RealToRealKernels<T> table = {
        .before = {{{&scatter_reals_from<T>, &scatter_lines<T>},
                    {&join_pairs<T>},
                    {&join_real_halves<T>},
                    {&join_opposites<T>, &join_opposites_of_lines<T>}}},
        .after = {{{&gather_reals_to<T>, &gather_lines<T>},
                   {&part_pairs<T>},
                   {&part_halves<T>, &part_halves_to_lines<T>},
                   {&part_opposites<T>, &part_opposites_to_lines<T>}}},
        .butterfly = &real_butterfly<T>,
        .dense = &dense_reals<T>};
    return table;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
