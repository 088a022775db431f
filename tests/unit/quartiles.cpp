#include "measure/quartiles.hpp"

#include <gtest/gtest.h>

namespace weft::cli {

namespace {

TEST(Quartiles, OfOneValueAreThatValue) {
    const Quartiles one = quartiles({3});
    EXPECT_EQ(one.q1, 3);
    EXPECT_EQ(one.median, 3);
    EXPECT_EQ(one.q3, 3);
}

TEST(Quartiles, AreValuesWhereTheyFallOnOne) {
    const Quartiles five = quartiles({5, 1, 4, 2, 3});
    EXPECT_EQ(five.q1, 2);
    EXPECT_EQ(five.median, 3);
    EXPECT_EQ(five.q3, 4);
}

TEST(Quartiles, LieBetweenValuesOtherwise) {
    const Quartiles four = quartiles({40, 10, 30, 20});
    EXPECT_DOUBLE_EQ(four.q1, 17.5);
    EXPECT_DOUBLE_EQ(four.median, 25);
    EXPECT_DOUBLE_EQ(four.q3, 32.5);
    EXPECT_DOUBLE_EQ(quartiles({2, 1}).median, 1.5);
}

TEST(Quartiles, DoNotMindOutliers) {
    EXPECT_EQ(quartiles({1, 1, 1, 1, 1000}).median, 1);
    EXPECT_EQ(quartiles({1, 1, 1, 1, 1000}).q3, 1);
}

}  // namespace

}  // namespace weft::cli
