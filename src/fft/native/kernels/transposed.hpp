// The first pass of adjacent lanes whose results are contiguous lines: vectors of lines go in,
// vectors of frequencies come out.
#pragma once

#include "fft/native/kernels/passes.hpp"
#include "fft/native/kernels/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Whether the results of a radix fill vectors.
template <class T, int R>
inline constexpr bool fills_transposed = transposes<T>&& R >= lanes<T>;

/// `count` lines, a multiple of lanes. A line is R rows of pass.count elements, which are `step`
/// numbers apart, rows `row_step`. Of the R results of a column, every `lanes` of them make an
/// element of a tile of each line; the last tile shares results with the one before if they are no
/// multiple.
template <class T, int R>
void transposed_pass(const TransposedPass<T>& pass, const T* from, Index row_step, Index step,
                     Index count, T* tile) {
    const Tag<T> d;
    constexpr Index groups = (R + lanes<T> - 1) / lanes<T>;
    alignas(64) T block[R * width<T>];
    for (Index line = 0; line < count; line += lanes<T>) {
        const T* twiddles = pass.twiddles.data();
        const T* column = from + 2 * line;
        for (Index c = 0; c < pass.count; ++c) {
            Dft<Complex<T>, R>::run(
                [&](int j)
                    WEFT_INLINE_LAMBDA { return load_interleaved<T>(column + j * row_step); },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    store<T>(turn<T>(z, twiddles, k), block + k * width<T>);
                });
            for (Index group = 0; group < groups; ++group) {
                const T* results = block + std::min(group * lanes<T>, R - lanes<T>) * width<T>;
                T* element =
                    tile + (group * pass.group_step + pass.element[static_cast<std::size_t>(c)]) *
                               width<T>;
                for (const Index part : {Index{0}, lanes<T>}) {
                    for_lines<T>(
                        results + part, width<T>, lanes<T> / 2, 0,
                        [&](Index e, const Complex<T>& pair) WEFT_INLINE_LAMBDA {
                            hn::Store(pair.re, d,
                                      element + part + lane_line<T>(2 * e) * pass.line_step);
                            hn::Store(pair.im, d,
                                      element + part + lane_line<T>(2 * e + 1) * pass.line_step);
                        });
                }
            }
            column += step;
            twiddles += 2 * (R - 1);
        }
        tile += lanes<T> * pass.line_step;
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
