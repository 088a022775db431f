#include "geometry/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "property/whole_array.hpp"
#include "unit/random_distribution.hpp"

namespace weft::core {

namespace {

Format random_format(Random& random, int axes) {
    Format format = row_major(axes);
    random.shuffle(format.order);
    return format;
}

TEST(Format, RowMajorHasTheLastAxisFastest) {
    EXPECT_EQ(strides(row_major(3), whole({4, 5, 6})), (std::vector<Index>{30, 6, 1}));
}

TEST(Format, StridesFollowTheOrder) {
    EXPECT_EQ(strides({{1, 0, 2}}, whole({4, 5, 6})), (std::vector<Index>{6, 24, 1}));
    EXPECT_EQ(strides({{2, 1, 0}}, whole({4, 5, 6})), (std::vector<Index>{1, 4, 20}));
}

TEST(Layout, CountsElementsAndBytes) {
    const Distribution where({5, 6}, 2, {{2}}, {{0}, {}}, CutRule::balanced);
    const Layout layout{where, row_major(2), {Precision::f32, true}};
    EXPECT_EQ(layout.count(0), 12);
    EXPECT_EQ(layout.count(1), 18);
    EXPECT_EQ(layout.bytes(1), 144);
    EXPECT_EQ((Layout{where, row_major(2), {Precision::f64, false}}.bytes(1)), 144);
    EXPECT_EQ((Layout{where, row_major(2), {Precision::f64, true}}.bytes(1)), 288);
    EXPECT_EQ((Layout{where, row_major(2), {Precision::f32, false}}.bytes(1)), 72);
    EXPECT_EQ(to_string(layout, 2), "slab(0)@01 5x6 complex f32");
}

TEST(Layout, WithPaddingLeavesRoomAfterEachLine) {
    const Distribution where({5, 6}, 2, {{2}}, {{0}, {}}, CutRule::balanced);
    const Layout layout{where, {{0, 1}, {1, 2}, {}}, {Precision::f64, false}};
    EXPECT_EQ(layout.count(1), 18);
    EXPECT_EQ(layout.span(1), 4 * 8);
    EXPECT_EQ(layout.bytes(1), 4 * 8 * 8);
    EXPECT_EQ(layout.largest_span(), 4 * 8);
    EXPECT_EQ(layout.stored(1).front().strides, (std::vector<Index>{8, 1}));
    EXPECT_EQ(to_string(layout, 2), "slab(0)@01+(1,2) 5x6 real f64");
}

TEST(Layout, WithStridesSpansWhatTheyReach) {
    const Distribution where({5, 6}, 2, {{2}}, {{0}, {}}, CutRule::balanced);
    const Layout layout{where, {{0, 1}, {}, {2, 16}}, {Precision::f64, false}};
    EXPECT_EQ(layout.span(1), 1 + 2 * 2 + 5 * 16);
    EXPECT_EQ(layout.largest_span(), layout.span(1));
    EXPECT_EQ(to_string(layout, 2), "slab(0)@01/(2,16) 5x6 real f64");
}

TEST(Layout, KeepsBoxesOneAfterTheOther) {
    const Distribution where(
        BoxList({4, 4}, {{{{0, 0}, {2, 4}}, {{2, 2}, {4, 4}}}, {{{2, 0}, {4, 2}}}, {}}));
    const Layout layout{where, {{1, 0}, {1, 0}, {}}, {Precision::f64, true}};
    const std::vector<StoredBox> stored = layout.stored(0);
    ASSERT_EQ(stored.size(), 2U);
    EXPECT_EQ(stored[0].strides, (std::vector<Index>{1, 3}));
    EXPECT_EQ(stored[1].offset, 12);
    EXPECT_EQ(layout.count(0), 12);
    EXPECT_EQ(layout.span(0), 12 + 6);
    EXPECT_EQ(layout.span(2), 0);
    EXPECT_EQ(layout.largest_span(), 18);
}

// The slice visits the elements of the piece in the order in which they travel, each at its place
// in the memory of the rank that stores it.
TEST(Slice, VisitsThePieceInTheOrderOfTravel) {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        const auto shape = test::random_shape(random, 4);
        const int axes = static_cast<int>(shape.size());
        Box stored;
        Box piece;
        for (const Index n : shape) {
            stored.lo.push_back(random.between(0, 3));
            stored.hi.push_back(stored.lo.back() + n);
            piece.lo.push_back(random.between(stored.lo.back(), stored.hi.back() - 1));
            piece.hi.push_back(random.between(piece.lo.back() + 1, stored.hi.back()));
        }
        const Format format = random_format(random, axes);
        const Format travel = random_format(random, axes);
        const Slice slice = slice_of(piece, {stored, 7, strides(format, stored)}, travel.order);
        ASSERT_EQ(slice.count(), piece.volume());

        std::vector<Index> travel_extents;
        travel_extents.reserve(travel.order.size());
        for (const int axis : travel.order) travel_extents.push_back(piece.extent(axis));
        std::vector<Index> stored_extents;
        stored_extents.reserve(format.order.size());
        for (const int axis : format.order) stored_extents.push_back(stored.extent(axis));
        Index expected_next = -1;
        bool adjacent = true;
        for (Index k = 0; k < slice.count(); ++k) {
            const auto steps = test::point_of(k, travel_extents);
            Index found = slice.offset;
            std::vector<Index> inside(shape.size());
            for (std::size_t r = 0; r < steps.size(); ++r) {
                found += steps[r] * slice.runs[r].stride;
                const auto axis = static_cast<std::size_t>(travel.order[r]);
                inside[axis] = piece.lo[axis] - stored.lo[axis] + steps[r];
            }
            std::vector<Index> in_memory;
            in_memory.reserve(format.order.size());
            for (const int axis : format.order) {
                in_memory.push_back(inside[static_cast<std::size_t>(axis)]);
            }
            ASSERT_EQ(found, 7 + test::number_of(in_memory, stored_extents));
            adjacent = adjacent && (k == 0 || found == expected_next);
            expected_next = found + 1;
        }
        ASSERT_EQ(contiguous(slice), adjacent);
    }
}

}  // namespace

}  // namespace weft::core
