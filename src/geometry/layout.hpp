// Who owns what (Distribution) and how a rank keeps its part in memory (Format).
#pragma once

#include <string>
#include <vector>

#include "base/scalar.hpp"
#include "base/work.hpp"
#include "geometry/distribution.hpp"

namespace weft::core {

/// How a rank stores its box: densely, axes in this order, slowest first. A permutation of all
/// axes.
struct Format {
    std::vector<int> order;
    bool operator==(const Format&) const = default;
};

/// 0, 1, .., axes-1.
Format row_major(int axes);

/// One state of the array: its distribution, format and element type.
struct Layout {
    Distribution where;
    Format format;
    Scalar scalar;

    /// The elements of one rank.
    [[nodiscard]] Index count(int rank) const { return where.box(rank).volume(); }
    [[nodiscard]] Index bytes(int rank) const { return count(rank) * scalar.bytes(); }
    bool operator==(const Layout&) const = default;
};

/// Elements between neighbours along each axis, for a box stored in that format.
std::vector<Index> strides(const Format& format, const Box& box);

/// The part `piece` of a box stored in `format`, travelling in the order `travel`.
Slice slice_of(const Box& piece, const Box& stored, const Format& format, const Format& travel);

/// `slab(0)@012 64x32x33 complex f64`: the distribution, the order in memory, the shape, the type.
std::string to_string(const Layout& layout, int dims);

}  // namespace weft::core
