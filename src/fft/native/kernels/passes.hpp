// Passes of a mixed-radix transform over tiles.
#pragma once

#include "fft/native/kernels/butterfly.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// z times the conjugate of result k's twiddle.
template <class T>
HWY_INLINE Complex<T> turn(const Complex<T>& z, const T* twiddles, int k) {
    if (k == 0) return z;
    const Tag<T> d;
    return rotate<T>(z, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
}

template <class T, int R>
void single_pass(const Line<T>& from, T* to, Index to_step) {
    Dft<Complex<T>, R>::run(
        [&](int j) WEFT_INLINE_LAMBDA {
            return load_interleaved<T>(j == 0 ? from.zero : from.base + j * from.step);
        },
        [&](int k, const Complex<T>& z)
            WEFT_INLINE_LAMBDA { store_interleaved<T>(z, to + k * to_step); });
}

template <class T, int R>
void first_pass(const Pass<T>& pass, const Line<T>& from, T* tile) {
    const Index ahead = from.ahead;
    const T* zero = from.zero;
    const T* base = from.base;
    const T* twiddles = pass.twiddles.data();
    const Index from_stride = pass.count * from.step;
    const Index stride = pass.stride * width<T>;
    for (Index c = 0; c < pass.count; ++c) {
        Dft<Complex<T>, R>::run(
            [&](int j) WEFT_INLINE_LAMBDA {
                if (ahead != 0) ask_for_part<T, 0>(base + j * from_stride + ahead);
                return load_interleaved<T>(j == 0 ? zero : base + j * from_stride);
            },
            [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                if (ahead != 0) ask_for_part<T, 1>(base + k * from_stride + ahead);
                store<T>(turn<T>(z, twiddles, k), tile + k * stride);
            });
        base += from.step;
        zero = base;
        tile += width<T>;
        twiddles += 2 * (R - 1);
    }
}

/// `Asks`: for what is at next[j] or results[j], if not for both. (Asking whether to ask costs the
/// others up to a tenth.)
template <class T, int R, bool Asks>
void gather_first_pass(const Pass<T>& pass, const Places<const T>& from,
                       const Places<const T>& next, const Places<T>& results,
                       const TileRow<T>& tiles) {
    const T* twiddles = pass.twiddles.data();
    const Index stride = pass.stride * width<T>;
    const Index count = pass.count;
    for (Index c = 0; c < count; ++c) {
        for (Index t = 0; t < tiles.count; ++t) {
            const Places<const T> here = from.beyond(t * width<T>);
            const Places<const T> ahead = next.beyond(t * width<T>);
            // The elements of the butterfly that comes next, and no others: those of a line are
            // often as far apart as the lines of one set of the nearest cache.
            const bool goes_on = t + 1 < tiles.count;
            const Places<const T> then = from.beyond(goes_on ? (t + 1) * width<T> : 0);
            const Index then_c = goes_on ? c : std::min(c + 1, count - 1);
            T* tile = tiles.first + t * tiles.step + c * width<T>;
            Dft<Complex<T>, R>::run(
                [&](int j) WEFT_INLINE_LAMBDA {
                    if (Asks && next) {
                        ask_for_part<T, 0>(ahead[j * count + c]);
                        ask_near<T>(then[j * count + then_c]);
                    }
                    return load_interleaved<T>(here[j * count + c]);
                },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    if (Asks && next) ask_for_part<T, 1>(ahead[k * count + c]);
                    if (Asks && results && results.has(c * R + k)) {
                        ask_to_write<T>(results[c * R + k] + t * width<T>);
                    }
                    store<T>(turn<T>(z, twiddles, k), tile + k * stride);
                });
        }
        twiddles += 2 * (R - 1);
    }
}

template <class T, int R>
void first_pass_gathered(const Pass<T>& pass, const Places<const T>& from,
                         const Places<const T>& next, const Places<T>& results,
                         const TileRow<T>& tiles) {
    const bool asks = next || results;
    const auto kernel = asks ? gather_first_pass<T, R, true> : gather_first_pass<T, R, false>;
    kernel(pass, from, next, results, tiles);
}

