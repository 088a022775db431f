// Complex numbers of lines, copied one by one.
#pragma once

#include <algorithm>

#include "base/work.hpp"

namespace weft::core::native {

/// Copies the numbers of some lines. `line` goes from number to number of a line, `lines` from line
/// to line; steps count reals.
///
/// Example: 2 lines of 3 numbers, contiguous, become adjacent lanes of a vector of 4:
///   copy_numbers(from, to, {3, 2, 8}, {2, 6, 2});
/// Number j of line i is read at 6 i + 2 j, and written at 2 i + 8 j.
template <class T>
void copy_numbers(const T* from, T* to, const Loop& line, const Loop& lines) {
    for (Index i = 0; i < lines.extent; ++i) {
        for (Index j = 0; j < line.extent; ++j) {
            std::copy_n(from + i * lines.from + j * line.from, 2, to + i * lines.to + j * line.to);
        }
    }
}

}  // namespace weft::core::native
