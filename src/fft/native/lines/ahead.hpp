// Memory that will be needed soon.
#pragma once

#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// Asks for some elements of each of `count` contiguous complex lines, into the second cache: the
/// machine looks ahead by itself, but not beyond a page. (Inline, since GCC drops calls of
/// functions without effects.)
template <class T>
[[gnu::always_inline]] inline void ask_for(const T* lines, Index lane_step, Index count,
                                           Range elements) {
    constexpr Index cache_line = 64 / static_cast<Index>(sizeof(T));
    for (Index i = 0; i < count; ++i) {
        const T* line = lines + i * lane_step;
        for (Index j = 2 * elements.first; j < 2 * elements.end; j += cache_line) {
            __builtin_prefetch(line + j, 0, 2);
        }
    }
}

}  // namespace weft::core::native
