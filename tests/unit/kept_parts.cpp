// Plans that keep a part of spectra and fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "base/mapped.hpp"
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
    test::expect_refused("a path", "axis 0 is never whole", [] {
        parse_plan(
            "c2c:f64:3x1 modes=2x1 inside=1x1 in=free out=boxes([0:1,0:1]|[1:2,0:1]); ranks=2; "
            "decomposition=slab(2,0)");
    });
}

TEST(KeptParts, HaveAStageForEachAxisAndThoseThatLeaveLeastComeFirst) {
    const Plan plan = parse_plan("r2c:f64:12x12x12 modes=3x9x12 in=slab(0); ranks=1");
    const std::vector<int> order = mapped(plan.stages, [](const Stage& stage) {
        return std::get<TransformStage>(stage).axes.front();
    });
    EXPECT_EQ(order, (std::vector{2, 0, 1}));  // r2c comes before complex transforms
    EXPECT_EQ(plan.at.back().where.shape(), (std::vector<Index>{3, 9, 7}));
}

TEST(KeptParts, AreTheSameOnBothSidesOfABackwardPlan) {
    const Plan plan = parse_plan("c2c:f64:12x10 modes=8x5 inside=6x10; ranks=2");
    EXPECT_EQ(reverse(reverse(plan)), plan);
    EXPECT_EQ(plan.at.front().where.shape(), (std::vector<Index>{6, 10}));
    EXPECT_EQ(reverse(plan).at.front().where.shape(), (std::vector<Index>{8, 5}));
}

}  // namespace
}  // namespace weft::core
