#include "weft/box.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace weft::core {

namespace {

Box random_box(Random& random, int axes) {
    Box box;
    for (int a = 0; a < axes; ++a) {
        box.lo.push_back(random.between(0, 6));
        box.hi.push_back(box.lo.back() + random.between(0, 5));
    }
    return box;
}

bool contains(const Box& box, const std::vector<Index>& point) {
    for (std::size_t a = 0; a < point.size(); ++a) {
        if (point[a] < box.lo[a] || point[a] >= box.hi[a]) return false;
    }
    return true;
}

TEST(Box, KnowsItsExtentsAndVolume) {
    const Box box{{1, 2, 0}, {4, 4, 7}};
    EXPECT_EQ(box.axes(), 3);
    EXPECT_EQ(box.extents(), (std::vector<Index>{3, 2, 7}));
    EXPECT_EQ(box.extent(1), 2);
    EXPECT_EQ(box.volume(), 42);
    EXPECT_FALSE(box.empty());
    EXPECT_EQ(to_string(box), "[1:4,2:4,0:7]");
}

TEST(Box, OfAShapeStartsAtZero) { EXPECT_EQ(whole({3, 5}), (Box{{0, 0}, {3, 5}})); }

TEST(Box, WithoutAxesHoldsOneElement) {
    EXPECT_EQ(Box{}.volume(), 1);
    EXPECT_FALSE(Box{}.empty());
    EXPECT_EQ(to_string(Box{}), "[]");
}

TEST(Box, WithAnEmptyRangeIsEmpty) {
    const Box box{{0, 2}, {5, 2}};
    EXPECT_EQ(box.volume(), 0);
    EXPECT_TRUE(box.empty());
}

TEST(Box, VolumesAre64Bits) {
    EXPECT_EQ(whole({Index{1} << 20, Index{1} << 20, Index{1} << 18}).volume(), Index{1} << 58);
}

TEST(Box, IntersectionHoldsThePointsOfBoth) {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
        const Box a = random_box(random, 2);
        const Box b = random_box(random, 2);
        const Box common = intersect(a, b);
        Index count = 0;
        for (Index x = 0; x < 12; ++x) {
            for (Index y = 0; y < 12; ++y) {
                const bool both = contains(a, {x, y}) && contains(b, {x, y});
                ASSERT_EQ(contains(common, {x, y}), both) << to_string(a) << to_string(b);
                count += both ? 1 : 0;
            }
        }
        ASSERT_EQ(common.volume(), count) << to_string(a) << to_string(b);
        ASSERT_EQ(intersect(b, a).volume(), count);
    }
}

}  // namespace

}  // namespace weft::core
