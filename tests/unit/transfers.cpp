#include "exchange/transfers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "unit/random_distribution.hpp"
#include "unit/refusal.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

struct Redistribution {
    Distribution from;
    Distribution to;
    [[nodiscard]] std::string text() const {
        return to_string(from, -1) + " -> " + to_string(to, -1) + " of " +
               weft::to_string(whole(from.shape()));
    }
};

/// Both sides on one process grid and by one rule, or not.
Redistribution random_redistribution(Random& random, bool same_grid) {
    const auto shape = test::random_shape(random, 4);
    const int ranks = static_cast<int>(random.between(1, 24));
    const ProcessGrid grid = test::random_grid(random, ranks);
    const CutRule rule = test::random_rule(random);
    const ProcessGrid other = same_grid ? grid : test::random_grid(random, ranks);
    const CutRule other_rule = same_grid ? rule : test::random_rule(random);
    return {test::random_distribution(random, shape, ranks, grid, rule),
            test::random_distribution(random, shape, ranks, other, other_rule)};
}

/// 400 redistributions, half of them within one process grid.
std::vector<Redistribution> random_redistributions(std::uint64_t seed) {
    Random random(seed);
    std::vector<Redistribution> redistributions;
    redistributions.reserve(400);
    for (int i = 0; i < 400; ++i)
        redistributions.push_back(random_redistribution(random, i % 2 == 0));
    return redistributions;
}

std::vector<Transfer> overlay(const Box& mine, const Distribution& others) {
    std::vector<Transfer> result;
    for (int peer = 0; peer < others.ranks(); ++peer) {
        const Box common = intersect(mine, others.box(peer));
        if (!common.empty()) result.push_back({peer, common});
    }
    return result;
}

TEST(Transfers, AreTheOverlayOfBothSides) {
    for (const Redistribution& redistribution : random_redistributions(1)) {
        for (int rank = 0; rank < redistribution.from.ranks(); ++rank) {
            const Transfers found = transfers(redistribution.from, redistribution.to, rank);
            ASSERT_EQ(found.sends, overlay(redistribution.from.box(rank), redistribution.to))
                << redistribution.text();
            ASSERT_EQ(found.receives, overlay(redistribution.to.box(rank), redistribution.from))
                << redistribution.text();
        }
    }
}

TEST(Transfers, VolumeIsWhatLeavesItsRank) {
    for (const Redistribution& redistribution : random_redistributions(2)) {
        Index expected = 0;
        for (int rank = 0; rank < redistribution.from.ranks(); ++rank) {
            for (const Transfer& send : overlay(redistribution.from.box(rank), redistribution.to)) {
                if (send.peer != rank) expected += send.box.volume();
            }
        }
        ASSERT_EQ(volume(redistribution.from, redistribution.to), expected)
            << redistribution.text();
        ASSERT_EQ(volume(redistribution.to, redistribution.from), expected)
            << redistribution.text();
    }
}

// So many boxes on a rank that they are not compared each with each.
TEST(Transfers, VolumeOfManyBoxesIsWhatLeavesItsRank) {
    constexpr Index n = 200;
    std::vector<std::vector<Box>> lines(2);
    std::vector<std::vector<Box>> columns(2);
    for (Index i = 0; i < n; ++i) {
        lines[static_cast<std::size_t>(i % 2)].push_back({{i, 0}, {i + 1, n}});
        columns[static_cast<std::size_t>(i % 2)].push_back({{0, i}, {n, i + 1}});
    }
    const Distribution from(BoxList({n, n}, lines));
    const Distribution to(BoxList({n, n}, columns));
    // Elements stay where line and column are both even or both odd.
    EXPECT_EQ(volume(from, to), n * n / 2);
    EXPECT_EQ(sent(from, to, 0), n * n / 4);
    EXPECT_EQ(sent(from, to, 1), n * n / 4);
}

TEST(Transfers, GroupsHoldAllPeersAndPartitionTheRanks) {
    for (const Redistribution& redistribution : random_redistributions(3)) {
        const std::string key = group(redistribution.from, redistribution.to, 0).key;
        for (int rank = 0; rank < redistribution.from.ranks(); ++rank) {
            const Group mine = group(redistribution.from, redistribution.to, rank);
            ASSERT_EQ(mine.key, key) << redistribution.text();
            ASSERT_TRUE(std::is_sorted(mine.ranks.begin(), mine.ranks.end()))
                << redistribution.text();
            const std::set<int> members(mine.ranks.begin(), mine.ranks.end());
            ASSERT_EQ(members.size(), mine.ranks.size()) << redistribution.text();
            ASSERT_TRUE(members.contains(rank)) << redistribution.text();
            const Transfers all = transfers(redistribution.from, redistribution.to, rank);
            for (const auto* side : {&all.sends, &all.receives}) {
                for (const Transfer& transfer : *side) {
                    ASSERT_TRUE(members.contains(transfer.peer))
                        << redistribution.text() << " rank " << rank;
                }
            }
            for (const int member : mine.ranks) {
                ASSERT_EQ(group(redistribution.from, redistribution.to, member), mine)
                    << redistribution.text();
            }
        }
    }
}

