// Cosine and sine transforms of complex numbers as tasks of their real and imaginary parts.
#include "program/real_parts.hpp"

#include <gtest/gtest.h>

namespace weft::core {

namespace {

LineTransform line_of(Index length) {
    return {.kind = Kind::r2r, .length = length, .axis = AxisKind::dct2};
}

TEST(RealParts, OfATaskAreOneMoreLoopOrJoinOne) {
    // Along the first axis of 8 x 6 complex numbers, to rows of 7.
    FftTask task{.line = line_of(8), .from_step = 6, .to_step = 7, .looped = {{6, 1, 1}}};
    task.from_offset = 3;
    task.to_offset = 5;
    const FftTask joined = on_real_parts(task);
    EXPECT_EQ(joined.line, task.line);
    EXPECT_EQ(joined.line_axis(), (Loop{8, 12, 14}));
    EXPECT_EQ(joined.looped, (std::vector<Loop>{{12, 1, 1}}));
    EXPECT_EQ(joined.from_offset, 6);
    EXPECT_EQ(joined.to_offset, 10);
    // Along the second one lines lie apart, and along both there is nothing but the parts.
    task.looped = {{8, 6, 7}};
    task.from_step = task.to_step = 1;
    task.line.length = 6;
    EXPECT_EQ(on_real_parts(task).looped, (std::vector<Loop>{{8, 12, 14}, {2, 1, 1}}));
    task.looped.clear();
    task.set_axes({{8, 6, 7}, {6, 1, 1}});
    task.kinds = {AxisKind::dst1};
    const FftTask plane = on_real_parts(task);
    EXPECT_EQ(plane.axes(), (std::vector<Loop>{{8, 12, 14}, {6, 2, 2}}));
    EXPECT_EQ(plane.looped, (std::vector<Loop>{{2, 1, 1}}));
    EXPECT_EQ(plane.kinds, task.kinds);
}

FusedLines lines_of(Index lane_step) {
    return {.line = line_of(6),
            .reads_beyond = true,
            .writes_beyond = true,
            .loops = {8},
            .lanes = 4,
            .from = {{{0, 3, 4, 1}, {12}, {{0, 0}, {1, 5}}}},
            .to = {{{0, 6, 4, lane_step}, {24}, {{2, 1}}}}};
}

TEST(RealParts, OfLinesSideBySideAreTwiceAsManyLanes) {
    const FusedLines lines = on_real_parts(lines_of(1));
    EXPECT_EQ(lines.lanes, 8);
    EXPECT_EQ(lines.loops, (std::vector<Index>{8}));
    EXPECT_EQ(lines.from, (std::vector<Segments>{{{0, 3, 8, 1}, {24}, {{0, 0}, {1, 10}}}}));
    EXPECT_EQ(lines.to, (std::vector<Segments>{{{0, 6, 8, 1}, {48}, {{2, 2}}}}));
    EXPECT_TRUE(lines.reads_beyond && lines.writes_beyond);
}

TEST(RealParts, OfLinesApartAreALoop) {
    const FusedLines lines = on_real_parts(lines_of(7));
    EXPECT_EQ(lines.lanes, 4);
    EXPECT_EQ(lines.loops, (std::vector<Index>{8, 2}));
    EXPECT_EQ(lines.from, (std::vector<Segments>{{{0, 3, 8, 2}, {24, 1}, {{0, 0}, {1, 10}}}}));
    EXPECT_EQ(lines.to, (std::vector<Segments>{{{0, 6, 8, 14}, {48, 1}, {{2, 2}}}}));
    EXPECT_FALSE(lines.reads_beyond || lines.writes_beyond);
}

TEST(RealParts, OfASingleLineLieSideBySide) {
    FusedLines single = lines_of(7);
    single.lanes = 1;
    const FusedLines lines = on_real_parts(single);
    EXPECT_EQ(lines.lanes, 2);
    EXPECT_EQ(lines.loops, (std::vector<Index>{8}));
    EXPECT_EQ(lines.to, (std::vector<Segments>{{{0, 6, 8, 1}, {48}, {{2, 2}}}}));
}

}  // namespace

}  // namespace weft::core
