// Tiles of distributions, and which stages of a plan they go through.
#include "plan/tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "exchange/transfers.hpp"
#include "plan/choice.hpp"
#include "program/lower.hpp"
#include "unit/random_distribution.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

TEST(Tile, PartsOfABoxFollowEachOther) {
    const Box box{{3, 10}, {5, 17}};
    EXPECT_EQ((Tile{1, 3, 0}.of(box)), (Box{{3, 10}, {5, 13}}));
    EXPECT_EQ((Tile{1, 3, 2}.of(box)), (Box{{3, 16}, {5, 17}}));
    EXPECT_TRUE((Tile{1, 3, 3}.of(box)).empty());
    EXPECT_TRUE((Tile{1, 3, 100}.of(box)).empty());
}

/// All elements are in one tile each, whoever asks.
TEST(Tile, CoverEveryBoxOnce) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const auto shape = test::random_shape(random, 4);
        const int ranks = static_cast<int>(random.between(1, 12));
        const Distribution whole_boxes = test::random_distribution(
            random, shape, ranks, test::random_grid(random, ranks), test::random_rule(random));
        const int axis = static_cast<int>(random.between(0, whole_boxes.axes() - 1));
        const Index extent = random.between(1, 4);
        const Index most = whole_boxes.largest_extent(axis);
        for (int rank = 0; rank < ranks; ++rank) {
            Index owned = 0;
            Index seen = 0;
            for (Index number = 0; number * extent < most; ++number) {
                const Distribution tile = whole_boxes.tile({axis, extent, number});
                for (const Box& box : tile.boxes(rank)) {
                    owned += box.volume();
                    EXPECT_LE(box.volume(), tile.largest());
                }
                tile.overlaps(whole(shape), [&](int owner, const Box& part) {
                    if (owner == rank) seen += part.volume();
                });
            }
            const Index volume = std::max<Index>(whole_boxes.box(rank).volume(), 0);
            EXPECT_EQ(owned, volume);
            EXPECT_EQ(seen, volume);
        }
    }
}

TEST(Tile, LiesInTheWholeOrByItself) {
    const Distribution all({4, 6}, 1, ProcessGrid{{1}}, {{}, {}}, CutRule::balanced);
    const Layout layout{all, row_major(2), {}};
    const Tile tile{1, 2, 1};
    const StoredBox within = layout.tile_within(tile).stored(0).front();
    EXPECT_EQ(within.offset, 2);
    EXPECT_EQ(within.strides, (std::vector<Index>{6, 1}));
    const StoredBox alone = layout.tile(tile).stored(0).front();
    EXPECT_EQ(alone.offset, 0);
    EXPECT_EQ(alone.strides, (std::vector<Index>{2, 1}));
    // Sub-tiles lie in their tile.
    const StoredBox sub = layout.tile(tile).tile_within({0, 3, 1}).stored(0).front();
    EXPECT_EQ(sub.offset, 6);
    EXPECT_EQ(sub.strides, (std::vector<Index>{2, 1}));
    EXPECT_EQ(sub.box, (Box{{3, 2}, {4, 4}}));
}

Pipeline pipeline_of(const std::string& text) { return parse_plan(text).pipeline.value(); }

TEST(Tiling, OfSlabsAlongEachAxis) {
    const std::string slabs = "c2c:f64:16x16x16; ranks=4; pack=sender; ";
    // Song's: FFTz first, then FFTy, the exchange and FFTx by tiles.
    const Pipeline z = pipeline_of(slabs + "tile=(axis:2,T:4)");
    EXPECT_EQ(parse_plan(slabs + "tile=(axis:2)").stages.size(), 4U);
    EXPECT_EQ(z, (Pipeline{1, 3, 1, 4, {{2, 4, 4}}}));
    // The exchange makes x whole: tiles end with it.
    EXPECT_EQ(pipeline_of(slabs + "tile=(axis:0,T:3)"), (Pipeline{0, 1, 0, 1, {{0, 3, 2}}}));
    // It cuts y: tiles begin with it.
    EXPECT_EQ(pipeline_of(slabs + "tile=(axis:1,T:1)"), (Pipeline{1, 2, 2, 3, {{1, 1, 4}}}));
}

