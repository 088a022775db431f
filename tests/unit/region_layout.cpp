// Where elements lie that one rank shows the others of its node.
#include "exchange/region_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "exchange/transfers.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

/// The regions of a plan's only redistribution, or of that of its backward plan.
struct OneRedistribution {
    explicit OneRedistribution(const std::string& text, bool backward = false)
        : plan(parse_plan(text + "; via=shared")) {
        if (backward) plan = reverse(plan);
        plan = fuse(plan, {});
        stage = 0;
        while (redistribution_at(plan, stage) == nullptr) ++stage;
    }
    [[nodiscard]] RegionLayout layout(const Topology* nodes) const {
        const TransformStage* to = reader();
        return {plan.at[stage], plan.at[stage + 1], to != nullptr ? to->entry : std::nullopt,
                nodes};
    }
    /// The transform that reads the regions; null: nothing does.
    [[nodiscard]] const TransformStage* reader() const { return transform_at(plan, stage + 1); }
    Plan plan;
    std::size_t stage = 0;
};

/// Offsets of all elements of a part.
std::vector<Index> elements(const BlockedBox& where) {
    const StoredBox& stored = where.stored;
    std::vector<Index> result = {stored.offset};
    for (int axis = 0; axis < stored.box.axes(); ++axis) {
        const bool cut = where.blocks && where.blocks->axis == axis;
        const Index block = cut ? where.blocks->extent : stored.box.extent(axis);
        const Index step = cut ? where.blocks->step : 0;
        std::vector<Index> more;
        for (Index i = 0; i < stored.box.extent(axis); ++i) {
            const Index away =
                i / block * step + i % block * stored.strides[static_cast<std::size_t>(axis)];
            for (const Index offset : result) more.push_back(offset + away);
        }
        result = more;
    }
    return result;
}

Index volume(const std::vector<RegionPart>& parts) {
    Index count = 0;
    for (const RegionPart& part : parts) count += part.where.stored.box.volume();
    return count;
}

std::vector<RegionPart> of_peer(std::vector<RegionPart> parts, int peer) {
    std::erase_if(parts, [&](const RegionPart& part) { return part.peer != peer; });
    return parts;
}

std::vector<BlockedBox> places(const std::vector<RegionPart>& parts) {
    std::vector<BlockedBox> result;
    result.reserve(parts.size());
    for (const RegionPart& part : parts) result.push_back(part.where);
    return result;
}

/// A problem with its ranks, and how many of them share a node: 0 all, -1 none reads in place.
class RegionLayouts : public ::testing::TestWithParam<std::tuple<const char*, int, bool>> {
  protected:
    OneRedistribution redistribution{std::get<0>(GetParam()), std::get<2>(GetParam())};
    Topology topology{redistribution.plan.ranks, std::max(std::get<1>(GetParam()), 0)};
    RegionLayout layout =
        redistribution.layout(std::get<1>(GetParam()) == -1 ? nullptr : &topology);
    Index unit = redistribution.plan.at[redistribution.stage].scalar.bytes();
};

TEST_P(RegionLayouts, HoldEveryElementOnce) {
    const auto check = [&](const std::vector<RegionPart>& parts, Index bytes) {
        std::set<Index> seen;
        for (const RegionPart& part : parts) {
            for (const Index offset : elements(part.where)) {
                EXPECT_TRUE(seen.insert(offset).second) << "two elements at " << offset;
            }
        }
        if (!seen.empty()) {
            EXPECT_LT(*seen.rbegin() * unit, bytes);
        }
        return static_cast<Index>(seen.size());
    };
    for (int rank = 0; rank < redistribution.plan.ranks; ++rank) {
        const std::vector<RegionPart> landed = layout.landed(rank);
        const Index count = check(layout.written(rank), layout.written_bytes(rank)) +
                            check(of_peer(landed, rank), layout.landed_bytes(rank));
        EXPECT_EQ(count, redistribution.plan.at[redistribution.stage].count(rank));
        check(landed, layout.landed_bytes(rank));
    }
}