TEST(Transfers, LargestMessageIsThatBetweenTwoRanks) {
    Random random(5);
    int exact = 0;
    for (int i = 0; i < 200; ++i) {
        const std::vector<Index> shape = test::random_shape(random, 3);
        const int ranks = static_cast<int>(random.between(1, 9));
        const CutRule rule = test::random_rule(random);
        const Distribution from(BoxList(shape, random_boxes(random, shape, ranks)));
        const Distribution to =
            test::random_distribution(random, shape, ranks, test::random_grid(random, ranks), rule);
        Index largest = 0;
        for (int source = 0; source < ranks; ++source) {
            for (int target = 0; target < ranks; ++target) {
                if (source == target) continue;
                largest = std::max(largest, common_elements(from, to, source, target));
            }
        }
        ASSERT_EQ(largest_message(from, to), largest);
        ASSERT_EQ(largest_message(to, from), largest);
        exact += largest > 0 ? 1 : 0;
    }
    EXPECT_GT(exact, 100);
}

TEST(Transfers, RefuseMoreBoxesThanARankCanHold) {
    const int ranks = 1 << 20;
    const std::vector<Index> shape = {ranks, ranks};
    const ProcessGrid grid{{ranks}};
    const Distribution rows(shape, ranks, grid, {{0}, {}}, CutRule::balanced);
    const Distribution columns(shape, ranks, grid, {{}, {0}}, CutRule::balanced);
    test::expect_refused("slabs", "decomposition=pencil", [&] { transfers(rows, columns, 5); });
}

TEST(Transfers, RefuseToLookForTheLargestOfTooManyMessages) {
    // Rows of 2 x 40000 and columns: every rank has something for half of the others.
    const int ranks = 40'000;
    std::vector<std::vector<Box>> halves(ranks);
    for (Index rank = 0; rank < ranks; ++rank) {
        const Index row = rank / 2;
        const Index half = rank % 2 * ranks / 2;
        halves[static_cast<std::size_t>(rank)] = {{{row, half}, {row + 1, half + ranks / 2}}};
    }
    const std::vector<Index> shape = {ranks / 2, ranks};
    const Distribution from(BoxList(shape, halves));
    const Distribution to(shape, ranks, ProcessGrid{{ranks}}, {{}, {0}}, CutRule::balanced);
    test::expect_refused("halves of rows", "via=alltoallv", [&] { largest_message(from, to); });
}

// Equal keys of different redistributions stand for equal groups: a net may keep one communicator for them.
TEST(Transfers, GroupsOfOneKeyAreTheSame) {
    Random random(4);
    std::map<std::string, std::vector<Group>> known;
    for (int i = 0; i < 2000; ++i) {
        const std::vector<Index> shape = {4, 4, 4};
        const ProcessGrid grid{random.pick(ordered_factorizations(12, 3, 1))};
        const CutRule rule = test::random_rule(random);
        const Distribution from = test::random_distribution(random, shape, 12, grid, rule);
        const Distribution to = test::random_distribution(random, shape, 12, grid, rule);
        std::vector<Group> groups;
        groups.reserve(12);
        for (int rank = 0; rank < 12; ++rank) groups.push_back(group(from, to, rank));
        const auto entry = known.try_emplace(groups.front().key, groups).first;
        ASSERT_EQ(entry->second, groups) << groups.front().key;
    }
    EXPECT_GT(known.size(), 10U);
}

TEST(Transfers, OfPencilsStayInRowsAndColumns) {
    const std::vector<Index> shape = {8, 8, 8};
    const ProcessGrid grid{{2, 4}};
    const Distribution a(shape, 8, grid, {{0}, {1}, {}}, CutRule::balanced);
    const Distribution b(shape, 8, grid, {{0}, {}, {1}}, CutRule::balanced);
    const Distribution c(shape, 8, grid, {{}, {0}, {1}}, CutRule::balanced);
    EXPECT_EQ(group(a, b, 5).ranks, (std::vector<int>{4, 5, 6, 7}));
    EXPECT_EQ(group(b, c, 5).ranks, (std::vector<int>{1, 5}));
    EXPECT_EQ(volume(a, b), 512 / 4 * 3);
    EXPECT_EQ(volume(b, c), 512 / 2);
    EXPECT_EQ(volume(a, a), 0);
}

}  // namespace

}  // namespace weft::core
