#include "geometry/process_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/error.hpp"
#include "weft/problem.hpp"

namespace weft::core {

namespace {

TEST(ProcessGrid, NumbersRanksWithTheLastFactorFastest) {
    const ProcessGrid grid{{2, 3, 4}};
    EXPECT_EQ(grid.size(), 24);
    EXPECT_EQ(grid.coordinates(0), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(grid.coordinates(1), (std::vector<int>{0, 0, 1}));
    EXPECT_EQ(grid.coordinates(23), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(grid.rank({1, 0, 2}), 14);
}

TEST(ProcessGrid, RankUndoesCoordinates) {
    const ProcessGrid grid{{3, 1, 5, 2}};
    for (int rank = 0; rank < grid.size(); ++rank) {
        EXPECT_EQ(grid.rank(grid.coordinates(rank)), rank);
    }
}

TEST(ProcessGrid, WithoutFactorsIsOneRank) {
    EXPECT_EQ(ProcessGrid{}.size(), 1);
    EXPECT_EQ(ProcessGrid{}.rank({}), 0);
    EXPECT_TRUE(ProcessGrid{}.coordinates(0).empty());
}

TEST(OrderedFactorizations, AreAllOfThemAscending) {
    const auto all = ordered_factorizations(12, 2, 1);
    const std::vector<std::vector<int>> expected = {{1, 12}, {2, 6}, {3, 4},
                                                    {4, 3},  {6, 2}, {12, 1}};
    EXPECT_EQ(all, expected);
    EXPECT_EQ(ordered_factorizations(12, 2, 2),
              (std::vector<std::vector<int>>{{2, 6}, {3, 4}, {4, 3}, {6, 2}}));
}

TEST(OrderedFactorizations, MatchEnumeration) {
    for (int n = 1; n <= 36; ++n) {
        std::set<std::vector<int>> expected;
        for (int a = 1; a <= n; ++a) {
            for (int b = 1; a * b <= n; ++b) {
                for (int c = 1; a * b * c <= n; ++c) {
                    if (a * b * c == n) expected.insert({a, b, c});
                }
            }
        }
        const auto all = ordered_factorizations(n, 3, 1);
        EXPECT_TRUE(std::is_sorted(all.begin(), all.end())) << n;
        EXPECT_EQ(std::set<std::vector<int>>(all.begin(), all.end()), expected) << n;
        EXPECT_EQ(all.size(), expected.size()) << n;
    }
}

TEST(OrderedFactorizations, OfPrimesIntoFactorsAboveOneAreNone) {
    EXPECT_TRUE(ordered_factorizations(13, 2, 2).empty());
    EXPECT_EQ(ordered_factorizations(1, 0, 1).size(), 1U);
}

TEST(NearSquare, HasTheLeastLargestFactor) {
    EXPECT_EQ(near_square(12, 2), (std::vector<int>{3, 4}));
    EXPECT_EQ(near_square(16, 2), (std::vector<int>{4, 4}));
    EXPECT_EQ(near_square(7, 2), (std::vector<int>{1, 7}));
    EXPECT_EQ(near_square(64, 3), (std::vector<int>{4, 4, 4}));
    EXPECT_EQ(near_square(16, 3), (std::vector<int>{2, 2, 4}));
    EXPECT_EQ(near_square(72, 3), (std::vector<int>{3, 4, 6}));
    EXPECT_EQ(near_square(7, 3), (std::vector<int>{1, 1, 7}));
    EXPECT_EQ(near_square(24, 1), (std::vector<int>{24}));
    EXPECT_EQ(near_square(1, 3), (std::vector<int>{1, 1, 1}));
}

// [ayala] Table III, the bricks of 6 to 3072 ranks; in the last two rows the paper permutes the
// factors.
TEST(MinimumSurfaceGrid, GivesTheBricksOfAyala) {
    struct Row {
        int ranks;
        std::vector<int> brick;
        std::vector<int> pencil;
    };
    const std::vector<Row> table = {{6, {1, 2, 3}, {2, 3}},        {12, {2, 2, 3}, {3, 4}},
                                    {24, {2, 3, 4}, {4, 6}},       {48, {3, 4, 4}, {6, 8}},
                                    {96, {4, 4, 6}, {8, 12}},      {192, {4, 6, 8}, {12, 16}},
                                    {384, {6, 8, 8}, {16, 24}},    {768, {8, 8, 12}, {24, 32}},
                                    {1536, {16, 8, 12}, {32, 48}}, {3072, {16, 12, 16}, {48, 64}}};
    for (const Row& row : table) {
        std::vector<int> brick = row.brick;
        std::sort(brick.begin(), brick.end());
        EXPECT_EQ(minimum_surface_grid({512, 512, 512}, row.ranks), brick) << row.ranks;
        EXPECT_EQ(near_square(row.ranks, 2), row.pencil) << row.ranks;
    }
}

TEST(MinimumSurfaceGrid, CutsLongAxesMore) {
    EXPECT_EQ(minimum_surface_grid({1000, 10, 10}, 8), (std::vector<int>{8, 1, 1}));
    EXPECT_EQ(minimum_surface_grid({10, 1000, 1000}, 12), (std::vector<int>{1, 3, 4}));
    EXPECT_EQ(minimum_surface_grid({7}, 5), (std::vector<int>{5}));
    EXPECT_THROW(minimum_surface_grid({}, 5), Error);
    EXPECT_THROW(minimum_surface_grid({5}, 0), Error);
}

}  // namespace

}  // namespace weft::core
