#include "geometry/row_wise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "unit/random_distribution.hpp"

namespace weft::core {

namespace {

struct Drawn {
    std::vector<Index> shape;
    std::vector<int> order;  ///< of all axes, or of all but the last
    int ranks = 1;
    int used = 1;
    Split split{};

    [[nodiscard]] Distribution rows() const { return row_wise(shape, ranks, used, order, split); }
    /// How many times as much as a light rank that one owns.
    [[nodiscard]] Index weight(int rank) const {
        return rank % split.period < split.heavy ? split.weight : 1;
    }
};

Drawn draw(Random& random) {
    Drawn drawn;
    drawn.shape = test::random_shape(random, 5);
    drawn.order.resize(drawn.shape.size());
    if (drawn.order.size() > 1 && random.once_in(4)) drawn.order.pop_back();
    std::iota(drawn.order.begin(), drawn.order.end(), 0);
    random.shuffle(drawn.order);
    drawn.ranks = static_cast<int>(random.between(1, random.once_in(3) ? 200 : 30));
    drawn.used = random.once_in(3) ? static_cast<int>(random.between(1, drawn.ranks)) : drawn.ranks;
    drawn.split = random.once_in(3) ? CutRule::block : CutRule::balanced;
    return drawn;
}

Drawn draw_weighted(Random& random) {
    Drawn drawn = draw(random);
    drawn.split = CutRule::balanced;
    Split& split = drawn.split;
    split.weight = random.between(2, random.once_in(3) ? 1000 : 9);
    split.period = static_cast<int>(random.between(2, random.once_in(3) ? 40 : 5));
    split.heavy = static_cast<int>(random.between(1, split.period - 1));
    return drawn;
}

/// Equal shares; shares with weights.
std::vector<Drawn> draw_both(Random& random) { return {draw(random), draw_weighted(random)}; }

/// The rank that owns an element by the definition: its place in the rows of the leading axes.
int owner(const Drawn& drawn, const std::vector<Index>& at) {
    if (drawn.order.size() == 1) return 0;  // nothing to cut
    Index rows = 1;
    Index place = 0;
    for (std::size_t i = 0; i + 1 < drawn.order.size() && rows < drawn.used; ++i) {
        const auto axis = static_cast<std::size_t>(drawn.order[i]);
        rows *= drawn.shape[axis];
        place = place * drawn.shape[axis] + at[axis];
    }
    if (drawn.split.rule == CutRule::block) {
        return static_cast<int>(place / ((rows + drawn.used - 1) / drawn.used));
    }
    Index all = 0;
    for (int rank = 0; rank < drawn.used; ++rank) all += drawn.weight(rank);
    int rank = 0;
    for (Index before = drawn.weight(0); rows * before / all <= place; ++rank) {
        before += drawn.weight(rank + 1);
    }
    return rank;
}

/// How many elements have the same indices along the flattened axes.
Index elements_of_row(const Drawn& drawn) {
    Index elements = whole(drawn.shape).volume();
    for (std::size_t i = 0; i < row_cuts(drawn.shape, drawn.order, drawn.used); ++i) {
        elements /= drawn.shape[static_cast<std::size_t>(drawn.order[i])];
    }
    return elements;
}

TEST(RowWise, SharesAreConsecutiveRows) {
    Random random(1);
    std::vector<Drawn> cases;
    for (int i = 0; i < 300; ++i) {
        for (const Drawn& drawn : draw_both(random)) cases.push_back(drawn);
    }
    for (const Drawn& drawn : cases) {
        const Distribution where = drawn.rows();
        SCOPED_TRACE(to_string(where, -1) + " of " + weft::to_string(whole(drawn.shape)));
        Index covered = 0;
        for (int rank = 0; rank < drawn.ranks; ++rank) {
            for (const Box& box : where.boxes(rank)) {
                covered += box.volume();
                std::vector<Index> at = box.lo;
                for (bool more = true; more;) {
                    ASSERT_EQ(owner(drawn, at), rank);
                    std::size_t a = at.size();
                    while (a > 0 && ++at[a - 1] == box.hi[a - 1]) {
                        at[a - 1] = box.lo[a - 1];
                        --a;
                    }
                    more = a > 0;
                }
            }
        }
        ASSERT_EQ(covered, whole(drawn.shape).volume());
    }
}

TEST(RowWise, TakesOneBoxOrTwoAndKeepsTheLastAxisWhole) {
    Random random(2);
    int two = 0;
    for (int i = 0; i < 2000; ++i) {
        const Drawn drawn = draw(random);
        const Distribution where = drawn.rows();
        ASSERT_TRUE(where.local(drawn.order.back()));
        for (int rank = 0; rank < drawn.ranks; ++rank) {
            const std::size_t boxes = where.boxes(rank).size();
            ASSERT_LE(boxes, rank < drawn.used ? 2U : 0U);
            two += boxes == 2 ? 1 : 0;
        }
        // As even as can be, unless blocks of a rounded size are asked for.
        Index rows = 1;
        for (std::size_t a = 0; a < row_cuts(drawn.shape, drawn.order, drawn.used); ++a) {
            rows *= drawn.shape[static_cast<std::size_t>(drawn.order[a])];
        }
        const Index most = (rows + drawn.used - 1) / drawn.used;
        ASSERT_LE(where.largest(), most * (whole(drawn.shape).volume() / rows));
        if (drawn.split.rule == CutRule::balanced) {
            ASSERT_EQ(where.idle(drawn.used), rows < drawn.used);
        }
    }
    EXPECT_GT(two, 1000);
}

// The example of RowShares.
TEST(RowWise, GivesHeavyRanksLongShares) {
    const Distribution rows =
        row_wise({7, 2, 6}, 8, 8, {0, 1, 2}, Split{CutRule::balanced, 4, 1, 4});
    EXPECT_EQ(to_string(rows, -1), "weighted rows(012)");
    EXPECT_EQ(rows.boxes(0), (std::vector<Box>{{{0, 0, 0}, {2, 2, 6}}}));
    EXPECT_EQ(
        rows.boxes(4),
        (std::vector<Box>{{{3, 1, 0}, {4, 2, 6}}, {{4, 0, 0}, {5, 2, 6}}, {{5, 0, 0}, {6, 1, 6}}}));
}

TEST(RowWise, TakesFewBoxesForLongShares) {
    Random random(5);
    std::size_t most = 0;
    for (int i = 0; i < 2000; ++i) {
        const Drawn drawn = draw_weighted(random);
        const Distribution where = drawn.rows();
        ASSERT_TRUE(where.local(drawn.order.back()));
        const std::size_t cuts = row_cuts(drawn.shape, drawn.order, drawn.used);
        for (int rank = 0; rank < drawn.ranks; ++rank) {
            const std::size_t boxes = where.boxes(rank).size();
            ASSERT_LE(boxes, rank < drawn.used ? std::max<std::size_t>(2 * cuts, 2) - 1 : 0);
            ASSERT_LE(boxes, where.most_boxes(rank));
            most = std::max(most, boxes);
        }
    }
    EXPECT_GE(most, 4U);
}

// By arithmetic as by a tree of the same boxes.
TEST(RowWise, AnswersAsAListOfItsBoxes) {
    Random random(3);
    int lists = 0;
    std::vector<Drawn> cases;
    for (int i = 0; i < 400; ++i) {
        for (const Drawn& drawn : draw_both(random)) cases.push_back(drawn);
    }
    for (const Drawn& drawn : cases) {
        const Distribution rows = drawn.rows();
        if (rows.list() == nullptr) continue;
        ++lists;
        std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(drawn.ranks));
        for (int rank = 0; rank < drawn.ranks; ++rank) {
            boxes[static_cast<std::size_t>(rank)] = rows.boxes(rank);
        }
        const BoxList list(drawn.shape, boxes);
        SCOPED_TRACE(rows.list()->name() + " of " + weft::to_string(whole(drawn.shape)));
        if (drawn.split.even()) {
            ASSERT_EQ(rows.largest(), list.largest());
        } else {  // of the flattened axes one index more, at most
            ASSERT_GE(rows.largest(), list.largest());
            ASSERT_LE(rows.largest(), list.largest() + elements_of_row(drawn));
        }
        for (int used = 1; used <= drawn.ranks; ++used) {
            ASSERT_EQ(rows.idle(used), list.idle(used)) << used;
        }
        for (int axis = 0; axis < rows.axes(); ++axis) {
            ASSERT_EQ(rows.local(axis), list.local(axis)) << axis;
        }
        Box wanted = whole(drawn.shape);
        for (std::size_t a = 0; a < wanted.lo.size(); ++a) {
            wanted.lo[a] = random.between(0, wanted.hi[a]);
            wanted.hi[a] = random.between(wanted.lo[a], wanted.hi[a]);
        }
        using Found = std::vector<std::pair<int, std::vector<Index>>>;
        const auto found = [&](const BoxesByRank& all) {
            Found result;
            all.overlaps(wanted, [&](int rank, const Box& common) {
                std::vector<Index> edges = common.lo;
                edges.insert(edges.end(), common.hi.begin(), common.hi.end());
                result.emplace_back(rank, edges);
            });
            std::sort(result.begin(), result.end());
            return result;
        };
        ASSERT_EQ(found(*rows.list()), found(list));
        std::vector<Index> longer = drawn.shape;
        for (std::size_t a = 0; a < longer.size(); ++a) {
            if (list.local(static_cast<int>(a))) longer[a] += 2;
        }
        ASSERT_TRUE(*rows.list()->reshaped(longer) == *list.reshaped(longer));
    }
    EXPECT_GT(lists, 200);
}

// [duy] section 2: one axis to N1 ranks, two to N1*N2.
TEST(RowWise, CutsAsFewAxesAsItCan) {
    const std::vector<Index> shape = {8, 4, 6};
    for (const auto& [ranks, cuts] :
         {std::pair{1, 0U}, {2, 1U}, {8, 1U}, {9, 2U}, {32, 2U}, {99, 2U}}) {
        EXPECT_EQ(row_cuts(shape, {0, 1, 2}, ranks), cuts) << ranks;
    }
    EXPECT_EQ(row_cuts(shape, {1, 0, 2}, 5), 2U);
    EXPECT_EQ(row_cuts({5}, {0}, 4), 0U);
}

TEST(RowWise, IsTheAssignmentThatCutsAlike) {
    const std::vector<Index> shape = {6, 5, 4};
    const CutRule rule = CutRule::balanced;
    EXPECT_EQ(row_wise(shape, 5, 5, {0, 1, 2}, rule),
              Distribution(shape, 5, ProcessGrid{{5}}, {{0}, {}, {}}, rule));
    EXPECT_EQ(row_wise(shape, 18, 18, {0, 2, 1}, rule),
              Distribution(shape, 18, ProcessGrid{{6, 3}}, {{0}, {}, {1}}, rule));
    EXPECT_EQ(row_wise(shape, 9, 1, {0, 1, 2}, rule),
              Distribution(shape, 9, ProcessGrid{}, {{}, {}, {}}, rule));
    EXPECT_NE(row_wise(shape, 9, 9, {0, 1, 2}, rule).list(), nullptr);
    // Weights begin anew with each index of the first axis, or there is one axis.
    const Split split{rule, 5, 1, 3};
    EXPECT_EQ(row_wise(shape, 18, 18, {0, 2, 1}, split),
              Distribution(shape, 18, ProcessGrid{{6, 3}}, {{0}, {}, {1}}, split));
    EXPECT_EQ(row_wise(shape, 5, 5, {0, 1, 2}, split),
              Distribution(shape, 5, ProcessGrid{{5}}, {{0}, {}, {}}, split));
    EXPECT_NE(row_wise(shape, 12, 12, {0, 2, 1}, split).list(), nullptr);
    // Whatever is drawn, the boxes are the same either way: see SharesAreConsecutiveRows.
}

TEST(RowWise, IsEqualByItsBoxesAndNotByItsName) {
    const std::vector<Index> shape = {3, 4, 5, 2};
    const auto rows = [&](const std::vector<int>& order) {
        return row_wise(shape, 7, 7, order, CutRule::balanced);
    };
    EXPECT_EQ(to_string(rows({0, 1, 2, 3}), -1), "rows(0123)");
    EXPECT_EQ(rows({0, 1, 2, 3}), rows({0, 1, 3, 2}));
    EXPECT_FALSE(rows({0, 1, 2, 3}) == rows({1, 0, 2, 3}));
    // A caller who brings these boxes brings this distribution.
    std::vector<std::vector<Box>> boxes(7);
    for (int rank = 0; rank < 7; ++rank) {
        boxes[static_cast<std::size_t>(rank)] = rows({0, 1, 2, 3}).boxes(rank);
    }
    EXPECT_EQ(Distribution(BoxList(shape, boxes)), rows({0, 1, 2, 3}));
}

}  // namespace

}  // namespace weft::core
