// Plans that keep a part of spectra and fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "plan/plan.hpp"
#include "unit/refusal.hpp"

namespace weft::core {
namespace {

long transforms_in(const Plan& plan) {
    return std::count_if(plan.stages.begin(), plan.stages.end(), [](const Stage& stage) {
        return std::holds_alternative<TransformStage>(stage);
    });
}

// The field has one element of the axis that boxes cut in the spectrum: no box is whole along it.
TEST(KeptParts, AreTransformedBeforeBoxesThatCutTheirAxis) {
    const char* boxes = "c2c:f64:8 modes=2 inside=1 in=single out=boxes([0:1]|[1:2]); ranks=2";
    EXPECT_EQ(transforms_in(parse_plan(boxes)), 1);
    // Axis 0 is never whole on this path.
    test::expect_refused("a path", "axis 0 stays distributed", [] {
        parse_plan(
            "c2c:f64:3x1 modes=2x1 inside=1x1 in=free out=boxes([0:1,0:1]|[1:2,0:1]); ranks=2; "
            "decomposition=slab(2,0)");
    });
}

TEST(KeptParts, ShareAStageInWhichThoseThatLeaveLeastComeFirst) {
    const Plan plan = parse_plan("r2c:f64:12x12x12 modes=3x9x12 in=slab(0); ranks=1");
    ASSERT_EQ(plan.stages.size(), 1U);
    const auto& stage = std::get<TransformStage>(plan.stages.front());
    EXPECT_EQ(kept_order(stage), (std::vector{2, 0, 1}));  // r2c comes before complex transforms
    EXPECT_EQ(plan.at.back().where.shape(), (std::vector<Index>{3, 9, 7}));
    const Plan back = reverse(plan);
    EXPECT_EQ(kept_order(std::get<TransformStage>(back.stages.front())), (std::vector{1, 0, 2}));
    EXPECT_TRUE(part_of(stage, {2}).kept.empty());
    EXPECT_EQ(part_of(stage, {1}).kept, (std::vector{stage.kept[1]}));
}

/// The shape in which the array moves first.
std::vector<Index> moved_shape(const Plan& plan) {
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) != nullptr) return plan.at[i].where.shape();
    }
    return {};
}

// An axis that shrinks is transformed as soon as it is whole, one that grows as late as it can be.
TEST(KeptParts, MoveNoMoreThanTheyHaveTo) {
    using Shape = std::vector<Index>;
    const auto moved = [](const char* text) { return moved_shape(parse_plan(text)); };
    EXPECT_EQ(moved("c2c:f64:12x12x12 modes=6x6x6 in=slab(0); ranks=2"), (Shape{12, 6, 6}));
    EXPECT_EQ(moved("c2c:f64:12x12x12 inside=6x6x6 in=slab(0); ranks=2"), (Shape{6, 12, 6}));
    EXPECT_EQ(moved("r2c:f64:12x12x12 inside=6x6x6 in=slab(0); ranks=2"), (Shape{6, 6, 7}));
    EXPECT_EQ(moved("c2c:f64:12x12x12 inside=6x6x6 modes=12x12x3 in=slab(0); ranks=2"),
              (Shape{6, 6, 3}));
    // The same order of axes on any number of ranks, axis 2 first.
    EXPECT_EQ(moved("c2c:f64:12x12x12 inside=6x6x6 in=slab(0); ranks=2; reproducible=yes"),
              (Shape{6, 6, 12}));
}

TEST(KeptParts, AreTheSameOnBothSidesOfABackwardPlan) {
    const Plan plan = parse_plan("c2c:f64:12x10 modes=8x5 inside=6x10; ranks=2");
    EXPECT_EQ(reverse(reverse(plan)), plan);
    EXPECT_EQ(plan.at.front().where.shape(), (std::vector<Index>{6, 10}));
    EXPECT_EQ(reverse(plan).at.front().where.shape(), (std::vector<Index>{8, 5}));
}

}  // namespace
}  // namespace weft::core
