// Scratch memory of a fused pass, in which elements lie between one axis and the next.
#pragma once

#include <optional>
#include <vector>

#include "base/scalar.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// How a box lies in scratch memory.
struct PassScratch {
    std::vector<Index> strides;  ///< by axis, in elements; 0 along the repeated one
    Index bytes = 0;
};

/// Holds the box without steps along the repeated axis, in that order of axes. Rows along the
/// fastest axis have room for whole tiles; where it is short, as fields that lie in turn are, rows
/// go along the axis above it as well, unless that is one of `lines`.
PassScratch pass_scratch(const Box& box, const Scalar& scalar, const std::vector<int>& order,
                         std::optional<int> repeat, const std::vector<int>& lines);

}  // namespace weft::core
