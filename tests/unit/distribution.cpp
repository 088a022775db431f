#include "geometry/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "property/whole_array.hpp"
#include "unit/random_distribution.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using test::random_distribution;
using test::random_grid;
using test::random_rule;
using test::random_shape;

Distribution drawn(Random& random) {
    const auto shape = random_shape(random, 4);
    const int ranks = static_cast<int>(random.between(1, 24));
    return random_distribution(random, shape, ranks, random_grid(random, ranks),
                               random_rule(random));
}

TEST(Distribution, PartsTileTheArray) {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
        const Distribution where = drawn(random);
        std::vector<int> owners(static_cast<std::size_t>(whole(where.shape()).volume()), 0);
        Index largest = 0;
        bool idle = false;
        for (int rank = 0; rank < where.ranks(); ++rank) {
            const Box box = where.box(rank);
            largest = std::max(largest, box.volume());
            idle = idle || box.empty();
            for (Index k = 0; k < box.volume(); ++k) {
                std::vector<Index> point = test::point_of(k, box.extents());
                for (std::size_t a = 0; a < point.size(); ++a) point[a] += box.lo[a];
                ++owners[static_cast<std::size_t>(test::number_of(point, where.shape()))];
            }
        }
        const auto once = [](int count) { return count == 1; };
        ASSERT_TRUE(std::all_of(owners.begin(), owners.end(), once)) << to_string(where, -1);
        ASSERT_EQ(where.idle(), idle) << to_string(where, -1);
        ASSERT_EQ(where.largest(), largest) << to_string(where, -1);
    }
}

TEST(Distribution, OverlapsAreThoseOfAllRanks) {
    Random random(2);
    for (int i = 0; i < 500; ++i) {
        const Distribution where = drawn(random);
        Box wanted;
        for (const Index n : where.shape()) {
            wanted.lo.push_back(random.between(0, n));
            wanted.hi.push_back(random.between(wanted.lo.back(), n));
        }
        std::map<int, Box> found;
        where.overlaps(wanted, [&](int rank, const Box& box) {
            EXPECT_TRUE(found.emplace(rank, box).second) << "rank " << rank << " twice";
        });
        std::map<int, Box> expected;
        for (int rank = 0; rank < where.ranks(); ++rank) {
            const Box common = intersect(where.box(rank), wanted);
            if (!common.empty()) expected.emplace(rank, common);
        }
        ASSERT_EQ(found, expected) << to_string(where, -1) << " " << weft::to_string(wanted);
    }
}

TEST(Distribution, CutsAnAxisFlatByTheProductOfItsFactors) {
    // Factor 1 outermost: ranks 0, 1 have factor 0 = 0; parts are numbered by (factor 1, factor 0).
    const Distribution where({12}, 6, {{2, 3}}, {{1, 0}}, CutRule::balanced);
    EXPECT_EQ(where.partition(0).parts, 6);
    EXPECT_EQ(where.box(0), (Box{{0}, {2}}));
    EXPECT_EQ(where.box(1), (Box{{4}, {6}}));
    EXPECT_EQ(where.box(3), (Box{{2}, {4}}));
}

TEST(Distribution, RanksBeyondTheGridOwnNothing) {
    const Distribution where({4, 4}, 5, {{2}}, {{0}, {}}, CutRule::balanced);
    EXPECT_EQ(where.box(1).volume(), 8);
    EXPECT_TRUE(where.box(2).empty());
    EXPECT_TRUE(where.box(4).empty());
    EXPECT_TRUE(where.idle());
}

