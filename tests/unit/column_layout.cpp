// Where columns of a sparse end lie that one rank shows the others of its node, or sends them.
#include "exchange/column_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "geometry/box_list.hpp"
#include "plan/problem.hpp"
#include "plan/sphere.hpp"

namespace weft::core {
namespace {

constexpr Index number_bytes = 16;

Layout layout_of(Distribution where, std::vector<int> order) {
    return {std::move(where), Format{std::move(order)}, Scalar{Precision::f64, true}};
}

/// All offsets of a part.
std::vector<Index> offsets(const RegionPart& part) {
    std::vector<Index> result = {part.where.stored.offset};
    for (int axis = 0; axis < part.where.stored.box.axes(); ++axis) {
        std::vector<Index> more;
        for (const Index one : result) {
            for (Index i = 0; i < part.where.stored.box.extent(axis); ++i) {
                more.push_back(one + i * part.where.stride(axis));
            }
        }
        result = std::move(more);
    }
    return result;
}

/// Columns of rank 0 are 4 x 3 x 3 and 4 x 1 x 2; rank 1 has none. Planes of two ranks.
struct Example {
    Layout columns =
        layout_of(Distribution(BoxList(
                      {4, 6, 6}, {{{{0, 0, 0}, {4, 3, 3}}, {{0, 4, 0}, {4, 5, 2}}}, {}}, true)),
                  {1, 2, 0});
    Layout planes = layout_of(
        Distribution(BoxList({4, 6, 6}, {{{{0, 0, 0}, {2, 6, 6}}}, {{{2, 0, 0}, {4, 6, 6}}}})),
        {0, 1, 2});
};

TEST(ColumnLayout, HasRowsOfAllColumnsOfAPeer) {
    const Example example;
    const Topology node;
    const ColumnLayout layout(example.planes, example.columns, 0, &node);
    const std::vector<RegionPart> read = layout.read(0);
    ASSERT_EQ(read.size(), 4U);
    for (const int source : {0, 1}) {
        const auto first = 2 * static_cast<std::size_t>(source);
        const RegionPart& wide = read[first];
        const RegionPart& narrow = read[first + 1];
        EXPECT_EQ(wide.peer, source);
        EXPECT_EQ(wide.own, 0);
        EXPECT_EQ(narrow.own, 1);
        EXPECT_EQ(wide.where.stored.offset, 0);
        EXPECT_EQ(wide.where.stored.strides, (std::vector<Index>{16, 3, 1}));
        EXPECT_EQ(narrow.where.stored.offset, 9);
        EXPECT_EQ(narrow.where.stride(0), 16);
    }
    EXPECT_EQ(layout.written_bytes(1), 2 * 16 * number_bytes);
    EXPECT_TRUE(layout.read(1).empty());
    EXPECT_TRUE(layout.landed(0).empty());
}

TEST(ColumnLayout, HasNoGapsInWhatIsSent) {
    const Example example;
    const ColumnLayout layout(example.planes, example.columns, 0, nullptr);
    EXPECT_EQ(layout.written_bytes(1), 2 * 11 * number_bytes);
    EXPECT_EQ(layout.written_bytes(0), 0);
    EXPECT_EQ(layout.landed_bytes(0), 4 * 11 * number_bytes);
    EXPECT_EQ(layout.landed(0).back().where.stored.offset, 2 * 11 + 9);
}

// Both ways, on nodes of two ranks: a reader finds each part where its source wrote it, messages land
// as they were sent, and no two parts share memory.
TEST(ColumnLayout, IsTheSameForBothSides) {
    constexpr int ranks = 5;
    const Problem problem = parse_problem("c2c:f64:16x12x12 out=sphere(4)");
    const Layout columns = layout_of(sphere_columns(problem, 4, ranks), {1, 2, 0});
    std::vector<std::vector<Box>> slabs;
    slabs.reserve(ranks);
    for (Index rank = 0; rank < ranks; ++rank) {
        slabs.push_back({{{3 * rank, 0, 0}, {rank == 4 ? 16 : 3 * rank + 3, 12, 12}}});
    }
    const Layout planes = layout_of(Distribution(BoxList({16, 12, 12}, slabs)), {0, 1, 2});
    const Topology nodes = Topology(ranks, 2);
    for (const bool forward : {false, true}) {
        const ColumnLayout layout(forward ? planes : columns, forward ? columns : planes, 0,
                                  &nodes);
        for (int source = 0; source < ranks; ++source) {
            std::set<Index> used;
            std::size_t count = 0;
            const std::vector<RegionPart> written = layout.written(source);
            for (const RegionPart& part : written) {
                for (const Index offset : offsets(part)) {
                    used.insert(offset);
                    ++count;
                    EXPECT_LT(offset * number_bytes, layout.written_bytes(source));
                }
            }
            EXPECT_EQ(used.size(), count);
            for (int reader = 0; reader < ranks; ++reader) {
                const auto theirs = [](const std::vector<RegionPart>& parts, int peer) {
                    std::vector<BlockedBox> result;
                    for (const RegionPart& part : parts) {
                        if (part.peer == peer) result.push_back(part.where);
                    }
                    return result;
                };
                const bool near = nodes.same_node(source, reader);
                std::vector<BlockedBox> sent = theirs(written, reader);
                std::vector<BlockedBox> found =
                    theirs(near ? layout.read(reader) : layout.landed(reader), source);
                ASSERT_EQ(sent.size(), found.size());
                if (!near) {
                    for (auto* side : {&sent, &found}) {
                        const Index first = side->empty() ? 0 : side->front().stored.offset;
                        for (BlockedBox& one : *side) one.stored.offset -= first;
                    }
                }
                EXPECT_EQ(sent, found) << source << " to " << reader;
            }
        }
    }
}

}  // namespace
}  // namespace weft::core
