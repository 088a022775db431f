// Pieces of transforms: together they are the lines of the task, each in memory of its own.
#include "program/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/random.hpp"

namespace weft::core {

namespace {

/// Calls visit(from, to) for all steps of the loops.
template <class Visit>
void for_steps(const std::vector<Loop>& loops, Index from, Index to, const Visit& visit,
               std::size_t depth = 0) {
    if (depth == loops.size()) return visit(from, to);
    for (Index i = 0; i < loops[depth].extent; ++i) {
        for_steps(loops, from + i * loops[depth].from, to + i * loops[depth].to, visit, depth + 1);
    }
}

using Places = std::vector<Index>;

/// Where the elements of each line (plane) are read and written.
std::set<std::pair<Places, Places>> lines_of(const FftTask& task) {
    std::set<std::pair<Places, Places>> result;
    for_steps(task.looped, task.from_offset, task.to_offset, [&](Index from, Index to) {
        std::pair<Places, Places> line;
        std::vector<Loop> axes = task.axes();
        axes.back().extent = task.line.source_length();
        for_steps(axes, from, to, [&](Index at, Index) { line.first.push_back(at); });
        axes.back().extent = task.line.target_length();
        for_steps(axes, from, to, [&](Index, Index at) { line.second.push_back(at); });
        EXPECT_TRUE(result.insert(std::move(line)).second) << "a line comes twice";
    });
    return result;
}

/// The lines of a piece, where they are in the arrays.
std::set<std::pair<Places, Places>> lines_of(const Piece& piece) {
    std::map<Index, Index> source;
    std::map<Index, Index> target;
    for_steps(piece.bring.loops, piece.bring.from_offset, piece.bring.to_offset,
              [&](Index array, Index own) { source.emplace(own, array); });
    for_steps(piece.take.loops, piece.take.from_offset, piece.take.to_offset,
              [&](Index own, Index array) { target.emplace(own, array); });
    const auto is_compact = [](const std::map<Index, Index>& side, Index bytes, Index element) {
        return side.begin()->first == 0 && side.rbegin()->first + 1 == bytes / element &&
               static_cast<Index>(side.size()) == bytes / element;
    };
    EXPECT_TRUE(is_compact(source, piece.from_bytes(), piece.bring.element_bytes));
    EXPECT_TRUE(is_compact(target, piece.to_bytes(), piece.take.element_bytes));
    std::set<std::pair<Places, Places>> result;
    for (auto [from, to] : lines_of(piece.task)) {
        for (Index& at : from) at = source.at(at);
        for (Index& at : to) at = target.at(at);
        result.emplace(std::move(from), std::move(to));
    }
    return result;
}

/// Steps of dense arrays, the axes in an order of their own; extents of either side.
Places random_steps(Random& random, const Places& extents) {
    std::vector<std::size_t> order(extents.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    Places steps(extents.size());
    Index next = 1;
    for (const std::size_t i : order) {
        steps[i] = next;
        next *= extents[i] + random.between(0, 1);
    }
    return steps;
}

FftTask random_task(Random& random) {
    FftTask task;
    task.line.kind = random.pick(std::vector{Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r});
    task.line.length = random.between(1, 6);
    Places source;
    Places target;
    const Index loops = random.between(0, 3);
    const Index axes = random.between(1, 2);
    for (Index i = 0; i + 1 < loops + axes; ++i) source.push_back(random.between(1, 5));
    target = source;
    source.push_back(task.line.source_length());
    target.push_back(task.line.target_length());
    const Places from = random_steps(random, source);
    const Places to = random_steps(random, target);
    std::vector<Loop> all;
    all.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) all.push_back({source[i], from[i], to[i]});
    all.back().extent = task.line.length;
    const auto first_axis = all.begin() + loops;
    task.looped = {all.begin(), first_axis};
    task.set_axes({first_axis, all.end()});
    if (task.line.kind == Kind::r2r) {
        task.set_axis_kinds(std::vector(task.axes().size(), AxisKind::dst2));
    }
    task.from_offset = random.between(0, 9);
    task.to_offset = random.between(0, 9);
    return task;
}

TEST(Pieces, AreTheLinesOfTheTaskAndFit) {
    Random random(7);
    for (int i = 0; i < 300; ++i) {
        const FftTask task = random_task(random);
        Index most = random.between(16, 2000);
        while (!fits(task, most)) most += 16;
        const auto expected = lines_of(task);
        std::set<std::pair<Places, Places>> found;
        std::size_t lines = 0;
        for (const Piece& piece : pieces_of(task, most)) {
            EXPECT_LE(std::max(piece.from_bytes(), piece.to_bytes()), most);
            const auto here = lines_of(piece);
            lines += here.size();
            found.insert(here.begin(), here.end());
        }
        ASSERT_EQ(found, expected) << i;
        ASSERT_EQ(lines, expected.size()) << i << ": a line is in two pieces";
    }
}

TEST(Pieces, OfTheExampleInTheHeader) {
    FftTask task;
    task.set_axes({{6, 4, 4}});
    task.looped = {{8, 24, 24}, {4, 1, 1}};
    const std::vector<Piece> pieces = pieces_of(task, 10 * 96);
    ASSERT_EQ(pieces.size(), 4U);
    for (const Piece& piece : pieces) {
        EXPECT_EQ(piece.from_bytes(), 8 * 96);
        EXPECT_EQ(piece.task.from_step, 8);
        EXPECT_EQ(piece.task.looped, (std::vector<Loop>{{8, 1, 1}}));
    }
    EXPECT_EQ(pieces_of(task, 32 * 96).size(), 1U);
    task.looped.front().extent = 0;
    EXPECT_TRUE(pieces_of(task, 96).empty());
}

TEST(AxisPasses, HaveRealNumbersAtTheEndWhereTheTaskHasThem) {
    using Side = FftSide;
    const auto passes = [](Kind kind) {
        FftTask task;
        task.line.kind = kind;
        task.set_axes({{3, 12, 12}, {5, 1, 1}});
        std::vector<std::pair<Kind, Side>> result;
        for (const AxisTask& pass : axis_by_axis(task)) {
            EXPECT_TRUE(pass.task.complex_axes.empty());
            result.emplace_back(pass.task.line.kind, pass.side);
        }
        return result;
    };
    using Passes = std::vector<std::pair<Kind, Side>>;
    EXPECT_EQ(passes(Kind::c2c), (Passes{{Kind::c2c, Side::across}, {Kind::c2c, Side::target}}));
    EXPECT_EQ(passes(Kind::r2c), (Passes{{Kind::r2c, Side::across}, {Kind::c2c, Side::target}}));
    EXPECT_EQ(passes(Kind::c2r), (Passes{{Kind::c2c, Side::source}, {Kind::c2r, Side::across}}));
}

}  // namespace

}  // namespace weft::core
