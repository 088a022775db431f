// The first pass of contiguous lines, with vectors along them.
#pragma once

#include "fft/native/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Whether the results of a radix fill vectors, and are worth it.
template <class T, int R>
inline constexpr bool fills_lanes = transposes<T>&& R % lanes<T> == 0 && R % 4 == 0 &&
                                    R <= std::max<Index>(16, lanes<T>);
/// Whether those of two lines do.
template <class T, int R>
inline constexpr bool halves_fill_lanes = transposes<T> && 2 * R == lanes<T>&& R % 4 == 0;
/// Whether a vector can be of the columns of so many lines.
template <class T, int Lines>
inline constexpr bool shares_lanes = lanes<T> >= 2 * Lines;

/// A vector of interleaved columns of one or two lines.
template <class T, int Lines>
HWY_INLINE Vector<T> load_half(const T* data, Index line_step) {
    const Tag<T> d;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (Lines == 2) {
        const hn::Half<Tag<T>> half;
        return hn::Combine(d, hn::LoadU(half, data + line_step), hn::LoadU(half, data));
    }
#endif
    (void)line_step;
    return hn::LoadU(d, data);
}

/// Adjacent columns of some lines that are `line_step` numbers apart.
template <class T, int Lines>
HWY_INLINE Complex<T> load_columns(const T* data, Index line_step) {
    if constexpr (Lines == 1) {
        (void)line_step;
        return load_interleaved<T>(data);
    } else {
        return split<T>(load_half<T, Lines / 2>(data, line_step),
                        load_half<T, Lines / 2>(data + Lines / 2 * line_step, line_step));
    }
}

/// The part of such columns that is asked for at once.
template <class T, int Lines, int Part>
HWY_INLINE void ask_for_columns(const T* data, Index line_step) {
    if constexpr (Lines == 1) {
        (void)line_step;
        ask_for_part<T, Part>(data);
    } else {
        for (Index i = 0; i < Lines / 2; ++i) {
            __builtin_prefetch(data + (Part * Lines / 2 + i) * line_step, 0, 2);
        }
    }
}

/// The R results of a vector of columns, which begin a column of rows in `block`.
template <class T, int R, int Lines>
HWY_INLINE void transform_columns(const T* column, Index row_step, Index line_step, Index ahead,
                                  const T* twiddles, T* block) {
    Dft<Complex<T>, R>::run(
        [&](int j) WEFT_INLINE_LAMBDA {
            if (ahead != 0) {
                ask_for_columns<T, Lines, 0>(column + j * row_step + ahead, line_step);
            }
            return load_columns<T, Lines>(column + j * row_step, line_step);
        },
        [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            if (ahead != 0) {
                ask_for_columns<T, Lines, 1>(column + k * row_step + ahead, line_step);
            }
            if (k == 0) {
                store<T>(z, block);
            } else {
                const Complex<T> w = load<T>(twiddles + (k - 1) * width<T>);
                store<T>(rotate<T>(z, w.re, w.im), block + k * width<T>);
            }
        });
}

/// Each vector holds adjacent columns of so many `Lines`; of the R results of each column, every
/// `lanes` of them (or those of two lines, `Halves`) make an element of a tile (R x lanes -> lanes
/// x R, through a block that stays in the nearest cache).
template <class T, int R, int Lines, int Halves>
void along_pass(const AlongPass<T>& pass, const T* from, Index row_step, Index line_step,
                Index count, T* tile) {
    const Tag<T> d;
    constexpr int groups = Halves * R / lanes<T>;
    alignas(64) T block[Halves * R * width<T>];
    for (Index line = 0; line < count; line += Lines * Halves) {
        const T* twiddles = pass.twiddles;
        const Index* position = pass.position.data();
        for (const Index first : pass.columns) {
            unroll(indices<Halves>, [&](auto half) WEFT_INLINE_LAMBDA {
                transform_columns<T, R, Lines>(from + 2 * first + half.value * line_step, row_step,
                                               line_step, pass.ahead, twiddles,
                                               block + half.value * R * width<T>);
            });
            for (Index group = 0; group < groups; ++group) {
                for (const Index part : {Index{0}, lanes<T>}) {
                    const T* rows = block + group * lanes<T> * width<T> + part;
                    T* elements = tile + group * pass.group_step * width<T> + part;
                    for_lines<T>(rows, width<T>, lanes<T> / 2, 0,
                                 [&](Index e, const Complex<T>& pair) WEFT_INLINE_LAMBDA {
                                     hn::Store(pair.re, d, elements + position[2 * e]);
                                     hn::Store(pair.im, d, elements + position[2 * e + 1]);
                                 });
                }
            }
            twiddles += (R - 1) * width<T>;
            position += lanes<T>;
        }
        from += Lines * Halves * line_step;
        tile += Lines * pass.line_room * width<T>;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
