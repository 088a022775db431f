// Plans in words: nodes, idle ranks, which ranks are looked at, and what that costs.
#include "plan/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/memory_of_ranks.hpp"
#include "mpi/set_variable.hpp"
#include "program/lower.hpp"
#include "weft/plan.hpp"

namespace weft::core {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Explain, SaysHowManyNodesAGroupIsOn) {
    const Plan plan = parse_plan("c2c:f64:256x256x256; ranks=4096; decomposition=pencil(64x64)");
    const std::string text = explain(plan, 65, Topology(4096, 64));
    EXPECT_THAT(text, HasSubstr("nodes      64 of 64 ranks\n"));
    EXPECT_THAT(text, HasSubstr("in groups of 64 ranks, "));
    EXPECT_THAT(text, HasSubstr("in groups of 64 ranks on 64 nodes, "));
    EXPECT_THAT(text, HasSubstr("to 63 other ranks (0 on its node), receives "));
    const std::string one = explain(plan, 65);
    EXPECT_THAT(one, HasSubstr("nodes      1, all ranks share it\n"));
    EXPECT_THAT(one, Not(HasSubstr("on its node")));
    EXPECT_THAT(explain(parse_plan("c2c:f64:8x8; ranks=5"), {}, Topology(5, 2)),
                HasSubstr("nodes      3 of 1 to 2 ranks\n"));
    EXPECT_THAT(explain(parse_plan("c2c:f64:8x8; ranks=2"), {}, Topology(2, 1)),
                HasSubstr("nodes      2 of 1 rank\n"));
}

// What stays on a rank is neither sent nor received: of 1536 bytes one half, or a third.
TEST(Explain, CountsWhatLeavesARankAndWhomItReaches) {
    EXPECT_THAT(explain(parse_plan("c2c:f64:8x6x4; ranks=2"), 0),
                HasSubstr("rank 0: sends 768 B to 1 other rank, "
                          "receives 768 B from 1 other rank\n"));
    EXPECT_THAT(explain(parse_plan("c2c:f64:12x6x4; ranks=3"), 1, Topology(3, 2)),
                HasSubstr("rank 1: sends 1024 B to 2 other ranks (1 on its node), "
                          "receives 1024 B from 2 other ranks (1 on its node)\n"));
    const Plan gather = parse_plan("redistribute:8:6 in=slab(0) out=single; ranks=3");
    EXPECT_THAT(explain(gather, 0), HasSubstr("rank 0: sends nothing, "
                                              "receives 32 B from 2 other ranks\n"));
    EXPECT_THAT(explain(gather, 2), HasSubstr("rank 2: sends 16 B to 1 other rank, "
                                              "receives nothing\n"));
    EXPECT_THAT(explain(parse_plan("redistribute:8:6 in=slab(0) out=slab(0); ranks=3"), 0),
                HasSubstr("in groups of 1 rank, 0 B between ranks\n"
                          "           rank 0: sends nothing, receives nothing\n"));
}

TEST(Explain, TellsIdleRanks) {
    const std::string text = explain(parse_plan("c2c:f64:4x8 in=slab(0) out=slab(1); ranks=6"));
    EXPECT_THAT(text, HasSubstr("2 of the 6 ranks own nothing\n"));
    EXPECT_THAT(explain(parse_plan("c2c:f64:3x8 in=slab(0) out=slab(1); ranks=4")),
                HasSubstr("1 of the 4 ranks owns nothing\n"));
    EXPECT_THAT(explain(parse_plan("c2c:f64:8x8; ranks=4")), Not(HasSubstr("own nothing")));
}

