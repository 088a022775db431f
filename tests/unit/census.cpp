// How many ranks own something, and which has most.
#include "geometry/census.hpp"

#include <gtest/gtest.h>

#include "plan/plan.hpp"

namespace weft::core {

namespace {

Index elements(const Distribution& where, int rank) {
    Index count = 0;
    for (const Box& box : where.boxes(rank)) count += box.volume();
    return count;
}

class Census : public ::testing::TestWithParam<const char*> {};

TEST_P(Census, IsWhatTheRanksSay) {
    const Plan plan = parse_plan(GetParam());
    for (const Layout& layout : plan.at) {
        Index some = 0;
        Index most = 0;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            some += elements(layout.where, rank) > 0 ? 1 : 0;
            most = std::max(most, elements(layout.where, rank));
        }
        EXPECT_EQ(owners(layout.where), some);
        EXPECT_EQ(elements(layout.where, fullest_rank(layout.where)), most);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Plans, Census,
    ::testing::Values("c2c:f64:16x16x16; ranks=4", "r2c:f64:9x7x11; ranks=5",
                      "c2c:f64:4x4x4 in=slab(0); ranks=7", "c2c:f64:10x9x8 cut=block; ranks=7",
                      "c2c:f64:5x6x7 in=brick cut=block; ranks=24",
                      "c2c:f64:6x6x6; ranks=5; decomposition=row-wise",
                      "c2c:f64:4x4x4; ranks=9; shrink=3", "c2c:f64:7; ranks=3",
                      "c2c:f64:8x8 in=boxes([0:4,0:8]|[4:8,0:3][4:8,3:8]|) out=slab(1); ranks=3"));

}  // namespace

}  // namespace weft::core