TEST(Distribution, PlacesOfEmptyPartsAreWhereTheyWouldBegin) {
    const Distribution slab({2, 9}, 4, {{4}}, {{0}, {}}, CutRule::balanced);
    EXPECT_EQ(slab.place(0), (Box{{0, 0}, {0, 9}}));
    EXPECT_EQ(slab.place(2), (Box{{1, 0}, {1, 9}}));
    const Distribution block({5, 9}, 5, {{4}}, {{0}, {}}, CutRule::block);
    EXPECT_EQ(block.place(3), (Box{{5, 0}, {5, 9}}));
    EXPECT_EQ(block.place(4), (Box{{5, 0}, {5, 9}}));
    // The slowest factor cuts axis 1; ranks 4 and 5 are beyond it, at both places of axis 0.
    const Distribution pencil({8, 6, 7}, 6, {{2, 2}}, {{1}, {0}, {}}, CutRule::balanced);
    EXPECT_EQ(pencil.place(4), (Box{{0, 6, 0}, {4, 6, 7}}));
    EXPECT_EQ(pencil.place(5), (Box{{4, 6, 0}, {8, 6, 7}}));
    const Distribution single({3, 2}, 2, {{1}}, {{}, {}}, CutRule::balanced);
    EXPECT_EQ(single.place(1), (Box{{3, 0}, {3, 2}}));
    const Distribution rows(BoxList({4, 6}, {{}, {{{0, 0}, {1, 6}}, {{1, 0}, {4, 6}}}}));
    EXPECT_EQ(rows.place(0), (Box{{4, 0}, {4, 6}}));
}

TEST(Distribution, PlacesFollowOneAnother) {
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        const Distribution where = drawn(random);
        for (int rank = 0; rank < where.ranks(); ++rank) {
            const Box place = where.place(rank);
            const std::vector<Box> owned = where.boxes(rank);
            ASSERT_EQ(owned.empty(), place.empty()) << to_string(where, -1) << " rank " << rank;
            if (!owned.empty()) {
                ASSERT_EQ(place, owned.front());
            }
            for (int axis = 0; axis < where.axes(); ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                const bool whole_axis = place.extent(axis) == where.shape()[a];
                const bool cut = !where.local(axis) || (axis == 0 && rank >= where.grid().size());
                ASSERT_TRUE(cut || whole_axis) << to_string(where, -1) << " rank " << rank;
                ASSERT_LE(place.lo[a], place.hi[a]);
                ASSERT_LE(place.hi[a], where.shape()[a]);
            }
        }
    }
}

TEST(Distribution, FactorsOfOneDoNotMatter) {
    const Distribution slab({4, 4}, 4, {{4}}, {{}, {0}}, CutRule::balanced);
    const Distribution pencil({4, 4}, 4, {{1, 4, 1}}, {{0, 2}, {1}}, CutRule::balanced);
    EXPECT_EQ(slab, pencil);
    EXPECT_TRUE(pencil.local(0));
    EXPECT_FALSE(pencil.local(1));
}

TEST(Distribution, OfMorePartsThanElementsLeavesRanksIdle) {
    const Distribution where({2}, 5, {{5}}, {{0}}, CutRule::balanced);
    EXPECT_TRUE(where.idle());
    EXPECT_EQ(where.largest(), 1);
}

TEST(Distribution, ReshapedKeepsTheAssignment) {
    const Distribution real({8, 10}, 4, {{4}}, {{}, {0}}, CutRule::block);
    const Distribution half = real.reshaped({8, 6});
    EXPECT_EQ(half.box(3), (Box{{0, 6}, {8, 6}}));
    EXPECT_EQ(half.reshaped({8, 10}), real);
}

TEST(Distribution, RefusesAGridLargerThanTheRanks) {
    EXPECT_THROW(Distribution({8}, 3, {{4}}, {{0}}, CutRule::balanced), Error);
}

TEST(Distribution, IsPrintedByTheNamesOfThePapers) {
    const std::vector<Index> shape = {8, 8, 8, 4};
    const auto text = [&](const std::vector<int>& factors, std::vector<std::vector<int>> cuts,
                          int ranks) {
        return to_string(Distribution(shape, ranks, {factors}, std::move(cuts), CutRule::balanced),
                         3);
    };
    EXPECT_EQ(text({}, {{}, {}, {}, {}}, 1), "all");
    EXPECT_EQ(text({}, {{}, {}, {}, {}}, 4), "single");
    EXPECT_EQ(text({4}, {{}, {0}, {}, {}}, 4), "slab(1)");
    EXPECT_EQ(text({4}, {{}, {}, {}, {0}}, 4), "slab(b)");
    EXPECT_EQ(text({2, 4}, {{0}, {}, {1}, {}}, 8), "pencil(0:2,2:4)");
    EXPECT_EQ(text({2, 4, 3}, {{2}, {0}, {1}, {}}, 24), "grid(0:3,1:2,2:4)");
}

}  // namespace

}  // namespace weft::core