TEST(Explain, LooksAtFewRanks) {
    EXPECT_THAT(representative_ranks(parse_plan("c2c:f64:8x8x8; ranks=3")), ElementsAre(0, 1, 2));
    for (const int ranks : {17, 4096, 131072}) {
        const std::vector<int> some =
            representative_ranks(parse_plan("c2c:f64:512x512x512; ranks=" + std::to_string(ranks)));
        EXPECT_LE(some.size(), 16U);
        EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
        EXPECT_EQ(some.front(), 0);
        EXPECT_EQ(some.back(), ranks - 1);
    }
    // Each costs the operations of its tiles.
    const std::string tiled = "c2c:f64:1024x1024x1024; ranks=2048; tile=(axis:0";
    EXPECT_LE(representative_ranks(parse_plan(tiled + ",T:32)")).size(), 5U);
    EXPECT_LE(representative_ranks(parse_plan(tiled + ",T:1,F:250)")).size(), 16U);
    EXPECT_TRUE(representative_ranks(parse_plan(tiled + ",T:256,F:40000)")).empty());
    // A rank that has more than others is among them.
    const Plan own = parse_plan(
        "c2c:f64:64x4 in=boxes([0:1,0:4]|[1:2,0:4]|[2:3,0:4]|[3:4,0:4]|[4:5,0:4]|[5:6,0:4]|"
        "[6:7,0:4]|[7:50,0:4]|[50:51,0:4]|[51:52,0:4]|[52:53,0:4]|[53:54,0:4]|[54:55,0:4]|"
        "[55:56,0:4]|[56:57,0:4]|[57:58,0:4]|[58:59,0:4]|[59:64,0:4]) out=slab(0); ranks=18");
    EXPECT_THAT(representative_ranks(own), ::testing::Contains(7));
}

/// Work is counted, not timed: an outline makes no operations, whose number may be the square of
/// the peers'.
TEST(Outline, IsTheProgramWithoutItsOperations) {
    for (const char* text :
         {"c2c:f64:16x16x16; ranks=8", "r2c:f64:12x10x9; ranks=6; decomposition=pencil",
          "c2c:f64:9x8x7 in_place; ranks=4", "c2r:f32:12x10x8*2; ranks=5; pack=receiver",
          "c2c:f64:16x15x14; ranks=6; via=isend-waitsome", "c2c:f64:8x8x8; ranks=4; via=kway(2)",
          "redistribute:12:9x10x11 in=slab(0) out=brick; ranks=6; via=shared",
          "c2c:f64:32x32x32; ranks=4; pack=sender; tile=(axis:2,T:8)"}) {
        const Plan plan = parse_plan(text);
        for (const int ranks_per_node : {0, 2}) {
            const Topology topology(plan.ranks, ranks_per_node);
            for (int rank = 0; rank < plan.ranks; ++rank) {
                const Program program = lower(plan, rank, {topology});
                const Program outlined = outline(plan, rank, {topology});
                EXPECT_EQ(outlined.buffers, program.buffers) << text;
                EXPECT_TRUE(outlined.operations.empty());
                const Memory memory = memory_of(program, lower(reverse(plan), rank, {topology}));
                EXPECT_EQ(memory_of(plan, rank, {topology}), memory) << text;
            }
        }
    }
}

TEST(MemoryOfRanks, IsWorkedOutOnce) {
    MemoryOfRanks known;
    int worked_out = 0;
    const auto work_out = [&] { return Memory{100 + ++worked_out, {}}; };
    EXPECT_EQ(known.of(3, work_out).workspace_bytes, 101);
    EXPECT_EQ(known.of(3, work_out).workspace_bytes, 101);
    EXPECT_EQ(known.of(2, work_out).workspace_bytes, 102);
    EXPECT_EQ(known.of(3, work_out).workspace_bytes, 101);
    EXPECT_EQ(worked_out, 2);
}

TEST(LocalPlan, NeedsTheMemoryOfTheNodesThatAreAssumed) {
    const Plan plan = parse_plan("c2c:f64:16x16x16; ranks=4; engine=native");
    // Its text says everything: what is left out is chosen for the nodes.
    const std::string text = core::to_string(plan);
    const auto needed = [&](const Topology& topology) {
        const weft::Plan local = weft::Plan::for_ranks(4, text);
        const Memory memory = memory_of(plan, 1, {topology});
        EXPECT_EQ(local.workspace_bytes(1), memory.workspace_bytes);
        EXPECT_EQ(local.workspace_bytes(1), memory.workspace_bytes);
        EXPECT_EQ(local.region_bytes(1), memory.all_region_bytes());
    };
    weft::test::SetVariable ranks_per_node("WEFT_RANKS_PER_NODE", nullptr);
    needed(Topology(4, 0));
    ranks_per_node.set("2");
    EXPECT_NE(memory_of(plan, 1, {Topology(4, 2)}), memory_of(plan, 1));
    needed(Topology(4, 2));
}

}  // namespace

}  // namespace weft::core
