// Who owns what (Distribution) and how a rank keeps its part in memory (Format).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar.hpp"
#include "base/work.hpp"
#include "geometry/distribution.hpp"

namespace weft::core {

/// How a rank stores its boxes: one after the other, each with its axes in this order, slowest
/// first. Along each axis a box may be followed by `padding` elements that are nobody's; or all
/// boxes have the given `strides`. Without either a box is dense.
struct Format {
    std::vector<int> order;        ///< a permutation of all axes
    std::vector<Index> padding{};  ///< by axis; empty: none
    std::vector<Index> strides{};  ///< by axis, in elements; empty: those of the (padded) order

    [[nodiscard]] bool dense() const { return padding.empty() && strides.empty(); }
    bool operator==(const Format&) const = default;
};

/// 0, 1, .., axes-1.
Format row_major(int axes);
/// The same order without padding and strides.
Format dense(const Format& format);

/// Where a box lies in its rank's array.
struct StoredBox {
    Box box;
    Index offset = 0;            ///< of the box's first element, in elements
    std::vector<Index> strides;  ///< by axis: elements between neighbours
    bool operator==(const StoredBox&) const = default;
};

/// One state of the array: its distribution, format and element type.
struct Layout {
    Distribution where;
    Format format;
    Scalar scalar;
    /// Of tiles: they lie where they do in memory that holds what the first so many of `where`'s
    /// tiles leave of its boxes; unset: by themselves.
    std::optional<int> within{};

    /// The boxes of one rank in its array.
    [[nodiscard]] std::vector<StoredBox> stored(int rank) const;
    /// The elements that a rank owns.
    [[nodiscard]] Index count(int rank) const;
    /// The elements that its array must hold: those it owns, and what padding and strides leave
    /// between them.
    [[nodiscard]] Index span(int rank) const;
    /// No rank's span is larger; the same on every rank. Costs the number of boxes of a list.
    [[nodiscard]] Index largest_span() const;
    [[nodiscard]] Index bytes(int rank) const { return span(rank) * scalar.bytes(); }
    /// Those parts of the boxes, by themselves.
    [[nodiscard]] Layout tile(const Tile& tile) const;
    /// The same as they lie in this layout's memory.
    [[nodiscard]] Layout tile_within(const Tile& tile) const;
    bool operator==(const Layout&) const = default;

  private:
    /// Whose boxes the memory holds.
    [[nodiscard]] Distribution memory() const;
};

/// Elements between neighbours along each axis, for a box stored in that format.
std::vector<Index> strides(const Format& format, const Box& box);
/// Elements from the first of a box to just behind its last (with what padding puts there).
Index span(const Format& format, const Box& box);

/// The part `piece` of a stored box, where it lies.
StoredBox part_of(const Box& piece, const StoredBox& stored);
/// The part `piece` of a stored box, its elements travelling in that order of axes.
Slice slice_of(const Box& piece, const StoredBox& stored, const std::vector<int>& order);

/// `@012`, with padding `@012+(0,0,2)`, with strides `@012/(1024,32,1)`.
std::string to_string(const Format& format, int dims);
/// `slab(0)@012 64x32x33 complex f64`: the distribution, the format, the shape, the type.
std::string to_string(const Layout& layout, int dims);

/// Throws Error(bad_request) if padding or strides make arrays of more than 2^62 bytes, or lay
/// elements of one box on top of each other. `end`: `in` or `out`, for the message.
void check_fits_in_memory(const Layout& layout, std::string_view end);

}  // namespace weft::core
