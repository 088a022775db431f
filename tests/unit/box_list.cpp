// A caller's boxes: found by a tree, checked to tile the array.
#include "geometry/box_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "unit/refusal.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

using Boxes = std::vector<std::vector<Box>>;

TEST(BoxList, FindsWhatMeetsABox) {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
        const std::vector<Index> shape = {random.between(1, 30), random.between(1, 30),
                                          random.between(1, 5)};
        const int ranks = static_cast<int>(random.between(1, 9));
        const BoxList list(shape, random_boxes(random, shape, ranks));
        Box wanted = whole(shape);
        for (std::size_t a = 0; a < shape.size(); ++a) {
            wanted.lo[a] = random.between(0, shape[a]);
            wanted.hi[a] = random.between(wanted.lo[a], shape[a]);
        }
        std::vector<std::pair<int, std::vector<Index>>> expected;
        Index volume = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            for (const Box& box : list.boxes(rank)) {
                const Box common = intersect(box, wanted);
                if (!common.empty()) expected.emplace_back(rank, common.lo);
            }
        }
        std::vector<std::pair<int, std::vector<Index>>> found;
        list.overlaps(wanted, [&](int rank, const Box& common) {
            found.emplace_back(rank, common.lo);
            volume += common.volume();
        });
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected);
        ASSERT_EQ(volume, wanted.volume());
    }
}

TEST(BoxList, KnowsWhichAxesAreLocal) {
    const BoxList list({4, 4}, {{{{0, 0}, {2, 4}}, {{3, 0}, {4, 4}}}, {}, {{{2, 0}, {3, 4}}}});
    EXPECT_FALSE(list.local(0));
    EXPECT_TRUE(list.local(1));
    EXPECT_TRUE(list.idle(3));
    EXPECT_EQ(list.largest(), 12);
    const auto half = list.reshaped({4, 3});
    EXPECT_EQ(half->boxes(0).front(), (Box{{0, 0}, {2, 3}}));
    EXPECT_EQ(half->largest(), 9);
}

TEST(BoxList, LeavesOutEmptyBoxes) {
    const BoxList list({4}, {{{{0}, {0}}, {{0}, {4}}}, {{{2}, {2}}}});
    EXPECT_EQ(list.boxes(0).size(), 1U);
    EXPECT_TRUE(list.boxes(1).empty());
}

struct BadBoxes {
    Boxes boxes;
    const char* quoted;
};

TEST(BoxList, NamesWhatIsWrong) {
    const std::vector<BadBoxes> all = {
        {{{{{0, 0}, {5, 4}}}}, "box [0:5,0:4] of rank 0 is not inside the array 4x4: axis 0"},
        {{{{{0, -1}, {4, 4}}}}, "[0:4,-1:4]"},
        {{{{{0, 0}, {2, 4}}}, {{{1, 2}, {4, 4}}}},
         "box [0:2,0:4] of rank 0 and box [1:4,2:4] of rank 1 overlap in [1:2,2:4]"},
        {{{{{0, 0}, {4, 4}}, {{0, 0}, {4, 4}}}}, "of rank 0 overlap in [0:4,0:4]"},
        {{{{{0, 0}, {2, 4}}}, {{{2, 0}, {4, 3}}}}, "14 of the 16 elements"},
        {{{{{0, 0}, {2, 4}}}, {{{2, 0}, {4, 3}}}}, "no rank owns [2:4,3:4]"},
        {{{}, {}}, "no rank owns [0:4,0:4]"},
    };
    for (const BadBoxes& bad : all) {
        test::expect_refused("4x4", bad.quoted, [&] { BoxList({4, 4}, bad.boxes); });
    }
}

// Comparing each box with each would take minutes.
TEST(BoxList, ChecksManyBoxesWithoutComparingAll) {
    constexpr int ranks = 60'000;
    Boxes boxes(ranks);
    for (Index r = 0; r < ranks; ++r) {
        const Index x = r % 200;
        const Index y = r / 200;
        boxes[static_cast<std::size_t>(r)] = {{{x, y, 0}, {x + 1, y + 1, 7}}};
    }
    const std::vector<Index> shape = {200, 300, 7};
    EXPECT_EQ(BoxList(shape, boxes).largest(), 7);
    boxes[31'415].front().hi[2] = 6;
    test::expect_refused("a hole", "[15:16,157:158,6:7]", [&] { BoxList(shape, boxes); });
    boxes[31'415].front().hi[2] = 7;
    boxes[27'182].front().lo[0] -= 1;
    test::expect_refused("an overlap", "of rank 27181 and box", [&] { BoxList(shape, boxes); });
}

}  // namespace

}  // namespace weft::core
