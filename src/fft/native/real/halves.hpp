// The spectra of real lines of even length from the transforms of their pairs, on the way between
// callers' arrays and tiles (see real/dft.hpp).
#pragma once

#include "fft/native/kernels/staging.hpp"
#include "fft/native/real/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// X[k] and X[h-k] from Z[k] and Z[h-k], see real/dft.hpp; w is exp(2 pi i k/2h)/2. Z[h] = Z[0], so
/// that the imaginary parts of X[0] and X[h] become 0.
template <class T>
struct Halves {
    HWY_INLINE Halves(const Complex<T>& a, const Complex<T>& b, const T* w) {
        const Tag<T> d;
        // E = (a + conj b)/2, O = (a - conj b)/2i, X[k] = E + conj(2w) O.
        even = {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
        const Complex<T> odd = {hn::Add(a.im, b.im), hn::Sub(b.re, a.re)};
        turned = rotate<T>(odd, hn::Set(d, w[0]), hn::Set(d, w[1]));
    }
    HWY_INLINE Complex<T> first() const {
        const Vector<T> half = hn::Set(Tag<T>(), T(0.5));
        return {hn::MulAdd(even.re, half, turned.re), hn::MulAdd(even.im, half, turned.im)};
    }
    HWY_INLINE Complex<T> second() const {
        const Vector<T> half = hn::Set(Tag<T>(), T(0.5));
        return {hn::MulSub(even.re, half, turned.re), hn::NegMulAdd(even.im, half, turned.im)};
    }

    Complex<T> even;
    Complex<T> turned;
};

/// put(k, X[k]) for all elements of the spectrum.
template <class T, class Put>
HWY_INLINE void split_all(const T* z, const Joints<T>& joints, const Put& put) {
    const Index h = joints.half;
    const T* roots = joints.roots.data();
    for (Index k = 0; 2 * k <= h; ++k) {
        const Halves<T> x(load<T>(z + k * width<T>), load<T>(z + (k == 0 ? 0 : h - k) * width<T>),
                          roots + 2 * k);
        put(k, x.first());
        put(h - k, x.second());
    }
}

template <class T>
void split_halves(const T* z, const Joints<T>& joints, T* x, Index step) {
    split_all<T>(z, joints, [&](Index k, const Complex<T>& element) WEFT_INLINE_LAMBDA {
        store<T>(element, x + k * step * width<T>);
    });
}

/// All elements of whole tiles of adjacent lanes.
template <class T>
HWY_INLINE void write_halves_to_lanes(const T* z, const Joints<T>& joints, const Lanes<T>& to) {
    split_all<T>(z, joints, [&](Index k, const Complex<T>& x) WEFT_INLINE_LAMBDA {
        T* target = to.data + k * to.step;
        if (to.stream) {
            stream_interleaved<T>(x, target);
        } else {
            store_interleaved<T>(x, target);
        }
    });
}

/// Element k of the spectrum.
template <class T>
HWY_INLINE Complex<T> one_of_halves(const T* z, Index h, const T* roots, Index k) {
    return Halves<T>(load<T>(z + (k == h ? 0 : k) * width<T>),
                     load<T>(z + (k == 0 ? 0 : h - k) * width<T>), roots + 2 * k)
        .first();
}

/// All elements of whole tiles of contiguous lines, at least two cache lines each: a cache line
/// from the front and the one opposite to it at a time, then what is left in the middle.
template <class T>
HWY_INLINE void write_halves_to_lines(const T* z, Index h, const T* roots, const Lanes<T>& to) {
    constexpr int block = 64 / static_cast<int>(2 * sizeof(T));
    constexpr int groups = block / static_cast<int>(group<T>);
    Index first = 0;
    Index end = h + 1;
    for (; end - first >= 2 * block; first += block, end -= block) {
        Complex<T> front[block];
        Complex<T> back[block];
        unroll(indices<block>, [&](int i) WEFT_INLINE_LAMBDA {
            const Index k = first + i;
            const Halves<T> x(load<T>(z + k * width<T>),
                              load<T>(z + (k == 0 ? 0 : h - k) * width<T>), roots + 2 * k);
            front[i] = x.first();
            back[block - 1 - i] = x.second();
        });
        store_lines<T, groups>([&](Index e) WEFT_INLINE_LAMBDA { return front[e - first]; }, first,
                               to.data, to.lane_step);
        store_lines<T, groups>([&](Index e) WEFT_INLINE_LAMBDA { return back[e - (end - block)]; },
                               end - block, to.data, to.lane_step);
    }
    const auto give = [&](Index k) WEFT_INLINE_LAMBDA { return one_of_halves<T>(z, h, roots, k); };
    for (; first < end; first += group<T>) {
        store_lines<T, 1>(give, std::min(first, h + 1 - group<T>), to.data, to.lane_step);
    }
}

template <class T>
void write_halves(const T* z, const Joints<T>& joints, Range some, const Runs& runs,
                  const Lanes<T>& to) {
    const Index h = joints.half;
    const T* roots = joints.roots.data();
    const bool whole = some.first == 0 && some.end == h + 1 && to.lanes == lanes<T>;
    const bool adjacent = to.lane_step == 2;
    const bool contiguous =
        transposes<T> && to.step == 2 && h + 1 >= 2 * 64 / static_cast<Index>(2 * sizeof(T));
    if (whole && (adjacent || contiguous)) {
        for (Index r = 0; r < runs.count; ++r) {
            Lanes<T> here = at_run(to, runs, r);
            here.stream = to.stream;
            const T* tile = z + r * runs.tile_stride * width<T>;
            if (adjacent) {
                write_halves_to_lanes<T>(tile, joints, here);
            } else {
                write_halves_to_lines<T>(tile, h, roots, here);
            }
        }
        return;
    }
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* tile = z + r * runs.tile_stride * width<T>;
            return [tile, h, roots, some](Index e) WEFT_INLINE_LAMBDA {
                return one_of_halves<T>(tile, h, roots, some.first + e);
            };
        },
        runs, to);
}

