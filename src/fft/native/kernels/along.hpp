// The first pass of contiguous lines, with vectors along them.
#pragma once

#include "fft/native/kernels/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Whether the results of a radix fill vectors, and are worth it.
template <class T, int R>
inline constexpr bool fills_lanes = transposes<T>&& R % lanes<T> == 0 && R % 4 == 0 &&
                                    R <= std::max<Index>(16, lanes<T>);
/// Whether those of two lines do.
template <class T, int R>
inline constexpr bool halves_fill_lanes = transposes<T> && 2 * R == lanes<T>&& R % 4 == 0;
/// The R results of a vector of columns, which begin a column of rows in `block`.
template <class T, int R>
HWY_INLINE void transform_columns(const T* column, Index row_step, Index ahead, const T* twiddles,
                                  T* block) {
    Dft<Complex<T>, R>::run(
        [&](int j) WEFT_INLINE_LAMBDA {
            if (ahead != 0) ask_for_part<T, 0>(column + j * row_step + ahead);
            return load_interleaved<T>(column + j * row_step);
        },
        [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            if (ahead != 0) ask_for_part<T, 1>(column + k * row_step + ahead);
            if (k == 0) {
                store<T>(z, block);
            } else {
                const Complex<T> w = load<T>(twiddles + (k - 1) * width<T>);
                store<T>(rotate<T>(z, w.re, w.im), block + k * width<T>);
            }
        });
}

/// Each vector holds adjacent columns of a line; of the R results of each column, every
/// `lanes` of them (or those of two lines, `Halves`) make an element of a tile (R x lanes -> lanes
/// x R, through a block that stays in the nearest cache).
template <class T, int R, int Halves>
void along_pass(const AlongPass<T>& pass, const T* from, Index row_step, Index line_step,
                Index count, T* tile) {
    const Tag<T> d;
    constexpr int groups = Halves * R / lanes<T>;
    alignas(64) T block[Halves * R * width<T>];
    for (Index line = 0; line < count; line += Halves) {
        const T* twiddles = pass.twiddles;
        const Index* position = pass.position.data();
        for (const Index first : pass.columns) {
            unroll(indices<Halves>, [&](auto half) WEFT_INLINE_LAMBDA {
                transform_columns<T, R>(from + 2 * first + half.value * line_step, row_step,
                                        pass.ahead, twiddles, block + half.value * R * width<T>);
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
        from += Halves * line_step;
        tile += pass.line_room * width<T>;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