template <class T, int R>
void middle_pass(const Pass<T>& pass, Range range, T* tile) {
    const Index stride = pass.stride * width<T>;
    for (Index b = 0; b < pass.blocks; ++b) {
        T* element = tile + (pass.base[static_cast<std::size_t>(b)] + range.first) * width<T>;
        const T* twiddles = pass.twiddles.data() + range.first * 2 * (R - 1);
        for (Index c = range.first; c < range.end; ++c) {
            Dft<Complex<T>, R>::run(
                [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * stride); },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    store<T>(turn<T>(z, twiddles, k), element + k * stride);
                });
            element += width<T>;
            twiddles += 2 * (R - 1);
        }
    }
}

template <class T, int R>
void last_pass(const Pass<T>& pass, Range range, const T* tile, T* to, Index block_step,
               Index result_step, Index half_step) {
    for (Index b = range.first; b < range.end; ++b) {
        const T* element = tile + pass.base[static_cast<std::size_t>(b)] * width<T>;
        Dft<Complex<T>, R>::run(
            [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * width<T>); },
            [&](int k, const Complex<T>& z)
                WEFT_INLINE_LAMBDA { store_interleaved<T>(z, to + k * result_step, half_step); });
        to += block_step;
    }
}

/// The last pass of tiles, each result by put(result, places, its number), which is b + blocks*k for
/// result k of block b.
template <class T, int R, class Put>
HWY_INLINE void scatter_last_pass(const Pass<T>& pass, const TileRow<const T>& tiles,
                                  const Places<T>& to, const Put& put) {
    for (Index b = 0; b < pass.blocks; ++b) {
        const T* block = tiles.first + pass.base[static_cast<std::size_t>(b)] * width<T>;
        for (Index t = 0; t < tiles.count; ++t) {
            const T* element = block + t * tiles.step;
            const Places<T> here = to.beyond(t * width<T>);
            Dft<Complex<T>, R>::run(
                [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * width<T>); },
                [&](int k, const Complex<T>& z)
                    WEFT_INLINE_LAMBDA { put(z, here, b + pass.blocks * k); });
        }
    }
}

template <class T, int R, bool Stream>
void last_pass_scattered(const Pass<T>& pass, const TileRow<const T>& tiles, const Places<T>& to) {
    scatter_last_pass<T, R>(pass, tiles, to,
                            [](const Complex<T>& z, const Places<T>& here, Index result)
                                WEFT_INLINE_LAMBDA {
                                    if constexpr (Stream) {
                                        stream_interleaved<T>(z, here[result]);
                                    } else {
                                        store_interleaved<T>(z, here[result]);
                                    }
                                });
}

template <class T, int R>
void last_pass_kept(const Pass<T>& pass, const TileRow<const T>& tiles, const Places<T>& to,
                    bool stream) {
    scatter_last_pass<T, R>(pass, tiles, to,
                            [&](const Complex<T>& z, const Places<T>& here, Index result)
                                WEFT_INLINE_LAMBDA {
                                    if (!here.has(result)) return;
                                    if (stream) {
                                        stream_interleaved<T>(z, here[result]);
                                    } else {
                                        store_interleaved<T>(z, here[result]);
                                    }
                                });
}

template <class T, int R>
void last_pass_in_tile(const Pass<T>& pass, Range range, const T* tile, T* to, Index block_step,
                       Index result_step) {
    const Index stride = result_step * width<T>;
    for (Index b = range.first; b < range.end; ++b) {
        const T* element = tile + pass.base[static_cast<std::size_t>(b)] * width<T>;
        Dft<Complex<T>, R>::run(
            [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * width<T>); },
            [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA { store<T>(z, to + k * stride); });
        to += block_step * width<T>;
    }
}

