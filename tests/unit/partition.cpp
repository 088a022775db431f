#include "geometry/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace weft::core {

namespace {

class PartitionRule : public ::testing::TestWithParam<CutRule> {
  protected:
    /// check(partition) for all small axes and numbers of parts, more parts than indices included.
    template <class Check>
    static void for_all(const Check& check) {
        for (Index n = 1; n <= 24; ++n) {
            for (Index parts = 1; parts <= 30; ++parts) {
                const Partition partition{n, parts, GetParam()};
                SCOPED_TRACE(testing::Message() << n << " in " << parts);
                check(partition);
                if (HasFailure()) return;
            }
        }
    }
};

TEST_P(PartitionRule, CoversEveryIndexOnceAndKnowsItsOwner) {
    for_all([](const Partition& partition) {
        ASSERT_EQ(partition.begin(0), 0);
        ASSERT_EQ(partition.end(partition.parts - 1), partition.n);
        for (Index part = 0; part < partition.parts; ++part) {
            ASSERT_LE(partition.begin(part), partition.end(part));
            ASSERT_EQ(partition.interval(part),
                      std::pair(partition.begin(part), partition.end(part)));
            for (Index i = partition.begin(part); i < partition.end(part); ++i) {
                ASSERT_EQ(partition.owner(i), part) << "index " << i;
            }
        }
    });
}

TEST_P(PartitionRule, KnowsItsLargestPartAndWhetherOneIsEmpty) {
    for_all([](const Partition& partition) {
        Index largest = 0;
        bool idle = false;
        for (Index part = 0; part < partition.parts; ++part) {
            const Index extent = partition.end(part) - partition.begin(part);
            largest = std::max(largest, extent);
            idle = idle || extent == 0;
        }
        ASSERT_EQ(partition.largest(), largest);
        ASSERT_EQ(partition.idle(), idle);
    });
}

INSTANTIATE_TEST_SUITE_P(Both, PartitionRule, ::testing::Values(CutRule::balanced, CutRule::block),
                         [](const auto& instance) { return to_string(instance.param); });

TEST(Partition, BalancedPartsDifferByOneAtMost) {
    const Partition partition{10, 4, CutRule::balanced};
    EXPECT_EQ(partition.begin(1), 2);
    EXPECT_EQ(partition.begin(2), 5);
    EXPECT_EQ(partition.begin(3), 7);
}

TEST(Partition, BlocksAreThoseOfFftwsMpiInterface) {
    const Partition partition{10, 4, CutRule::block};
    EXPECT_EQ(partition.begin(1), 3);
    EXPECT_EQ(partition.begin(2), 6);
    EXPECT_EQ(partition.begin(3), 9);
    EXPECT_EQ(partition.end(3), 10);
    // 9 indices on 4 ranks: blocks of 3, and nothing for the last.
    EXPECT_EQ((Partition{9, 4, CutRule::block}.begin(3)), 9);
    EXPECT_TRUE((Partition{9, 4, CutRule::block}.idle()));
}

TEST(Partition, BalancedCutsNest) {
    for (Index n = 1; n <= 20; ++n) {
        for (Index p = 1; p <= 6; ++p) {
            for (Index q = 1; q <= 6; ++q) {
                const Partition coarse{n, p, CutRule::balanced};
                const Partition fine{n, p * q, CutRule::balanced};
                for (Index part = 0; part <= p; ++part) {
                    ASSERT_EQ(coarse.begin(part), fine.begin(part * q))
                        << n << " " << p << "x" << q;
                }
            }
        }
    }
}

// The longest axis that a problem may have, on more ranks than any machine has.
TEST_P(PartitionRule, CutsTheLongestAxisWithoutOverflow) {
    const Index n = Index{1} << 58;
    const Index parts = Index{1} << 24;
    const Partition partition{n, parts, GetParam()};
    EXPECT_EQ(partition.begin(parts / 2), n / 2);
    EXPECT_EQ(partition.begin(parts), n);
    EXPECT_EQ(partition.owner(n / 2), parts / 2);
    EXPECT_EQ(partition.owner(n - 1), parts - 1);
    EXPECT_FALSE(partition.idle());
}

}  // namespace

}  // namespace weft::core
