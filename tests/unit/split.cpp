// Partitions and distributions whose parts have weights, against what the definitions say part by
// part and rank by rank.
#include "geometry/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "exchange/transfers.hpp"
#include "geometry/census.hpp"
#include "geometry/distribution.hpp"

namespace weft::core {

namespace {

Index weight_of(const PartWeights& weights, Index part) {
    return part % weights.block % weights.period < weights.heavy ? weights.weight : 1;
}

/// By adding up the parts one by one.
std::vector<Index> begins_of(const Partition& partition) {
    Index all = 0;
    for (Index part = 0; part < partition.parts; ++part) all += weight_of(partition.weights, part);
    std::vector<Index> begins = {0};
    Index before = 0;
    for (Index part = 0; part < partition.parts; ++part) {
        before += weight_of(partition.weights, part);
        begins.push_back(partition.n * before / all);
    }
    return begins;
}

void expect_as_defined(const Partition& partition) {
    const std::vector<Index> begins = begins_of(partition);
    Index largest = 0;
    Index used = 0;
    for (Index part = 0; part < partition.parts; ++part) {
        const Index begin = begins[static_cast<std::size_t>(part)];
        const Index end = begins[static_cast<std::size_t>(part) + 1];
        ASSERT_EQ(partition.begin(part), begin);
        ASSERT_EQ(partition.interval(part), std::pair(begin, end));
        for (Index i = begin; i < end; ++i) ASSERT_EQ(partition.owner(i), part) << i;
        largest = std::max(largest, end - begin);
        used += end > begin ? 1 : 0;
    }
    ASSERT_EQ(partition.begin(partition.parts), partition.n);
    ASSERT_EQ(partition.in_use(), used);
    ASSERT_EQ(partition.idle(), used < partition.parts);
    ASSERT_GE(partition.largest(), largest);
    const bool heavy = partition.weights.heavy > 0 && !partition.weights.even();
    if (heavy) {
        ASSERT_LE(partition.largest(), largest + 1);
    }
}

TEST(Weights, PartsAreAsLargeAsTheyWeigh) {
    for (const PartWeights weights :
         {PartWeights{3, 1, 4, 4}, PartWeights{3, 1, 4, 12}, PartWeights{2, 2, 3, 3},
          PartWeights{1000, 1, 2, 6}, PartWeights{5, 1, 3, 7}, PartWeights{4, 2, 8, 4},
          PartWeights{7, 3, 5, 5}}) {
        for (Index n = 1; n <= 40; ++n) {
            for (Index blocks = 1; blocks <= 3; ++blocks) {
                SCOPED_TRACE(testing::Message()
                             << n << " in " << blocks << " blocks, weight " << weights.weight
                             << ", heavy " << weights.heavy << " of " << weights.period << " in "
                             << weights.block);
                expect_as_defined({n, blocks * weights.block, CutRule::balanced, weights});
                if (HasFatalFailure()) return;
            }
        }
    }
    const Partition example{24, 8, CutRule::balanced, {3, 1, 4, 4}};
    EXPECT_EQ(example.interval(0), (std::pair<Index, Index>(0, 6)));
    EXPECT_EQ(example.interval(1), (std::pair<Index, Index>(6, 8)));
    EXPECT_EQ(example.interval(4), (std::pair<Index, Index>(12, 18)));
}

TEST(Weights, CutTheLongestAxisWithoutOverflow) {
    const Index n = Index{1} << 58;
    const Index parts = Index{1} << 24;
    const Partition partition{n, parts, CutRule::balanced, {1000, 1, 4, 4}};
    EXPECT_EQ(partition.begin(parts / 2), n / 2);
    EXPECT_EQ(partition.begin(parts), n);
    EXPECT_EQ(partition.owner(n / 2), parts / 2);
    EXPECT_EQ(partition.owner(n / 2 - 1), parts / 2 - 1);
    EXPECT_EQ(partition.owner(n - 1), parts - 1);
    EXPECT_FALSE(partition.idle());
}

Index rank_weight(const Split& split, int rank) {
    return rank % split.period < split.heavy ? split.weight : 1;
}

/// Whether ranks with the same coordinate in the factor weigh the same.
bool tells_weights(const ProcessGrid& grid, std::size_t factor, const Split& split) {
    std::vector<Index> of(static_cast<std::size_t>(grid.factors[factor]), 0);
    for (int rank = 0; rank < grid.size(); ++rank) {
        Index& known = of[static_cast<std::size_t>(grid.coordinates(rank)[factor])];
        if (known != 0 && known != rank_weight(split, rank)) return false;
        known = rank_weight(split, rank);
    }
    return true;
}

TEST(Weights, AFactorOfTheGridTellsThemOrNoneDoes) {
    for (const Split& split :
         {Split{CutRule::balanced, 3, 1, 4}, Split{CutRule::balanced, 3, 1, 2},
          Split{CutRule::balanced, 2, 2, 4}, Split{CutRule::balanced, 2, 2, 6},
          Split{CutRule::balanced, 5, 4, 12}, Split{CutRule::balanced, 5, 3, 8}}) {
        for (int ranks = 1; ranks <= 24; ++ranks) {
            for (int count = 1; count <= 3; ++count) {
                for (const auto& factors : ordered_factorizations(ranks, count, 1)) {
                    const ProcessGrid grid{factors};
                    SCOPED_TRACE(testing::PrintToString(factors));
                    const std::optional<int> found = split.heavy_factor(grid);
                    if (found) {
                        EXPECT_TRUE(tells_weights(grid, static_cast<std::size_t>(*found), split));
                        continue;
                    }
                    for (std::size_t f = 0; f < factors.size(); ++f) {
                        EXPECT_TRUE(factors[f] == 1 || ranks < split.period ||
                                    !tells_weights(grid, f, split))
                            << f;
                    }
                }
            }
        }
    }
}

/// All distributions of three axes that assign the factors of such a grid.
template <class Check>
void for_assignments(const std::vector<int>& factors, const Split& split, const Check& check) {
    constexpr int axes = 3;
    const ProcessGrid grid{factors};
    int ways = 1;
    for (std::size_t f = 0; f < factors.size(); ++f) ways *= axes;
    for (int way = 0; way < ways; ++way) {
        std::vector<std::vector<int>> cuts(axes);
        int rest = way;
        for (std::size_t f = 0; f < factors.size(); ++f) {
            cuts[static_cast<std::size_t>(rest % axes)].push_back(static_cast<int>(f));
            rest /= axes;
        }
        check(Distribution({48, 80, 64}, static_cast<int>(grid.size()), grid, cuts, split));
    }
}

TEST(Weights, RanksOwnAsMuchAsTheyWeigh) {
    const Split split{CutRule::balanced, 3, 1, 2};
    for (const std::vector<int>& factors : {std::vector{4}, {2, 2}, {2, 2, 2}, {2, 4}}) {
        for_assignments(factors, split, [&](const Distribution& where) {
            // No part is so small that rounding matters.
            const Index all = whole(where.shape()).volume();
            Index sum = 0;
            for (int rank = 0; rank < where.ranks(); ++rank) sum += rank_weight(split, rank);
            Index covered = 0;
            for (int rank = 0; rank < where.ranks(); ++rank) {
                const Index count = where.box(rank).volume();
                covered += count;
                const auto exact =
                    static_cast<double>(all * rank_weight(split, rank)) / static_cast<double>(sum);
                EXPECT_NEAR(static_cast<double>(count), exact, 0.5 * exact)
                    << to_string(where, 3) << ", rank " << rank;
                where.overlaps(where.box(rank), [&](int owner, const Box& part) {
                    EXPECT_EQ(owner, rank);
                    EXPECT_EQ(part, where.box(rank));
                });
            }
            EXPECT_EQ(covered, all);
            EXPECT_EQ(owners(where), where.ranks());
            EXPECT_GE(where.largest(), where.box(fullest_rank(where)).volume());
        });
    }
}

/// Ranks of other groups exchange nothing, since weighted cuts nest as well.
TEST(Weights, GroupsAreClosed) {
    const Split split{CutRule::balanced, 3, 1, 2};
    const std::vector<int> factors = {2, 2, 2};
    for_assignments(factors, split, [&](const Distribution& from) {
        for_assignments(factors, split, [&](const Distribution& to) {
            for (int rank = 0; rank < from.ranks(); ++rank) {
                const std::vector<int> ranks = group(from, to, rank).ranks;
                for (const Transfer& sent : sends(from, to, rank)) {
                    ASSERT_EQ(std::count(ranks.begin(), ranks.end(), sent.peer), 1)
                        << to_string(from, 3) << " to " << to_string(to, 3);
                }
            }
        });
    });
}

TEST(Weights, TellDistributionsApart) {
    const std::vector<std::vector<int>> cuts = {{0}, {}, {}};
    const Distribution even({12, 20, 16}, 4, {{4}}, cuts, CutRule::balanced);
    const Distribution weighted({12, 20, 16}, 4, {{4}}, cuts, Split{CutRule::balanced, 3, 1, 4});
    EXPECT_FALSE(even == weighted);
    EXPECT_EQ(group(even, weighted, 0).key, "all");
    EXPECT_EQ(to_string(weighted, 3), "weighted slab(0)");
    EXPECT_TRUE(even ==
                Distribution({12, 20, 16}, 4, {{4}}, cuts, Split{CutRule::balanced, 1, 1, 4}));
    EXPECT_EQ(volume(even, weighted), 12 * 20 * 16 - (3 + 0 + 1 + 2) * 20 * 16);
}

}  // namespace

}  // namespace weft::core
