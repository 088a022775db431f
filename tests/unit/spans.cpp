// Where boxes, and boxes in blocks, cut an axis.
#include "geometry/spans.hpp"

#include <gtest/gtest.h>

namespace weft::core {

namespace {

std::vector<Span> spans(const std::vector<BlockedBox>& boxes) {
    AxisCuts cuts(1, 0, 12);
    for (const BlockedBox& box : boxes) cuts.add(box);
    return cuts.spans();
}

// Blocks of two boxes whose edges differ are cut at all of them.
TEST(Spans, CutWhereBlocksOfTwoBoxesDiffer) {
    const Box row = whole({1, 12});
    const BlockedBox threes{{row, 0, {3, 1}}, Blocks{1, 3, 10}};
    const BlockedBox fours{{row, 0, {4, 1}}, Blocks{1, 4, 10}};
    const std::vector<Span> apart = {{0, 3, 1}, {3, 1, 1}, {4, 2, 1},
                                     {6, 2, 1}, {8, 1, 1}, {9, 3, 1}};
    EXPECT_EQ(spans({threes, fours}), apart);
    EXPECT_EQ(spans({threes}), (std::vector<Span>{{0, 3, 4}}));
    EXPECT_EQ(spans({}), (std::vector<Span>{{0, 12, 1}}));
}

// Blocks end with their box; edges beyond the interval are none.
TEST(Spans, CutWhereBoxesBeginAndEnd) {
    const BlockedBox pairs{{{{0, 2}, {1, 8}}, 0, {2, 1}}, Blocks{1, 2, 10}};
    const BlockedBox behind{{{{0, 8}, {1, 20}}, 0, {12, 1}}};
    EXPECT_EQ(spans({pairs, behind}), (std::vector<Span>{{0, 2, 1}, {2, 2, 3}, {8, 4, 1}}));
}

// What follows in memory as well makes one box; what lies before it, or elsewhere, does not.
TEST(BlockedBox, JoinsWhatFollowsInMemory) {
    const auto row = [](Index first, Index end, Index offset) {
        return BlockedBox{{{{0, first}, {1, end}}, offset, {1, 2}}};
    };
    BlockedBox box = row(0, 3, 10);
    EXPECT_FALSE(box.join(row(3, 5, 14)));
    EXPECT_FALSE(box.join(row(4, 5, 16)));
    EXPECT_TRUE(box.join(row(3, 5, 16)));
    EXPECT_EQ(box, row(0, 5, 10));
    BlockedBox single = row(2, 3, 10);
    EXPECT_FALSE(single.join(row(3, 4, 9)));
    EXPECT_TRUE(single.join(row(3, 4, 17)));
    EXPECT_EQ(single.stride(1), 7);
}

}  // namespace

}  // namespace weft::core
