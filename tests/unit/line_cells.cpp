// Which lines lie in which parts of arrays, beside every line looked at by itself.
#include "program/line_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/random.hpp"
#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "unit/refusal.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

/// One part of one line: the place, the first element, how many, where it begins, how far apart.
using PlacedSegment = std::tuple<int, Index, Index, Index, Index>;
/// All parts of one line, of both sides.
using PlacedLine = std::pair<std::vector<PlacedSegment>, std::vector<PlacedSegment>>;

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

/// Stored with its axes in any order, cut in blocks along one of them where it divides.
BlockedBox stored(Random& random, const Box& box) {
    BlockedBox result{{box, random.between(0, 1000), std::vector<Index>(box.lo.size(), 1)}, {}};
    std::vector<int> order(box.lo.size());
    for (std::size_t a = 0; a < order.size(); ++a) order[a] = static_cast<int>(a);
    random.shuffle(order);
    const int axis = order.back();
    Index extent = box.extent(axis);
    const Index divisor = random.between(2, 4);
    if (extent % divisor == 0 && random.once_in(2)) {
        extent /= divisor;
        result.blocks = Blocks{axis, extent, random.between(1000, 2000)};
    }
    Index stride = 1;
    for (auto a = order.rbegin(); a != order.rend(); ++a) {
        result.stored.strides[at(*a)] = stride;
        stride *= *a == axis ? extent : box.extent(*a);
    }
    return result;
}

std::vector<PlacedBox> random_side(Random& random, const Box& region) {
    std::vector<PlacedBox> result;
    for (const auto& boxes :
         random_boxes(random, region.hi, static_cast<int>(random.between(1, 5)))) {
        for (const Box& box : boxes) {
            if (box.empty()) continue;
            result.push_back({stored(random, box), static_cast<int>(result.size())});
        }
    }
    return result;
}

