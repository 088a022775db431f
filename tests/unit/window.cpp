// Where elements lie that one rank shows the others of its node.
#include "program/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "exchange/transfers.hpp"
#include "plan/plan.hpp"
#include "program/fused.hpp"

namespace weft::core {

namespace {

/// The windows of a plan's only move.
struct OneMove {
    explicit OneMove(const std::string& text) : plan(parse_plan(text + "; via=shared")) {
        stage = 0;
        while (!is_shared(plan, stage)) ++stage;
    }
    [[nodiscard]] WindowLayout layout() const {
        return {plan.at[stage], plan.at[stage + 1], entry_axis(plan, stage + 1)};
    }
    Plan plan;
    std::size_t stage = 0;
};

/// Offsets of all elements of a block.
std::vector<Index> elements(const StoredBox& block) {
    std::vector<Index> result = {block.offset};
    for (int axis = 0; axis < block.box.axes(); ++axis) {
        std::vector<Index> more;
        for (Index i = 0; i < block.box.extent(axis); ++i) {
            for (const Index offset : result) {
                more.push_back(offset + i * block.strides[static_cast<std::size_t>(axis)]);
            }
        }
        result = more;
    }
    return result;
}

class Windows : public ::testing::TestWithParam<const char*> {};

TEST_P(Windows, HoldEveryElementOnce) {
    const OneMove move(GetParam());
    const WindowLayout layout = move.layout();
    for (int rank = 0; rank < move.plan.ranks; ++rank) {
        std::set<Index> seen;
        Index count = 0;
        for (const WindowBlock& block : layout.blocks(rank)) {
            for (const Index offset : elements(block.stored)) {
                EXPECT_TRUE(seen.insert(offset).second) << "two elements at " << offset;
            }
            count += block.stored.box.volume();
        }
        EXPECT_EQ(count, move.plan.at[move.stage].count(rank));
        const Index bytes = move.plan.at[move.stage].scalar.bytes();
        if (!seen.empty()) {
            EXPECT_LT(*seen.rbegin() * bytes, layout.bytes(rank));
        }
    }
}

TEST_P(Windows, ShowEachReaderWhatItGets) {
    const OneMove move(GetParam());
    const WindowLayout layout = move.layout();
    const Distribution& from = move.plan.at[move.stage].where;
    const Distribution& to = move.plan.at[move.stage + 1].where;
    const Index bytes = move.plan.at[move.stage].scalar.bytes();
    for (int source = 0; source < move.plan.ranks; ++source) {
        for (int reader = 0; reader < move.plan.ranks; ++reader) {
            Index shown = 0;
            bool first = true;
            for (const StoredBox& block : layout.blocks(source, reader)) {
                shown += block.box.volume();
                EXPECT_TRUE(!first || block.offset * bytes % 64 == 0);
                first = false;
            }
            EXPECT_EQ(shown, common_elements(from, to, source, reader));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Moves, Windows,
                         ::testing::Values("c2c:f64:12x10x150 out=free; ranks=2",
                                           "c2c:f32:12x10x70 out=free; ranks=5",
                                           "r2c:f64:9x7x130 out=free; ranks=4",
                                           "c2c:f64:5x3 out=free; ranks=7",
                                           "redistribute:12:9x10x11 in=slab(0) out=brick; ranks=6",
                                           "c2c:f64:64x200 in=slab(1) out=slab(0); ranks=3"));

// As a reader goes through them: the lines that it transforms side by side, a power of two of them,
// cache line by cache line.
TEST(Window, KeepsAReadersLinesSideBySide) {
    const OneMove move("c2c:f64:16x10x150 out=free; ranks=2");
    const std::vector<StoredBox> blocks = move.layout().blocks(0, 1);
    ASSERT_EQ(blocks.size(), 3U);  // 64 + 64 + 22 lines
    for (const StoredBox& block : blocks) {
        EXPECT_EQ(block.strides[2], 1);
        EXPECT_EQ(block.strides[0] % 4, 0);  // 64 bytes
    }
    EXPECT_EQ(blocks[0].box.extent(2), 64);
    EXPECT_EQ(blocks[0].strides[0], 64);
    EXPECT_EQ(blocks[2].box.extent(2), 22);
    EXPECT_EQ(blocks[2].strides[0], 24);
}

}  // namespace

}  // namespace weft::core
