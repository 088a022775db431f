// A box in memory that is cut along one axis into blocks, each of which lies by itself.
//
// Of 2 x 256 elements in two blocks of 128 along axis 1, with strides {128, 1} and 256 elements
// from block to block, element (1, 130) lies 256 + 1*128 + 2 elements after the first one.
#pragma once

#include <optional>
#include <vector>

#include "base/index.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

/// How a box is cut: a whole number of blocks of `extent` along the axis, `step` elements of memory
/// from one to the next.
struct Blocks {
    int axis = 0;
    Index extent = 1;
    Index step = 0;
    bool operator==(const Blocks&) const = default;
};

/// All strides are those within a block; a box without blocks is one.
struct BlockedBox {
    StoredBox stored;
    std::optional<Blocks> blocks{};

    [[nodiscard]] bool cuts(int axis) const { return blocks && blocks->axis == axis; }
    [[nodiscard]] Index lo(int axis) const { return stored.box.lo[usize(axis)]; }
    [[nodiscard]] Index hi(int axis) const { return stored.box.hi[usize(axis)]; }
    [[nodiscard]] Index stride(int axis) const { return stored.strides[usize(axis)]; }
    /// Of a block along the axis.
    [[nodiscard]] Index block_extent(int axis) const {
        return cuts(axis) ? blocks->extent : hi(axis) - lo(axis);
    }
    /// Steps of that index along the axis since its block began.
    [[nodiscard]] Index since_block(int axis, Index index) const {
        const Index steps = index - lo(axis);
        return cuts(axis) ? steps % blocks->extent : steps;
    }
    /// Elements of memory from the first index along the axis to that one.
    [[nodiscard]] Index distance(int axis, Index index) const {
        const Index in_block = since_block(axis, index) * stride(axis);
        if (!cuts(axis)) return in_block;
        return (index - lo(axis)) / blocks->extent * blocks->step + in_block;
    }
    /// The same elements where an array has them in that order of axes, block by block.
    [[nodiscard]] Slice slice(const std::vector<int>& order) const;
    /// Takes the other box in, if both make one box and lie as such: they differ along one axis,
    /// along which the other one follows, in memory as well. Otherwise false.
    bool join(const BlockedBox& other);
    bool operator==(const BlockedBox&) const = default;
};

}  // namespace weft::core
