// What a rank packs, sends, receives, keeps and unpacks.
#include "exchange/packed_exchange.hpp"

#include <gtest/gtest.h>

#include <string>

#include "plan/plan.hpp"

namespace weft::core {

namespace {

/// 8 x 6 x 4 from slabs along axis 0 to slabs along axis 1; stage 1 is the redistribution.
Plan slabs(const std::string& choice) {
    return parse_plan("c2c:f64:8x6x4 in=slab(0) out=free; ranks=2; " + choice);
}

/// Its redistribution.
PackedMessages stage_of(const Plan& plan) {
    const RedistributionStage& one = *redistribution_at(plan, 1);
    return {plan.at[1], plan.at[2], one.via, one.pack, plan.choice.chunk};
}

// The example of the header.
TEST(PackedExchange, OfSlabsOnTwoRanks) {
    const Plan plan = slabs("via=alltoallv; pack=sender");
    const PackedExchange exchange = packed_exchange(stage_of(plan), 0, ExchangeUse::whole);
    EXPECT_TRUE(exchange.packs);
    EXPECT_TRUE(exchange.unpacks);
    EXPECT_FALSE(exchange.on_arrival);
    EXPECT_EQ(exchange.order, (std::vector<int>{1, 0, 2}));
    EXPECT_EQ(exchange.pack.tasks,
              (std::vector<CopyTask>{{{{3, 4, 16}, {4, 24, 4}, {4, 1, 1}}, 16, 12, 0}}));
    EXPECT_EQ(exchange.keep_past.tasks,
              (std::vector<CopyTask>{{{{3, 4, 32}, {4, 24, 4}, {4, 1, 1}}, 16, 0, 0}}));

    ASSERT_EQ(exchange.stages.size(), 1U);
    const ExchangeStage& stage = exchange.stages.front();
    EXPECT_EQ(stage.source_bytes, 48 * 16);
    EXPECT_EQ(stage.landing_bytes, 48 * 16);
    EXPECT_TRUE(stage.keep.tasks.empty());
    EXPECT_TRUE(stage.unpack_kept.tasks.empty());
    ASSERT_EQ(stage.batches.size(), 1U);
    const RoundBatch& batch = stage.batches.front();
    const std::vector<Message> message = {{1, {{0, {{3, 16}, {4, 4}, {4, 1}}}}}};
    EXPECT_EQ(batch.exchange.sends, message);
    EXPECT_EQ(batch.exchange.receives, message);
    ASSERT_EQ(batch.unpack.size(), 1U);
    EXPECT_EQ(batch.unpack.front().tasks,
              (std::vector<CopyTask>{{{{3, 16, 32}, {4, 4, 4}, {4, 1, 1}}, 16, 0, 16}}));
}

// Used in parts nothing goes past: what stays lies behind what is sent, and is unpacked from there.
TEST(PackedExchange, InPartsKeepsInTheSource) {
    const Plan plan = slabs("via=alltoallv; pack=sender");
    const PackedExchange exchange = packed_exchange(stage_of(plan), 0, ExchangeUse::in_parts);
    const std::vector<Box> boxes = {{{0, 3, 0}, {4, 6, 4}}, {{0, 0, 0}, {4, 3, 4}}};
    EXPECT_EQ(exchange.pack.boxes, boxes);
    ASSERT_EQ(exchange.pack.tasks.size(), 2U);
    EXPECT_EQ(exchange.pack.tasks[1].to_offset, 48);
    const ExchangeStage& stage = exchange.stages.front();
    EXPECT_EQ(stage.source_bytes, 96 * 16);
    EXPECT_EQ(stage.landing_bytes, 48 * 16);
    EXPECT_TRUE(stage.keep.tasks.empty());
    EXPECT_EQ(stage.unpack_kept.boxes, (std::vector<Box>{boxes[1]}));
    ASSERT_EQ(stage.unpack_kept.tasks.size(), 1U);
    EXPECT_EQ(stage.unpack_kept.tasks.front().from_offset, 48);
    EXPECT_TRUE(exchange.keep_past.tasks.empty());
}

// A block that passes through a rank is handed on in one piece.
TEST(PackedExchange, ByKwayPassesBlocksOn) {
    const Plan plan =
        parse_plan("c2c:f64:8x4x3 in=slab(0) out=free; ranks=4; pack=sender; via=kway(2)");
    const PackedExchange exchange = packed_exchange(stage_of(plan), 0, ExchangeUse::whole);
    ASSERT_EQ(exchange.stages.size(), 2U);
    // Round 1 takes odd distances one rank on: block (3,2) comes from rank 3, behind block (3,0).
    const RoundBatch& first = exchange.stages.front().batches.front();
    ASSERT_EQ(first.exchange.receives.size(), 1U);
    EXPECT_EQ(first.exchange.receives.front().peer, 3);
    const std::vector<Slice> landed = {{0, {{1, 6}, {2, 3}, {3, 1}}}, {6, {{6, 1}}}};
    EXPECT_EQ(first.exchange.receives.front().slices, landed);
    // Then it is sent two ranks on.
    const ExchangeTask& second = exchange.stages.back().batches.front().exchange;
    ASSERT_EQ(second.sends.size(), 1U);
    EXPECT_EQ(second.sends.front().peer, 2);
    ASSERT_EQ(second.sends.front().slices.size(), 2U);
    EXPECT_EQ(second.sends.front().slices[1].runs, (std::vector<core::Run>{{6, 1}}));
}

TEST(PackedExchange, GoesInPartsIfItIsOneBatch) {
    const auto goes = [](const std::string& via) {
        const Plan plan =
            parse_plan("c2c:f64:8x8x8 in=slab(0) out=free; ranks=4; pack=sender; via=" + via);
        return goes_in_parts(stage_of(plan), 0);
    };
    EXPECT_TRUE(goes("alltoallv"));
    EXPECT_TRUE(goes("isend-waitall"));
    EXPECT_TRUE(goes("isend-waitall-block(3)"));
    EXPECT_FALSE(goes("isend-waitall-block(2)"));
    EXPECT_FALSE(goes("isend-waitsome"));
    EXPECT_TRUE(goes("kway(4)"));
    EXPECT_FALSE(goes("kway(2)"));
}

// Ranks beyond the process grid start as many exchanges as the others, with no messages.
TEST(PackedExchange, OfIdleRanksIsEmpty) {
    const Plan plan = parse_plan(
        "c2c:f64:4x4x4 in=free out=free; ranks=6; shrink=4; decomposition=slab; pack=sender; "
        "via=isend-waitall-block(2)");
    const auto batches = [&](int rank) {
        return packed_exchange(stage_of(plan), rank, ExchangeUse::whole).stages.front().batches;
    };
    EXPECT_EQ(batches(0).size(), 2U);
    ASSERT_EQ(batches(5).size(), 2U);
    for (const RoundBatch& batch : batches(5)) {
        EXPECT_TRUE(batch.exchange.sends.empty());
        EXPECT_TRUE(batch.exchange.receives.empty());
    }
}

}  // namespace

}  // namespace weft::core
