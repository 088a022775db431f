// What a rank packs, sends, receives, keeps and unpacks.
#include "program/packed_exchange.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft::core {

namespace {

/// 8 x 6 x 4 from slabs along axis 0 to slabs along axis 1; stage 1 is the redistribution.
Plan slabs(const std::string& choice) {
    return parse_plan("c2c:f64:8x6x4 in=slab(0) out=free; ranks=2; " + choice);
}

// The example of the headers.
TEST(PackedExchange, OfSlabsOnTwoRanks) {
    const Plan plan = slabs("via=alltoallv; pack=sender");
    const PackedExchange exchange = packed_exchange(plan, 1, 0, ExchangeUse::whole);
    EXPECT_TRUE(exchange.packs);
    EXPECT_TRUE(exchange.unpacks);
    EXPECT_TRUE(exchange.keeps_past);
    EXPECT_FALSE(exchange.on_arrival);
    ASSERT_EQ(exchange.stages.size(), 1U);
    const ExchangeStage& stage = exchange.stages.front();
    EXPECT_EQ(stage.source.blocks, (std::vector<Block>{{0, 1}}));
    EXPECT_EQ(stage.source.bytes, 48 * 16);
    EXPECT_EQ(stage.landing.blocks, (std::vector<Block>{{1, 0}}));
    EXPECT_EQ(stage.kept, (std::vector<Block>{{0, 0}}));

    const GroupBlocks& blocks = exchange.blocks;
    const HeldBlocks before{HeldBlocks::Lie::before};
    const HeldBlocks behind{HeldBlocks::Lie::behind};
    EXPECT_EQ(blocks.slices({0, 1}, before), (std::vector<Slice>{{12, {{3, 4}, {4, 24}, {4, 1}}}}));
    EXPECT_EQ(blocks.slices({0, 1}, stage.source),
              (std::vector<Slice>{{0, {{3, 16}, {4, 4}, {4, 1}}}}));
    EXPECT_EQ(blocks.copies({{0, 1}}, before, stage.source),
              (std::vector<CopyTask>{{{{3, 4, 16}, {4, 24, 4}, {4, 1, 1}}, 16, 12, 0}}));
    EXPECT_EQ(blocks.copies({{1, 0}}, stage.landing, behind),
              (std::vector<CopyTask>{{{{3, 16, 32}, {4, 4, 4}, {4, 1, 1}}, 16, 0, 16}}));

    ASSERT_EQ(stage.batches.size(), 1U);
    const RoundBatch& batch = stage.batches.front();
    const std::vector<Message> sent = {{1, blocks.slices({0, 1}, stage.source)}};
    EXPECT_EQ(batch.exchange.sends, sent);
    const std::vector<Message> received = {{1, blocks.slices({1, 0}, stage.landing)}};
    EXPECT_EQ(batch.exchange.receives, received);
    EXPECT_EQ(batch.arriving, (std::vector<std::vector<Block>>{{{1, 0}}}));
}

// Parts of a block that lie elsewhere are copied from where the block has them: of [0:4,3:6,0:4],
// packed in the order of axes 102, the row [2:3,3:5,0:4].
TEST(PackedExchange, CopiesPartsOfBlocks) {
    const Plan plan = slabs("via=alltoallv; pack=sender");
    const PackedExchange exchange = packed_exchange(plan, 1, 0, ExchangeUse::in_parts);
    const HeldBlocks& source = exchange.stages.front().source;
    EXPECT_EQ(source.blocks, (std::vector<Block>{{0, 1}, {0, 0}}));  // nothing goes past
    const std::vector<StoredBox> row = {{{{2, 3, 0}, {3, 5, 4}}, 100, {8, 4, 1}}};
    const auto copies = [&](bool to_boxes) {
        return exchange.blocks.copies_of_parts({{0, 1}}, source, row, to_boxes);
    };
    EXPECT_EQ(copies(true),
              (std::vector<CopyTask>{{{{2, 16, 4}, {1, 4, 8}, {4, 1, 1}}, 16, 8, 100}}));
    EXPECT_EQ(copies(false),
              (std::vector<CopyTask>{{{{2, 4, 16}, {1, 8, 4}, {4, 1, 1}}, 16, 100, 8}}));
}

TEST(PackedExchange, GoesInPartsIfItIsOneBatch) {
    const auto goes = [](const std::string& via) {
        const Plan plan =
            parse_plan("c2c:f64:8x8x8 in=slab(0) out=free; ranks=4; pack=sender; via=" + via);
        return goes_in_parts(plan, 1, 0);
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
        return packed_exchange(plan, 1, rank, ExchangeUse::whole).stages.front().batches;
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