TEST_P(RegionLayouts, ShowEachReaderWhatItGets) {
    const Distribution& from = redistribution.plan.at[redistribution.stage].where;
    const Distribution& to = redistribution.plan.at[redistribution.stage + 1].where;
    for (int reader = 0; reader < redistribution.plan.ranks; ++reader) {
        const std::vector<RegionPart> landed = layout.landed(reader);
        const std::vector<RegionPart> read = layout.read(reader);
        for (int source = 0; source < redistribution.plan.ranks; ++source) {
            const std::vector<RegionPart> written = of_peer(layout.written(source), reader);
            const bool kept = source == reader && !layout.in_place(source, reader);
            const Index expected = common_elements(from, to, source, reader);
            EXPECT_EQ(volume(written), kept ? 0 : expected);
            if (!written.empty()) {
                EXPECT_EQ(written.front().where.stored.offset * unit % 64, 0);
            }
            // What is read in place is found where the source has written it.
            const bool in_place = layout.in_place(source, reader);
            EXPECT_EQ(places(of_peer(read, source)),
                      in_place ? places(written) : std::vector<BlockedBox>{});
            if (in_place) continue;
            // What is sent lies without gaps on both sides, in the same order.
            const std::vector<RegionPart> arriving = of_peer(landed, source);
            EXPECT_EQ(volume(arriving), expected);
            if (arriving.empty()) continue;
            const Index begin = arriving.front().where.stored.offset;
            EXPECT_EQ(begin * unit % 64, 0);
            Index end = begin;
            for (const RegionPart& part : arriving) {
                std::vector<Index> offsets = elements(part.where);
                EXPECT_EQ(*std::min_element(offsets.begin(), offsets.end()),
                          part.where.stored.offset);
                EXPECT_LT(*std::max_element(offsets.begin(), offsets.end()), begin + expected);
                end += part.where.stored.box.volume();
            }
            EXPECT_EQ(end, begin + expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Redistributions, RegionLayouts,
    ::testing::Combine(
        ::testing::Values("c2c:f64:12x10x150 out=free; ranks=2",
                          "c2c:f32:12x10x70 out=free; ranks=5", "r2c:f64:9x7x130 out=free; ranks=4",
                          "c2c:f64:5x3 out=free; ranks=7",
                          "redistribute:12:9x10x11 in=slab(0) out=brick; ranks=6",
                          "c2c:f64:64x200 in=slab(1) out=slab(0); ranks=3",
                          "c2c:f64:13x9x11 in=brick out=free; ranks=12",
                          "c2c:f64:6x10x12 out=free; ranks=3",
                          "c2c:f64:12x10x30*3 in=slab(0)@012b; ranks=2",
                          "r2c:f32:9x7x50*5 in=slab(0)@012b out=slab(1)@012b; ranks=4",
                          "c2c:f64:13x9x11*30 in=brick@012b; ranks=12",
                          "redistribute:16:9x10x70 in=pencil(0:2,1:3) "
                          "out=pencil(1:3,2:2); ranks=6"),
        ::testing::Values(-1, 0, 1, 2), ::testing::Bool()));

// As a reader goes through them: the lines that it transforms side by side, a power of two of them,
// cache line by cache line.
TEST(RegionLayout, KeepsAReadersLinesSideBySide) {
    const OneRedistribution redistribution("c2c:f64:16x10x150 out=free; ranks=2");
    const Topology one_node;
    const std::vector<RegionPart> parts = of_peer(redistribution.layout(&one_node).written(0), 1);
    ASSERT_EQ(parts.size(), 2U);  // 64 + 64 and 22 lines
    for (const RegionPart& part : parts) {
        EXPECT_EQ(part.where.stride(2), 1);
        EXPECT_EQ(part.where.stride(0) % 4, 0);  // 64 bytes
    }
    ASSERT_TRUE(parts[0].where.blocks);
    EXPECT_EQ(parts[0].where.blocks->axis, 2);
    EXPECT_EQ(parts[0].where.blocks->extent, 64);
    EXPECT_EQ(parts[0].where.stored.box.extent(2), 128);
    EXPECT_EQ(parts[0].where.stride(0), 64);
    EXPECT_FALSE(parts[1].where.blocks);
    EXPECT_EQ(parts[1].where.stored.box.extent(2), 22);
    EXPECT_EQ(parts[1].where.stride(0), 24);
}

// Where fields lie in turn, lines are side by side along the axis above them as well, and blocks
// are whole tiles of 8: 16 indices of it, of 3 fields each, and the 2 that are left.
TEST(RegionLayout, TakesFieldsInTurnForLinesSideBySide) {
    const OneRedistribution redistribution("c2c:f64:16x10x34*3 in=slab(0)@012b; ranks=2");
    EXPECT_EQ(redistribution.plan.at[redistribution.stage + 1].format.order,
              (std::vector<int>{1, 0, 2, 3}));
    const Topology one_node;
    const std::vector<RegionPart> parts = of_peer(redistribution.layout(&one_node).written(0), 1);
    ASSERT_EQ(parts.size(), 2U);
    for (const RegionPart& part : parts) {
        EXPECT_EQ(part.where.stride(3), 1);
        EXPECT_EQ(part.where.stride(2), 3);
        EXPECT_TRUE(part.padded);
    }
    ASSERT_TRUE(parts[0].where.blocks);
    EXPECT_EQ(parts[0].where.blocks->axis, 2);
    EXPECT_EQ(parts[0].where.blocks->extent, 16);
    EXPECT_EQ(parts[0].where.stride(0), 48);
    EXPECT_EQ(parts[1].where.stride(0), 8);
}

// A reader that transforms the fastest axis first has whole lines, each in whole cache lines.
TEST(RegionLayout, KeepsRowsThatAReaderTransformsFirst) {
    const OneRedistribution redistribution("c2c:f64:16x10x36 out=free; ranks=2", true);
    EXPECT_EQ(redistribution.reader()->entry, 2);
    EXPECT_EQ(redistribution.reader()->exit, 1);
    const Topology one_node;
    const std::vector<RegionPart> parts = of_peer(redistribution.layout(&one_node).written(0), 1);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_FALSE(parts[0].where.blocks);
    EXPECT_EQ(parts[0].where.stride(2), 1);
    EXPECT_EQ(parts[0].where.stride(1), 40);  // whole tiles of 8
    EXPECT_TRUE(parts[0].padded);
}

// It takes another one first where the last would write rows that begin within cache lines, and
// where the fastest axis is the r2c axis, which comes last.
TEST(RegionLayout, KeepsLinesSideBySideWhereRowsComeLast) {
    for (const char* problem : {"c2c:f64:16x10x21 out=free", "r2c:f64:16x10x24 out=free"}) {
        const OneRedistribution redistribution(std::string(problem) + "; ranks=2", true);
        EXPECT_EQ(redistribution.reader()->entry, 1) << problem;
    }
}

// However many lines there are, a share has about a thousand blocks at most, told in two parts.
TEST(RegionLayout, HasFewBlocksOfManyLines) {
    for (const char* lines : {"65536", "65537", "1000003", "3037000200"}) {
        const OneRedistribution redistribution("r2c:f64:300x" + std::string(lines) +
                                               " in=slab(0) out=slab(1); ranks=3");
        const Topology one_node;
        const std::vector<RegionPart> parts =
            of_peer(redistribution.layout(&one_node).written(0), 1);
        EXPECT_LE(parts.size(), 2U);
        ASSERT_TRUE(parts.front().where.blocks);
        EXPECT_LE(parts.front().where.stored.box.extent(1),
                  1024 * parts.front().where.blocks->extent);
        // Elements of a line are not whole pages apart.
        EXPECT_NE(parts.front().where.stride(0) % 256, 0);
        const Distribution& to = redistribution.plan.at[redistribution.stage + 1].where;
        EXPECT_EQ(volume(parts),
                  common_elements(redistribution.plan.at[redistribution.stage].where, to, 0, 1));
    }
}

// To find its part in its peers' regions a reader lays out those that differ, not all of them.
TEST(RegionLayout, LaysOutOneOfAllEqualRegions) {
    const Topology one_node;
    const auto most = [&](const std::string& text, const Topology& nodes) {
        const OneRedistribution redistribution(text);
        Index result = 0;
        for (const int rank : {0, redistribution.plan.ranks / 2, redistribution.plan.ranks - 1}) {
            result = std::max(result, redistribution.layout(&nodes).regions_laid_out(rank));
        }
        return result;
    };
    EXPECT_EQ(most("c2c:f64:300x300x2 out=free; ranks=300", one_node), 1);
    // Parts of one plane and of two.
    EXPECT_EQ(most("c2c:f64:400x300x2 in=slab(0) out=free; ranks=300", one_node), 2);
    EXPECT_EQ(most("c2c:f64:400x300x2 in=slab(0) out=free; ranks=300", Topology(300, 64)), 2);
    EXPECT_LE(most("c2c:f64:40x40x40 out=free; ranks=300; decomposition=pencil(15x20)", one_node),
              2);
}

// Regions of rows that no process grid makes are laid out one by one, up to a limit.
TEST(RegionLayout, RefusesToLayOutTooManyShares) {
    const Plan plan =
        parse_plan("c2c:f64:5000x5000x5000; ranks=131072; decomposition=row-wise; via=shared");
    test::expect_refused("rows", "via=alltoallv", [&] { lower(plan, 1000); });
}

}  // namespace

}  // namespace weft::core
