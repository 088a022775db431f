// Transforms cut into pieces, each in compact memory of its own.
//
// Example: along axis 1 of 8 x 6 x 4 complex numbers, a task of 32 lines in loops of 8 steps of 24
// elements and 4 steps of 1 element. With room for 10 lines of 96 bytes it becomes 4 pieces of 8
// lines, two steps of 24 elements each. A piece comes as 6 rows of 8 elements, the lines side by
// side, since in the array they lie so as well.
#pragma once

#include <vector>

#include "base/transforms.hpp"

namespace weft::core {

/// A task between compact memory: what is copied there, transformed, and copied from there.
struct Piece {
    CopyTask bring;
    FftTask task;
    CopyTask take;

    [[nodiscard]] Index from_bytes() const { return bytes_of(bring); }
    [[nodiscard]] Index to_bytes() const { return bytes_of(take); }
};

/// As few as can be of which none has more than so many bytes, before or after; none if there is
/// nothing to transform. A line (plane) fits, see fits().
std::vector<Piece> pieces_of(const FftTask& task, Index most_bytes);

/// Whether the lines (planes) of a task have at most so many bytes each, before and after.
bool fits(const FftTask& task, Index most_bytes);

}  // namespace weft::core
