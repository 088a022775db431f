// Where elements lie that one rank shows the others of its node.
#include "program/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "exchange/transfers.hpp"
#include "plan/plan.hpp"
#include "program/fused.hpp"

namespace weft::core {

namespace {

/// The windows of a plan's only move.
struct OneMove {
    explicit OneMove(const std::string& text) : plan(parse_plan(text + "; via=shared")) {
        stage = 0;
        while (!is_fused(plan, stage)) ++stage;
    }
    [[nodiscard]] WindowLayout layout(const Topology* nodes) const {
        return {plan.at[stage], plan.at[stage + 1], entry_axis(plan, stage + 1), nodes};
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

/// A problem with its ranks, and how many of them share a node: 0 all, -1 none reads in place.
class Windows : public ::testing::TestWithParam<std::tuple<const char*, int>> {
  protected:
    OneMove move{std::get<0>(GetParam())};
    Topology topology{move.plan.ranks, std::max(std::get<1>(GetParam()), 0)};
    WindowLayout layout = move.layout(std::get<1>(GetParam()) == -1 ? nullptr : &topology);
    Index unit = move.plan.at[move.stage].scalar.bytes();
};

TEST_P(Windows, HoldEveryElementOnce) {
    const auto check = [&](const std::vector<WindowBlock>& blocks, Index bytes) {
        std::set<Index> seen;
        for (const WindowBlock& block : blocks) {
            for (const Index offset : elements(block.stored)) {
                EXPECT_TRUE(seen.insert(offset).second) << "two elements at " << offset;
            }
        }
        if (!seen.empty()) {
            EXPECT_LT(*seen.rbegin() * unit, bytes);
        }
        return static_cast<Index>(seen.size());
    };
    for (int rank = 0; rank < move.plan.ranks; ++rank) {
        const std::vector<WindowBlock> landed = layout.landed(rank);
        std::vector<WindowBlock> kept = landed;
        std::erase_if(kept, [&](const WindowBlock& block) { return block.peer != rank; });
        const Index count = check(layout.written(rank), layout.written_bytes(rank)) +
                            check(kept, layout.landed_bytes(rank));
        EXPECT_EQ(count, move.plan.at[move.stage].count(rank));
        check(landed, layout.landed_bytes(rank));
    }
}

TEST_P(Windows, ShowEachReaderWhatItGets) {
    const Distribution& from = move.plan.at[move.stage].where;
    const Distribution& to = move.plan.at[move.stage + 1].where;
    for (int reader = 0; reader < move.plan.ranks; ++reader) {
        const std::vector<WindowBlock> landed = layout.landed(reader);
        for (int source = 0; source < move.plan.ranks; ++source) {
            std::vector<StoredBox> blocks = layout.written(source, reader);
            const auto elements_of = [](const std::vector<StoredBox>& all) {
                Index count = 0;
                for (const StoredBox& block : all) count += block.box.volume();
                return count;
            };
            const bool kept = source == reader && !layout.in_place(source, reader);
            const Index expected = common_elements(from, to, source, reader);
            EXPECT_EQ(elements_of(blocks), kept ? 0 : expected);
            if (!blocks.empty()) {
                EXPECT_EQ(blocks.front().offset * unit % 64, 0);
            }
            if (layout.in_place(source, reader)) continue;
            // What is sent lies without gaps on both sides, in the same order.
            blocks.clear();
            for (const WindowBlock& block : landed) {
                if (block.peer == source) blocks.push_back(block.stored);
            }
            EXPECT_EQ(elements_of(blocks), expected);
            if (blocks.empty()) continue;
            EXPECT_EQ(blocks.front().offset * unit % 64, 0);
            Index end = blocks.front().offset;
            for (const StoredBox& block : blocks) {
                std::vector<Index> offsets = elements(block);
                EXPECT_EQ(*std::min_element(offsets.begin(), offsets.end()), block.offset);
                EXPECT_LT(*std::max_element(offsets.begin(), offsets.end()),
                          blocks.front().offset + expected);
                end += block.box.volume();
            }
            EXPECT_EQ(end, blocks.front().offset + expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Moves, Windows,
    ::testing::Combine(::testing::Values("c2c:f64:12x10x150 out=free; ranks=2",
                                         "c2c:f32:12x10x70 out=free; ranks=5",
                                         "r2c:f64:9x7x130 out=free; ranks=4",
                                         "c2c:f64:5x3 out=free; ranks=7",
                                         "redistribute:12:9x10x11 in=slab(0) out=brick; ranks=6",
                                         "c2c:f64:64x200 in=slab(1) out=slab(0); ranks=3"),
                       ::testing::Values(-1, 0, 1, 2)));

// As a reader goes through them: the lines that it transforms side by side, a power of two of them,
// cache line by cache line.
TEST(Window, KeepsAReadersLinesSideBySide) {
    const OneMove move("c2c:f64:16x10x150 out=free; ranks=2");
    const Topology one_node;
    const std::vector<StoredBox> blocks = move.layout(&one_node).written(0, 1);
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

// Lists of blocks grow with peers, not with lines, however many of these there are.
TEST(Window, HasFewBlocksOfManyLines) {
    for (const char* lines : {"65536", "65537", "1000003", "3037000200"}) {
        const OneMove move("r2c:f64:300x" + std::string(lines) +
                           " in=slab(0) out=slab(1); ranks=3");
        const Topology one_node;
        const std::vector<StoredBox> blocks = move.layout(&one_node).written(0, 1);
        EXPECT_LE(blocks.size(), 1025U);
        Index elements = 0;
        for (const StoredBox& block : blocks) {
            elements += block.box.volume();
            // Elements of a line are not whole pages apart.
            EXPECT_TRUE(&block == &blocks.back() || block.strides[0] % 256 != 0);
        }
        const Distribution& to = move.plan.at[move.stage + 1].where;
        EXPECT_EQ(elements, common_elements(move.plan.at[move.stage].where, to, 0, 1));
    }
}

}  // namespace

}  // namespace weft::core
