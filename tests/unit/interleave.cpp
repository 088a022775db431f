// The order of tiles in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/random.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

/// Adds so many tiles' steps, tile by tile: a transform, then as often as there are exchanges a
/// start, a copy beside it, a finish and a transform. A transform of no tile before all, an
/// exchange of none behind them.
Draft draft_of(int tiles, int exchanges) {
    Draft draft;
    draft.add(Operation{0, Purpose::transform, TransformOp{}});
    for (int tile = 0; tile < tiles; ++tile) {
        draft.add(Operation{1, Purpose::transform, TransformOp{}, tile});
        for (int stage = 2; stage < 2 + 2 * exchanges; stage += 2) {
            const StepId start = draft.add(Operation{stage, Purpose::exchange, StartOp{}, tile});
            draft.add(Operation{stage, Purpose::keep, CopyOp{}, tile});
            draft.add(Operation{stage, Purpose::exchange, FinishOp{start}, tile});
            draft.add(Operation{stage + 1, Purpose::transform, TransformOp{}, tile});
        }
    }
    const int behind = 2 + 2 * exchanges;
    const StepId start = draft.add(Operation{behind, Purpose::exchange, StartOp{}});
    draft.add(Operation{behind, Purpose::exchange, FinishOp{start}});
    return draft;
}

/// A letter for each step, with the number of its tile: c (compute), s (start), k (beside it), f
/// (finish); h for those of no tile.
std::string text(const Draft& draft) {
    std::string result;
    for (const StepId id : draft.order) {
        const Operation& step = draft.steps[id];
        if (!step.tile) {
            result += "h ";
            continue;
        }
        result += step.purpose == Purpose::transform            ? "c"
                  : step.purpose == Purpose::keep               ? "k"
                  : std::holds_alternative<FinishOp>(step.what) ? "f"
                                                                : "s";
        result += std::to_string(*step.tile) + " ";
    }
    return result;
}

std::string interleaved(int tiles, int exchanges, const TilesInFlight& wanted) {
    Draft draft = draft_of(tiles, exchanges);
    interleave(draft, wanted);
    return text(draft);
}

TEST(Interleave, ComputesSomeTilesWhileOthersTravel) {
    EXPECT_EQ(interleaved(3, 1, {1}), "h c0 s0 k0 c1 s1 k1 f0 c0 c2 s2 k2 f1 c1 f2 c2 h h ");
    EXPECT_EQ(interleaved(3, 1, {2}), "h c0 s0 k0 c1 s1 k1 c2 s2 k2 f0 c0 f1 c1 f2 c2 h h ");
    EXPECT_EQ(interleaved(2, 1, {0}), "h c0 s0 k0 f0 c0 c1 s1 k1 f1 c1 h h ");
    EXPECT_EQ(interleaved(2, 2, {1}),
              "h c0 s0 k0 c1 s1 k1 f0 c0 s0 k0 f1 c1 s1 k1 f0 c0 f1 c1 h h ");
}

TEST(Interleave, WaitsBeforeATileStartsWhereItIsStrict) {
    EXPECT_EQ(interleaved(3, 1, {1, false, true}),
              "h c0 s0 k0 c1 f0 s1 k1 c0 c2 f1 s2 k2 c1 f2 c2 h h ");
    EXPECT_EQ(interleaved(2, 1, {0, false, true}), interleaved(2, 1, {0}));
    EXPECT_EQ(interleaved(2, 2, {1, false, true}),
              "h c0 s0 k0 c1 f0 s1 k1 c0 s0 k0 f1 c1 f0 s1 k1 c0 f1 c1 h h ");
}

TEST(Interleave, ComputesLastSegmentsLast) {
    EXPECT_EQ(interleaved(3, 1, {1, true}), "h c0 s0 k0 c1 s1 k1 f0 c2 s2 k2 f1 f2 c0 c1 c2 h h ");
}

TEST(Interleave, LeavesADraftWithoutTilesAsItIs) { EXPECT_EQ(interleaved(0, 0, {2}), "h h h "); }

// Every tile's steps keep their order, and no more tiles travel than are asked for.
TEST(Interleave, KeepsTheOrderOfEachTile) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const auto tiles = static_cast<int>(random.between(1, 9));
        const auto exchanges = static_cast<int>(random.between(1, 3));
        const auto in_flight = static_cast<int>(random.between(0, 4));
        Draft draft = draft_of(tiles, exchanges);
        const std::vector<StepId> before = draft.order;
        const TilesInFlight wanted{in_flight, random.once_in(2), random.once_in(2)};
        interleave(draft, wanted);
        const int most = wanted.strict ? std::max(in_flight, 1) : in_flight + 1;
        int travelled = 0;
        ASSERT_TRUE(std::is_permutation(before.begin(), before.end(), draft.order.begin(),
                                        draft.order.end()));
        std::map<int, StepId> last;
        std::map<int, int> travelling;  // by stage
        for (const StepId id : draft.order) {
            const Operation& step = draft.steps[id];
            if (!step.tile) continue;
            const auto [known, first] = last.emplace(*step.tile, id);
            EXPECT_TRUE(first || known->second < id);
            known->second = id;
            if (std::holds_alternative<StartOp>(step.what)) ++travelling[step.stage];
            if (std::holds_alternative<FinishOp>(step.what)) --travelling[step.stage];
            travelled = std::max(travelled, travelling[step.stage]);
        }
        EXPECT_EQ(travelled, std::min(most, tiles));
    }
}

}  // namespace

}  // namespace weft::core