/// Lines of FFTy are contiguous, and the axis of the tiles next to them: x-z-y, [song] section 3.5.
TEST(Tiling, TransposesWithinPlanes) {
    const std::string tiles = "; ranks=2; pack=sender; tile=(axis:2)";
    for (const char* problem : {"c2c:f64:16x16x16", "c2c:f64:12x16x10 in_place", "r2c:f32:8x6x9"}) {
        const Plan plan = parse_plan(problem + tiles);
        ASSERT_EQ(transform_at(plan, 0)->axes, std::vector<int>{2}) << problem;
        EXPECT_EQ(plan.at[1].format.order, (std::vector<int>{0, 2, 1})) << problem;
    }
}

TEST(Tiling, GoesThroughBothExchangesOfPencils) {
    const Plan plan = parse_plan("c2c:f64:16x16x16; ranks=4; decomposition=pencil; tile=default");
    ASSERT_TRUE(plan.pipeline.has_value());
    int redistributions = 0;
    for (std::size_t i = plan.pipeline->first; i <= plan.pipeline->last; ++i) {
        redistributions += std::holds_alternative<RedistributionStage>(plan.stages[i]) ? 1 : 0;
    }
    EXPECT_EQ(redistributions, 2);
}

TEST(Tiling, OfABatchGoesThroughAllStages) {
    const std::string batch = "c2c:f64:8x8x8*6; ranks=2; ";
    const Plan plan = parse_plan(batch + "tile=default");
    EXPECT_EQ(plan.choice.tile->axis, Decomposition::batch_axis);
    EXPECT_EQ(plan.pipeline->first, 0U);
    EXPECT_EQ(plan.pipeline->last + 1, plan.stages.size());
    const Pipeline both = pipeline_of(batch + "tile=(axis:0,T:2,B:4)");
    EXPECT_EQ(both.levels, (std::vector<TileLevel>{{3, 4, 2}, {0, 2, 2}}));
}

TEST(Tiling, ReversesWithItsPlan) {
    const Plan plan = parse_plan("r2c:f64:12x10x8; ranks=3; tile=(axis:2,T:2)");
    EXPECT_EQ(reverse(reverse(plan)), plan);
    const Plan back = reverse(plan);
    EXPECT_EQ(back.pipeline->first, back.stages.size() - 1 - plan.pipeline->last);
    EXPECT_EQ(back.pipeline->levels, plan.pipeline->levels);
}

/// [song] section 4.4 on its own example: 256^3 on 16 ranks.
TEST(Tiling, DefaultIsSongs) {
    const Plan plan = parse_plan("c2c:f64:256x256x256; ranks=16; pack=sender; tile=(axis:2)");
    EXPECT_EQ(weft::to_string(*plan.choice.tile),
              "(axis:2,T:16,W:2,Px:16,Pz:2,Uy:16,Uz:2,Fy:8,Fp:8,Fu:8,Fx:8)");
}

/// Where sub-tiles or polls are left open, there are no more of them than a program may have.
TEST(Tiling, DefaultsStayWithinBounds) {
    for (const char* text : {"c2c:f64:1099511627776x8x8; ranks=2; pack=sender; tile=(axis:2)",
                             "c2c:f64:8x8x1099511627776; ranks=2; pack=sender; tile=(axis:2)",
                             "c2c:f64:8192x8192x8192; ranks=8192; tile=(axis:2,T:1)"}) {
        const Plan plan = parse_plan(text);
        const Tiling& tiling = *plan.choice.tile;
        const Index tiles = plan.pipeline->levels.back().count;
        Index polls = 0;
        for (const TileNumber& phase : poll_numbers) polls += *(tiling.*phase.value);
        EXPECT_LE(tiles * polls, 1 << 20) << text;
        EXPECT_EQ(parse_plan(to_string(plan)), plan);
    }
}

// Such a plan can be made and printed; its programs would take minutes.
TEST(Tiling, RefusesMoreMessagesThanAProgramHolds) {
    const Plan plan = parse_plan("c2c:f64:8192x8192x8192; ranks=8192; tile=(axis:2,T:1)");
    test::expect_refused("tiles", "take a larger T", [&] { lower(plan, 100); });
}

// Their number, or that of fields times tiles, once overflowed an int: 2^33 + 8, 2.5 10^9, 10^10.
TEST(Tiling, RefusesMoreTilesThanAnIntCounts) {
    for (const char* many : {"c2c:f64:64x64x8589934600; ranks=2; tile=(axis:2,T:1)",
                             "c2c:f64:5000000000x2x2; ranks=2; tile=(axis:0,T:1)",
                             "c2c:f64:64x64x100000*100000; ranks=2; tile=(axis:2,T:1,B:1)"}) {
        test::expect_refused(many, "take a larger T", [&] { parse_plan(many); });
    }
}