/// The parts that a line lies in, looked for one by one.
std::vector<PlacedSegment> segments(const std::vector<PlacedBox>& side,
                                    const std::vector<Index>& index, int line) {
    std::vector<PlacedSegment> result;
    for (const PlacedBox& part : side) {
        const StoredBox& stored = part.where.stored;
        Index offset = stored.offset;
        bool inside = true;
        for (int axis = 0; axis < stored.box.axes(); ++axis) {
            if (axis == line) continue;
            const Index steps = index[at(axis)] - stored.box.lo[at(axis)];
            inside = inside && steps >= 0 && index[at(axis)] < stored.box.hi[at(axis)];
            const bool cut = part.where.blocks && part.where.blocks->axis == axis;
            const Index block = cut ? part.where.blocks->extent : stored.box.extent(axis);
            offset += steps / block * (cut ? part.where.blocks->step : 0) +
                      steps % block * stored.strides[at(axis)];
        }
        if (!inside) continue;
        const bool cut = part.where.blocks && part.where.blocks->axis == line;
        const Index extent = cut ? part.where.blocks->extent : stored.box.extent(line);
        const Index step = extent > 1 ? stored.strides[at(line)] : 1;
        for (Index first = stored.box.lo[at(line)]; first < stored.box.hi[at(line)];
             first += extent) {
            result.emplace_back(part.place, first, extent, offset, step);
            offset += cut ? part.where.blocks->step : 0;
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// Lines between two sides.
struct PlacedLines {
    Lines lines;
    std::vector<PlacedBox> from;
    std::vector<PlacedBox> to;

    [[nodiscard]] Sides unsorted() const {
        Sides result;
        for (const PlacedBox& part : from) result.from.push_back(&part);
        for (const PlacedBox& part : to) result.to.push_back(&part);
        return result;
    }
    /// As they lie along the lines.
    [[nodiscard]] Sides sides() const {
        Sides result = unsorted();
        for (auto* side : {&result.from, &result.to}) {
            std::stable_sort(side->begin(), side->end(), [&](const auto* a, const auto* b) {
                return a->where.lo(lines.axis) < b->where.lo(lines.axis);
            });
        }
        return result;
    }
    /// In that order of axes but that of the lines.
    void go_through(std::vector<int> order, std::optional<int> repeat) {
        std::erase(order, lines.axis);
        if (repeat) std::erase(order, *repeat);
        lines.around = lanes_last(order, unsorted());
    }
};

std::vector<PlacedLine> all_lines(const PlacedLines& batch, const Box& region) {
    std::vector<PlacedLine> result;
    std::vector<Index> index = region.lo;
    for (bool more = true; more;) {
        result.emplace_back(segments(batch.from, index, batch.lines.axis),
                            segments(batch.to, index, batch.lines.axis));
        more = false;
        for (int axis = 0; axis < region.axes() && !more; ++axis) {
            if (axis == batch.lines.axis) continue;
            more = ++index[at(axis)] < region.hi[at(axis)];
            if (!more) index[at(axis)] = region.lo[at(axis)];
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// The lines of a batch, one after the other.
void append_lines(const FusedLines& task, std::vector<PlacedLine>& result) {
    std::vector<Index> counters(task.loops.size(), 0);
    const auto located = [&](const std::vector<Segments>& side, Index lane) {
        std::vector<PlacedSegment> all;
        for (const Segments& alike : side) {
            Index steps = lane * alike.first.lane_step;
            for (std::size_t k = 0; k < counters.size(); ++k) {
                steps += counters[k] * alike.strides[k];
            }
            for (std::size_t j = 0; j < alike.begins.size(); ++j) {
                const LineSegment one = alike.segment(j);
                const auto& [place, offset] = alike.begins[j];
                all.emplace_back(place, one.first, one.extent, offset + steps, one.step);
            }
        }
        std::sort(all.begin(), all.end());
        return all;
    };
    for (bool more = true; more;) {
        for (Index lane = 0; lane < task.lanes; ++lane) {
            result.emplace_back(located(task.from, lane), located(task.to, lane));
        }
        std::size_t digit = counters.size();
        while (digit > 0 && ++counters[digit - 1] == task.loops[digit - 1]) {
            counters[digit - 1] = 0;
            --digit;
        }
        more = digit > 0;
    }
}

/// The passes of a batch, each with the parts of one step or more of the repeated axis.
std::vector<FusedOp> passes(const PlacedLines& batch, const Box& region,
                            std::optional<int> repeat) {
    PartLimit limit(0);
    std::vector<FusedOp> ops;
    if (!repeat) {
        ops.emplace_back();
        add_lines(batch.lines, repeat, region, batch.sides(), limit, ops.back());
        return ops;
    }
    for (const auto& [span, within] : cut(batch.sides(), *repeat, region)) {
        for (Index i = 0; i < span.count; ++i) {
            Box box = region;
            box.lo[at(*repeat)] = span.begin + i * span.extent;
            box.hi[at(*repeat)] = box.lo[at(*repeat)] + span.extent;
            ops.push_back(FusedOp{span.extent, {}, {}});
            add_lines(batch.lines, repeat, box, within, limit, ops.back());
        }
    }
    return ops;
}

TEST(LineCells, PutEveryLineInTheTaskOfItsParts) {
    Random random(1);
    Index merged = 0;
    for (int i = 0; i < 600; ++i) {
        const std::vector<Index> shape = {random.between(1, 12), random.between(1, 12),
                                          random.between(1, 12), random.between(1, 3)};
        const Box region = whole(shape);
        std::vector<int> order = {0, 1, 2, 3};
        random.shuffle(order);
        PlacedLines batch;
        batch.lines.axis = order[at(static_cast<int>(random.between(1, 3)))];
        batch.lines.line.length = shape[at(batch.lines.axis)];
        batch.from = random_side(random, region);
        batch.to = random_side(random, region);
        std::optional<int> repeat;
        if (random.once_in(2)) repeat = order.front();
        batch.go_through(order, repeat);
        const std::vector<PlacedLine> expected = all_lines(batch, region);
        std::vector<PlacedLine> found;
        for (const FusedOp& op : passes(batch, region, repeat)) {
            for (const auto& work : op.work) {
                const auto& task = std::get<FusedLines>(work);
                ASSERT_EQ(task.loops.front(), op.repeat);
                merged += task.loops.size() > (repeat ? 2U : 3U) ? 1 : 0;
                append_lines(task, found);
            }
        }
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected);
    }
    EXPECT_GT(merged, 100);
}

/// A row of equal parts along axis 0, each in `blocks` blocks along axis 2, read into one array.
FusedOp row_of_parts(Index parts, Index blocks) {
    PlacedLines batch;
    batch.lines.line.length = parts;
    const Box region = whole({parts, 1, 64 * blocks});
    for (Index part = 0; part < parts; ++part) {
        Box box = region;
        box.lo[0] = part;
        box.hi[0] = part + 1;
        BlockedBox where{{box, part * 64 * blocks, {64, 64, 1}}, {}};
        if (blocks > 1) where.blocks = Blocks{2, 64, 64};
        batch.from.push_back({where, static_cast<int>(part), true});
    }
    batch.to = {{{{region, 0, {64 * blocks, 64 * blocks, 1}}, {}}, 0, true}};
    batch.go_through({1, 0, 2}, {});
    return passes(batch, region, {}).front();
}

TEST(LineCells, NameEveryPartOnceForAllItsBlocks) {
    for (const Index blocks : {1, 2, 1000}) {
        const FusedOp op = row_of_parts(50, blocks);
        ASSERT_EQ(op.work.size(), 1U) << blocks;
        const auto& task = std::get<FusedLines>(op.work.front());
        // The parts are alike.
        ASSERT_EQ(task.from.size(), 1U);
        EXPECT_EQ(task.from.front().begins.size(), 50U);
        ASSERT_EQ(task.to.size(), 1U);
        EXPECT_EQ(task.to.front().begins.size(), 1U);
        EXPECT_TRUE(task.reads_beyond);
        EXPECT_TRUE(task.writes_beyond);
    }
}

/// The lines along axis 0 of n x n elements, read in two parts for each element of a line, whose
/// edge is at another place for every one of them.
void add_stairs(Index n) {
    PlacedLines batch;
    batch.lines.line.length = n;
    const Box region = whole({n, n});
    int place = 0;
    for (Index i = 0; i < n; ++i) {
        const Box row{{i, 0}, {i + 1, n}};
        Box before = row;
        Box behind = row;
        before.hi[1] = behind.lo[1] = i;
        for (const Box& box : {before, behind}) {
            if (!box.empty()) batch.from.push_back({{{box, 0, {n, 1}}}, place++});
        }
    }
    batch.to = {{{{region, 0, {n, 1}}}, 0}};
    batch.go_through({0, 1}, {});
    FusedOp op;
    PartLimit limit(17);
    add_lines(batch.lines, {}, region, batch.sides(), limit, op);
}

TEST(LineCells, RefuseMorePartsThanMemoryHolds) {
    EXPECT_NO_THROW(add_stairs(2000));
    test::expect_refused("rank 17", "pack=sender", [] { add_stairs(2100); });
}

// Rows whose shares begin at other places in every line: what is sent of them lies as one array, in
// which lines of 20000 elements go through 313 blocks of 64.
TEST(LineCells, TakeRowsOfManyRanksAsOnePart) {
    const Plan plan = parse_plan(
        "c2c:f64:20000x20000x20000; ranks=262144; decomposition=row-wise; via=alltoallv");
    const Program program = lower(plan, 1000);
    std::size_t segments = 0;
    for (const Operation& operation : program.operations) {
        const auto* pass = std::get_if<FusedOp>(&operation.what);
        if (pass == nullptr) continue;
        for (const auto& work : pass->work) {
            const auto& lines = std::get<FusedLines>(work);
            for (const auto* side : {&lines.from, &lines.to}) {
                for (const Segments& alike : *side) segments += alike.begins.size();
            }
        }
    }
    EXPECT_LT(segments, 313U + 100U);
}

}  // namespace

}  // namespace weft::core
