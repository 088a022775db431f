// What comes after what on the other queue.
#include <gtest/gtest.h>

#include <numeric>

#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

using After = std::vector<std::vector<std::size_t>>;

/// By step, once each value has a buffer of its own, or that one.
After after(Draft draft, std::vector<int> buffer_of = {}) {
    if (buffer_of.empty()) {
        buffer_of.resize(draft.values.size());
        std::iota(buffer_of.begin(), buffer_of.end(), 0);
    }
    add_predecessors(draft, buffer_of);
    After result;
    for (const StepId step : draft.order) result.push_back(draft.steps[step].after);
    return result;
}

Operation transform(ValueId from, ValueId to) {
    return {0, Purpose::transform, TransformOp{{}, from, to}};
}
Operation copy(Purpose purpose, ValueId from, ValueId to) {
    return {1, purpose, CopyOp{{}, {from}, to}};
}

TEST(Predecessors, OfAnExchangeOfPackedMessages) {
    Draft draft;
    draft.values.resize(5);
    draft.add(transform(0, 1));
    draft.add(copy(Purpose::pack, 1, 2));
    const StepId start = draft.add(1, StartOp{{}, 2, 3});
    draft.add(copy(Purpose::keep, 2, 4));
    draft.add(1, FinishOp{start});
    draft.add(copy(Purpose::unpack, 3, 4));
    EXPECT_EQ(after(draft), (After{{}, {}, {1}, {}, {}, {4}}));
    // What is made where messages were sent from waits until they have gone.
    draft.add(transform(4, 0));
    EXPECT_EQ(after(draft, {2, 1, 2, 3, 4}), (After{{}, {}, {1}, {}, {}, {4}, {}}));
    Draft overwritten = draft;
    overwritten.order = {0, 1, 2, 4, 6};
    EXPECT_EQ(after(overwritten, {2, 1, 2, 3, 4}), (After{{}, {}, {1}, {}, {4}}));
}

// Its owner writes a region when all have released it, and publishes it when it is written; who
// reads the others' waits for them, and releases them behind that.
TEST(Predecessors, OfARegion) {
    Draft draft;
    draft.values.resize(3);
    draft.add(0, ReclaimOp{1});
    draft.add(transform(0, 1));
    const StepId publish = draft.add(0, PublishOp{{}, 1});
    draft.add(0, AwaitOp{publish});
    draft.add(Operation{1, Purpose::unpack, CopyOp{{}, {1, 7}, 2}});
    draft.add(0, ReleaseOp{publish});
    EXPECT_EQ(after(draft), (After{{}, {0}, {1}, {}, {3}, {4}}));
}

// An array that others write is published when nothing in it is needed any longer, and read when
// all have written it.
TEST(Predecessors, OfAnArrayThatOthersWrite) {
    Draft draft;
    draft.values.resize(3);
    draft.add(transform(0, 1));
    RegionTask task;
    task.access = RegionAccess::write;
    const StepId publish = draft.add(0, PublishOp{task, 2});
    draft.add(0, AwaitOp{publish});
    draft.add(Operation{0, Purpose::transform, FusedOp{1, {{1}, {2}, {2, 7}}, {}}});
    draft.add(0, ReleaseOp{publish});
    draft.add(0, ReclaimOp{2});
    draft.add(Operation{1, Purpose::scale, ScaleOp{Precision::f64, {}, 2, 2, 2}});
    // Values 1 and 2 lie in one buffer: what is in it is needed until the transform has read it.
    EXPECT_EQ(after(draft), (After{{}, {}, {}, {2}, {3}, {}, {5}}));
    Draft early = draft;
    early.order = {0, 1, 2, 3, 4, 5};
    EXPECT_EQ(after(early, {0, 1, 1}), (After{{}, {0}, {}, {2}, {3}, {}}));
}

// Two steps that write one value write different elements, and what has been waited for once is not
// waited for again.
TEST(Predecessors, AreNoMoreThanNeeded) {
    Draft draft;
    draft.values.resize(3);
    const StepId start = draft.add(0, StartOp{{}, 0, 1});
    draft.add(copy(Purpose::keep, 2, 1));
    draft.add(0, FinishOp{start});
    draft.add(copy(Purpose::unpack, 1, 2));
    draft.add(copy(Purpose::unpack, 1, 2));
    EXPECT_EQ(after(draft), (After{{}, {}, {}, {2}, {}}));
}

}  // namespace

}  // namespace weft::core