TEST(Tiling, OfOneRankIsNone) {
    EXPECT_FALSE(parse_plan("c2c:f64:8x8x8; tile=default").choice.tile.has_value());
}

TEST(Tiling, SaysWhatDoesNotFit) {
    const std::string slabs = "c2c:f64:8x8x8; ranks=2; ";
    test::expect_refused(slabs + "tile=(axis:3)", "axes 0 to 2",
                         [&] { parse_plan(slabs + "tile=(axis:3)"); });
    test::expect_refused(slabs + "tile=(axis:b)", "no batch",
                         [&] { parse_plan(slabs + "tile=(axis:b)"); });
    test::expect_refused(slabs + "tile=(B:2)", "needs a batch",
                         [&] { parse_plan(slabs + "tile=(B:2)"); });
    test::expect_refused(slabs + "tile=default; via=shared", "via=isend-waitall",
                         [&] { parse_plan(slabs + "tile=default; via=shared"); });
    test::expect_refused(slabs + "tile=(Px:2); pack=fused", "pack=sender",
                         [&] { parse_plan(slabs + "tile=(Px:2); pack=fused"); });
    test::expect_refused(slabs + "tile=(T:0)", "at least 1",
                         [&] { parse_plan(slabs + "tile=(T:0)"); });
    for (const char* many :
         {"c2c:f64:64x64x64; ranks=2; tile=(axis:0,F:2147483647)",
          "c2c:f64:64x64x64; ranks=2; pack=sender; tile=(axis:2,T:1,Fy:16385)"}) {
        test::expect_refused(many, "take smaller F", [&] { parse_plan(many); });
    }
    for (const char* many :
         {"c2c:f64:8x8x1099511627776; ranks=2; pack=sender; tile=(axis:2,Px:1,Pz:1)",
          "c2c:f64:1099511627776x8x8; ranks=2; pack=sender; tile=(axis:2,Px:1,Pz:1)"}) {
        test::expect_refused(many, "take larger Px", [&] { parse_plan(many); });
    }
    test::expect_refused(slabs + "tile=(T)", "T", [&] { parse_plan(slabs + "tile=(T)"); });
    test::expect_refused(slabs + "tile=(Q:1)", "'Q:1'", [&] { parse_plan(slabs + "tile=(Q:1)"); });
    test::expect_refused(slabs + "tile=(progress:often)", "poll, thread, none",
                         [&] { parse_plan(slabs + "tile=(progress:often)"); });
    test::expect_refused(slabs + "tile=(F:2,progress:none)", "progress:poll",
                         [&] { parse_plan(slabs + "tile=(F:2,progress:none)"); });
    test::expect_refused("c2c:f64:8; tile=(Fp:3,progress:thread)", "tile=(Fp:3,progress:thread)",
                         [&] { parse_plan("c2c:f64:8; tile=(Fp:3,progress:thread)"); });
    test::expect_refused(slabs + "tile=16", "(axis:2,T:16,W:2)",
                         [&] { parse_plan(slabs + "tile=16"); });
}

template <class Op>
int count_of(const std::string& text, int rank) {
    const Program program = lower(parse_plan(text), rank);
    const auto is_one = [](const Operation& operation) {
        return std::holds_alternative<Op>(operation.what);
    };
    return static_cast<int>(
        std::count_if(program.operations.begin(), program.operations.end(), is_one));
}

/// No more tiles are under way in each exchange than the window says, and each has its buffers.
TEST(Pipeline, KeepsItsWindow) {
    for (const int window : {0, 1, 2, 5, 100, -1, -2, -5, -100}) {
        const bool strict = window < 0;
        const Plan plan =
            parse_plan("c2c:f64:16x16x16; ranks=2; via=p2p; pack=sender; tile=(axis:2,T:2,W:" +
                       std::to_string(std::abs(window)) + (strict ? ",strict)" : ")"));
        int under_way = 0;
        int most = 0;
        int starts = 0;
        for (const Operation& operation : lower(plan, 1).operations) {
            under_way += std::holds_alternative<StartOp>(operation.what) ? 1 : 0;
            starts += std::holds_alternative<StartOp>(operation.what) ? 1 : 0;
            under_way -= std::holds_alternative<FinishOp>(operation.what) ? 1 : 0;
            most = std::max(most, under_way);
        }
        EXPECT_EQ(starts, 8);
        // While those of one tile are waited for, the next ones have been announced unless strict.
        EXPECT_EQ(most, std::min(strict ? -window : window + 1, 8));
        EXPECT_EQ(under_way, 0);
    }
}