/// A DFT of any odd length n by the formula of butterfly.hpp, results in `to`, n elements. `work`
/// holds the sums and differences; four results are computed at a time, so that the loads of one
/// term serve sixteen multiplications. roots: [n][2] cos, sin of 2 pi j/n.
template <class T>
void odd_dft(const T* from, Index stride, Index n, const T* roots, T* work, T* to) {
    const Tag<T> d;
    const Index h = (n - 1) / 2;
    const Complex<T> x0 = load<T>(from);
    Complex<T> total = x0;
    for (Index j = 1; j <= h; ++j) {
        const Complex<T> a = load<T>(from + j * stride);
        const Complex<T> b = load<T>(from + (n - j) * stride);
        store<T>(a + b, work + (2 * j - 2) * width<T>);
        store<T>(a - b, work + (2 * j - 1) * width<T>);
        total = total + (a + b);
    }
    store<T>(total, to);
    constexpr int group = 4;
    for (Index first = 1; first <= h; first += group) {
        Complex<T> even[group] = {x0, x0, x0, x0};
        const Vector<T> zero = hn::Zero(d);
        Complex<T> odd[group] = {{zero, zero}, {zero, zero}, {zero, zero}, {zero, zero}};
        Index angle[group] = {};
        for (Index j = 1; j <= h; ++j) {
            const Complex<T> sum = load<T>(work + (2 * j - 2) * width<T>);
            const Complex<T> difference = load<T>(work + (2 * j - 1) * width<T>);
            unroll(indices<group>, [&](auto g) WEFT_INLINE_LAMBDA {
                angle[g.value] += first + g.value;
                angle[g.value] -= angle[g.value] >= n ? n : 0;
                const Vector<T> c = hn::Set(d, roots[2 * angle[g.value]]);
                const Vector<T> s = hn::Set(d, roots[2 * angle[g.value] + 1]);
                even[g.value] = {hn::MulAdd(sum.re, c, even[g.value].re),
                                 hn::MulAdd(sum.im, c, even[g.value].im)};
                odd[g.value] = {hn::MulAdd(difference.re, s, odd[g.value].re),
                                hn::MulAdd(difference.im, s, odd[g.value].im)};
            });
        }
        unroll(indices<group>, [&](auto g) WEFT_INLINE_LAMBDA {
            const Index k = first + g.value;
            if (k > h) return;
            store<T>({hn::Add(even[g.value].re, odd[g.value].im),
                      hn::Sub(even[g.value].im, odd[g.value].re)},
                     to + k * width<T>);
            store<T>({hn::Sub(even[g.value].re, odd[g.value].im),
                      hn::Add(even[g.value].im, odd[g.value].re)},
                     to + (n - k) * width<T>);
        });
    }
}

template <class T>
const T* prime_roots(const Pass<T>& pass) {
    return pass.twiddles.data() + pass.count * (pass.radix - 1) * 2;
}

template <class T>
void middle_pass_prime(const Pass<T>& pass, Range range, T* tile, T* work) {
    const Tag<T> d;
    const Index stride = pass.stride * width<T>;
    T* result = work + 2 * pass.radix * width<T>;
    for (Index b = 0; b < pass.blocks; ++b) {
        T* element = tile + (pass.base[static_cast<std::size_t>(b)] + range.first) * width<T>;
        const T* twiddles = pass.twiddles.data() + range.first * 2 * (pass.radix - 1);
        for (Index c = range.first; c < range.end; ++c) {
            odd_dft<T>(element, stride, pass.radix, prime_roots(pass), work, result);
            store<T>(load<T>(result), element);
            for (Index k = 1; k < pass.radix; ++k) {
                const Complex<T> z = load<T>(result + k * width<T>);
                store<T>(rotate<T>(z, hn::Set(d, twiddles[0]), hn::Set(d, twiddles[1])),
                         element + k * stride);
                twiddles += 2;
            }
            element += width<T>;
        }
    }
}

template <class T>
void last_pass_prime(const Pass<T>& pass, Range range, const T* tile, T* to, Index block_step,
                     Index result_step, T* work) {
    T* result = work + 2 * pass.radix * width<T>;
    for (Index b = range.first; b < range.end; ++b) {
        const T* element = tile + pass.base[static_cast<std::size_t>(b)] * width<T>;
        odd_dft<T>(element, width<T>, pass.radix, prime_roots(pass), work, result);
        for (Index k = 0; k < pass.radix; ++k) {
            store<T>(load<T>(result + k * width<T>), to + k * result_step * width<T>);
        }
        to += block_step * width<T>;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
