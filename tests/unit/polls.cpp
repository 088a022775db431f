// Steps that are cut for polls do what they did.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

using Pairs = std::multiset<std::pair<Index, Index>>;

/// Calls visit(from, to) for all elements of loops, slowest first.
template <class Visit>
void for_each_element(const std::vector<Loop>& loops, std::size_t depth, Index from, Index to,
                      const Visit& visit) {
    if (depth == loops.size()) return visit(from, to);
    for (Index i = 0; i < loops[depth].extent; ++i) {
        for_each_element(loops, depth + 1, from + i * loops[depth].from, to + i * loops[depth].to,
                         visit);
    }
}

/// What copies take where, and which lines transforms take where, of all steps in order.
Pairs moved(const Draft& draft) {
    Pairs result;
    const auto add = [&](Index from, Index to) { result.emplace(from, to); };
    for (const StepId step : draft.order) {
        const Operation& operation = draft.steps[step];
        if (const auto* copy = std::get_if<CopyOp>(&operation.what)) {
            for_each_element(copy->task.loops, 0, copy->task.from_offset, copy->task.to_offset,
                             add);
        } else if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            for_each_element(op->task.looped, 0, op->task.from_offset, op->task.to_offset, add);
        }
    }
    return result;
}

Index polls_in(const Draft& draft) {
    return std::count_if(draft.order.begin(), draft.order.end(), [&](StepId step) {
        return std::holds_alternative<PollOp>(draft.steps[step].what);
    });
}

std::vector<Loop> random_loops(Random& random) {
    std::vector<Loop> loops(static_cast<std::size_t>(random.between(0, 3)));
    for (Loop& loop : loops) {
        loop = {random.between(1, 7), random.between(0, 50), random.between(0, 50)};
    }
    return loops;
}

/// Of tile 1, while the exchange of tile 0 is under way: transforms, then copies that pack; and
/// what tile 0 does when that has ended.
Draft random_draft(Random& random) {
    Draft draft;
    const StepId start = draft.add(Operation{1, Purpose::exchange, StartOp{{}, 2, 3}, 0});
    for (Index i = random.between(0, 4); i > 0; --i) {
        FftTask task;
        task.looped = random_loops(random);
        task.from_offset = random.between(0, 9);
        draft.add(Operation{0, Purpose::transform, TransformOp{task, 0, 1}, 1});
    }
    for (Index i = random.between(0, 4); i > 0; --i) {
        const CopyTask task{random_loops(random), 16, random.between(0, 9), random.between(0, 9)};
        draft.add(Operation{1, Purpose::pack, CopyOp{task, {1}, 2}, 1});
    }
    draft.add(Operation{1, Purpose::exchange, FinishOp{start}, 0});
    draft.add(Operation{2, Purpose::transform, TransformOp{{}, 3, 4}, 0});
    return draft;
}

TEST(Polls, CutStepsAndChangeNothing) {
    Random random(1);
    Index cut = 0;
    for (int i = 0; i < 500; ++i) {
        const Draft whole = random_draft(random);
        Draft polled = whole;
        const auto transforms = static_cast<int>(random.between(0, 5));
        const Polls polls{transforms, 0, 0, static_cast<int>(random.between(0, 5))};
        add_polls(polled, polls);
        EXPECT_EQ(moved(polled), moved(whole));
        EXPECT_LE(polls_in(polled), polls.transforms + polls.packing);
        const auto left = static_cast<Index>(polled.order.size()) - polls_in(polled);
        cut += left - static_cast<Index>(whole.order.size());
    }
    EXPECT_GT(cut, 100);
}

// A loop of 8 steps makes room for a poll behind each 2 of them.
TEST(Polls, AreSpreadEvenly) {
    Draft draft;
    FftTask task;
    task.looped = {{8, 4, 4}};
    const StepId start = draft.add(Operation{1, Purpose::exchange, StartOp{{}, 1, 2}, 0});
    draft.add(Operation{0, Purpose::transform, TransformOp{task, 0, 1}, 1});
    draft.add(Operation{1, Purpose::exchange, FinishOp{start}, 0});
    add_polls(draft, {4, 0, 0, 0});
    ASSERT_EQ(draft.order.size(), 10U);
    for (std::size_t i = 0; i < 8; i += 2) {
        const auto& op = std::get<TransformOp>(draft.steps[draft.order[i + 1]].what);
        EXPECT_EQ(op.task.looped.front().extent, 2);
        EXPECT_EQ(op.task.from_offset, static_cast<Index>(4 * i));
        EXPECT_TRUE(std::holds_alternative<PollOp>(draft.steps[draft.order[i + 2]].what));
    }
}

// What a tile does beside the start of its own exchange is short, and the messages are just off.
TEST(Polls, AreNotPutWhereNothingIsUnderWay) {
    Draft draft;
    FftTask task;
    task.looped = {{8, 4, 4}};
    CopyTask kept;
    kept.loops = {{8, 4, 4}};
    draft.add(Operation{0, Purpose::transform, TransformOp{task, 0, 1}, 0});
    const StepId start = draft.add(Operation{1, Purpose::exchange, StartOp{{}, 1, 2}, 0});
    draft.add(Operation{1, Purpose::keep, CopyOp{kept, {1}, 3}, 0});
    draft.add(Operation{1, Purpose::exchange, FinishOp{start}, 0});
    draft.add(Operation{2, Purpose::transform, TransformOp{task, 2, 3}, 0});
    add_polls(draft, {4, 4, 4, 4});
    EXPECT_EQ(draft.order.size(), 5U);
    EXPECT_EQ(polls_in(draft), 0);
}

// Many sub-tiles are walked through once: step by step to the end of all would not end.
TEST(Polls, LookAtEachStepOnce) {
    constexpr std::size_t copies = 1'000'000;
    Draft draft;
    draft.steps.assign(copies, Operation{1, Purpose::pack, CopyOp{{}, {0}, 1}, 0});
    for (StepId step = 0; step < copies; ++step) draft.order.push_back(step);
    add_polls(draft, {4, 4, 4, 4});
    EXPECT_EQ(draft.order.size(), copies);
    EXPECT_TRUE(std::is_sorted(draft.order.begin(), draft.order.end()));
}

}  // namespace

}  // namespace weft::core