/// Z[k] and Z[h-k] from X[k] and X[h-k]; w is exp(-2 pi i k/2h).
template <class T>
HWY_INLINE void join_pair(const Complex<T>& a, const Complex<T>& b, const T* w, T* first,
                          T* second) {
    const Tag<T> d;
    // Z[k] = E + i O, E = a + conj b, O = conj(w) (a - conj b), Z[h-k] = conj E + i conj O.
    const Complex<T> even = {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
    const Complex<T> difference = {hn::Sub(a.re, b.re), hn::Add(a.im, b.im)};
    const Complex<T> odd = rotate<T>(difference, hn::Set(d, w[0]), hn::Set(d, w[1]));
    store<T>({hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)}, first);
    store<T>({hn::Add(even.re, odd.im), hn::Sub(odd.re, even.im)}, second);
}

/// Z from X, given by x(k), to where element k is expected. The imaginary parts of X[0] and X[h]
/// are not looked at.
template <class T, class Get>
HWY_INLINE void join_all(const Get& x, const Joints<T>& joints, T* z) {
    const Index h = joints.half;
    const T* roots = joints.roots.data();
    const Index* position = joints.position.data();
    const Vector<T> first = x(Index{0}).re;
    const Vector<T> last = x(h).re;
    store<T>({hn::Add(first, last), hn::Sub(first, last)}, z + position[0] * width<T>);
    for (Index k = 1; 2 * k <= h; ++k) {
        join_pair<T>(x(k), x(h - k), roots + 2 * k, z + position[k] * width<T>,
                     z + position[h - k] * width<T>);
    }
}

template <class T>
void join_halves(const T* x, Index step, const Joints<T>& joints, T* z) {
    join_all<T>([&](Index k) WEFT_INLINE_LAMBDA { return load<T>(x + k * step * width<T>); },
                joints, z);
}

/// Whole tiles of contiguous lines, at least two groups each: a group from the front and the one
/// opposite to it at a time.
template <class T>
HWY_INLINE void read_halves_from_lines(const Lanes<const T>& from, const Joints<T>& joints, T* z) {
    const Index h = joints.half;
    const T* roots = joints.roots.data();
    const Index* position = joints.position.data();
    const auto load_elements = [&](Index e, Complex<T>* x) WEFT_INLINE_LAMBDA {
        Vector<T> a[group<T>];
        Vector<T> b[group<T>];
        if (from.ahead != 0) ask_for_lines<T>(from.data, from.lane_step, e, from.ahead);
        load_group<T>(from.data + 2 * e, from.lane_step, a);
        load_group<T>(from.data + 2 * e + lanes<T> / 2 * from.lane_step, from.lane_step, b);
        unroll(indices<static_cast<int>(group<T>)>,
               [&](int i) WEFT_INLINE_LAMBDA { x[i] = split<T>(a[i], b[i]); });
    };
    for (Index first = 0; 2 * first <= h; first += group<T>) {
        Complex<T> front[group<T>];
        Complex<T> back[group<T>];
        load_elements(first, front);
        load_elements(h + 1 - group<T> - first, back);
        unroll(indices<static_cast<int>(group<T>)>, [&](int i) WEFT_INLINE_LAMBDA {
            const Index k = first + i;
            const Complex<T>& a = front[i];
            const Complex<T>& b = back[group<T> - 1 - i];
            if (i == 0 && k == 0) {
                store<T>({hn::Add(a.re, b.re), hn::Sub(a.re, b.re)}, z + position[0] * width<T>);
            } else {
                join_pair<T>(a, b, roots + 2 * k, z + position[k] * width<T>,
                             z + position[h - k] * width<T>);
            }
        });
    }
}

template <class T>
bool read_halves(const Lanes<const T>& from, const Runs& runs, const Joints<T>& joints, T* z) {
    const bool adjacent = from.lane_step == 2;
    const bool contiguous = transposes<T> && from.step == 2 && joints.half + 1 >= 2 * group<T>;
    if (from.lanes != lanes<T> || (!adjacent && !contiguous)) return false;
    for (Index r = 0; r < runs.count; ++r) {
        const Lanes<const T> here = at_run(from, runs, r);
        T* tile = z + r * runs.tile_stride * width<T>;
        if (adjacent) {
            join_all<T>(
                [&](Index k)
                    WEFT_INLINE_LAMBDA { return load_interleaved<T>(here.data + k * here.step); },
                joints, tile);
        } else {
            read_halves_from_lines<T>(here, joints, tile);
        }
    }
    return true;
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