/// In place a tile is made in the memory from which it has been sent, where lines along x and y have
/// one length ([song] section 3.5). So a rank has buffers of W + 1 tiles and no other array.
TEST(Pipeline, InPlaceNeedsBuffersOfTilesOnly) {
    const auto workspace = [](const std::string& problem, int ranks) {
        const std::string tiles = "; pack=sender; tile=(axis:2,T:16,W:2)";
        const Plan plan = parse_plan(problem + "; ranks=" + std::to_string(ranks) + tiles);
        Index most = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            most = std::max(most, memory_of(plan, rank).workspace_bytes);
        }
        return most;
    };
    const auto array = [](Index x, Index y, Index z) { return 16 * x * y * z; };
    for (const int ranks : {2, 4, 16}) {
        // 3 that are sent and 3 that land, of one x-y part of 16 planes, and a sub-tile.
        const Index buffers = 6 * array(256 / ranks, 256, 16) + 16 * sub_tile_elements;
        EXPECT_LE(workspace("c2c:f64:256x256x256 in_place", ranks), buffers);
    }
    EXPECT_LT(workspace("c2c:f64:50x50x256 in_place", 7), array(8, 50, 256));
    EXPECT_LT(workspace("r2c:f64:256x256x256 in_place", 8), array(32, 256, 129));
    // Lines of other lengths: one more array.
    EXPECT_LT(workspace("c2c:f64:256x128x256 in_place", 8),
              array(32, 128, 256) + 6 * array(32, 128, 16) + 16 * sub_tile_elements + 1);
    EXPECT_GT(workspace("c2c:f64:256x128x256 in_place", 8), array(32, 128, 256));
}

/// Also where a transform packs on one of its sides and is fused with the redistribution on the other.
TEST(Pipeline, StartsEachTileInEachMoveOnAllRanks) {
    const std::string pencils =
        "c2c:f64:8x8x8; ranks=4; decomposition=pencil(2x2); engine=native; tile=(axis:0,T:2)";
    for (const std::string methods :
         {"; via=p2p", "; via=p2p(pairwise); via[1]=p2p", "; via=p2p; via[1]=p2p(pairwise)"}) {
        for (int rank = 0; rank < 4; ++rank)
            EXPECT_EQ(count_of<StartOp>(pencils + methods, rank), 4);
    }
    const std::string gathered =
        "c2c:f64:2x1x6x4 out=boxes(|[0:2,0:1,0:6,0:4]|||); ranks=5; "
        "decomposition=pencil(1x5,10>13);"
        " via=p2p(pairwise); via[1]=p2p; engine=native; tile=(axis:1)";
    for (int rank = 0; rank < 5; ++rank) EXPECT_EQ(count_of<StartOp>(gathered, rank), 2);
}

TEST(Pipeline, PollsAsOftenAsIsSaid) {
    for (const int polls : {0, 1, 3}) {
        const std::string text =
            "c2c:f64:16x16x16; ranks=2; via=p2p; pack=sender; tile=(axis:2,T:4,W:1,Px:2,Pz:4,Uy:2,"
            "Uz:4,F:" +
            std::to_string(polls) + ")";
        // Of 4 tiles the first is transformed before anything travels; the last one is unpacked
        // when nothing does any more.
        EXPECT_EQ(count_of<PollOp>(text, 0), 3 * 2 * polls + 3 * 2 * polls);
    }
}

TEST(Pipeline, LeavesPollingToOthers) {
    for (const char* progress : {"thread", "none"}) {
        const Plan plan = parse_plan(
            "c2c:f64:16x16x16; ranks=8; tile=(axis:2,T:4,progress:" + std::string(progress) + ")");
        const Program program = lower(plan, 0);
        for (const Operation& operation : program.operations) {
            EXPECT_FALSE(std::holds_alternative<PollOp>(operation.what));
        }
        EXPECT_EQ(program.assisted, std::string(progress) == "thread");
    }
}

}  // namespace

}  // namespace weft::core
