#include "run/engine_plans.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace weft::core {

namespace {

/// Notes between which addresses it plans.
class NotingEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "reference"; }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& /*task*/, Effort /*effort*/,
                                                std::byte* from, std::byte* to) const override {
        class Nothing : public FftPlan {
            void execute(std::byte* /*from*/, std::byte* /*to*/) override {}
        };
        planned.emplace_back(from, to);
        return std::make_unique<Nothing>();
    }
    mutable std::vector<std::pair<std::byte*, std::byte*>> planned;
};

// FFTW plans in place where both addresses are one, which a part of one array may not meet with a
// part of the other: 4 elements of 16 bytes are all that lies between two threads' lines.
TEST(EnginePlans, AreForPartsOfArraysThatLieApart) {
    for (Index length = 1; length <= 16; ++length) {
        NotingEngine engine;
        Team team(3);
        EnginePlans plans(engine, Effort::estimate, {team, 0});
        FftTask task;
        task.set_axes({{length, 1, 1}});
        task.looped = {{12, length, length}};
        plans.plan(task, 0, 0);
        plans.plan(task, 16, 48, 1);
        ASSERT_GE(engine.planned.size(), 2U);
        for (const auto& [from, one] : engine.planned) {
            for (const auto& [another, to] : engine.planned) EXPECT_NE(from, to) << length;
        }
        task.in_place = true;
        engine.planned.clear();
        plans.plan(task, 0, 0);
        for (const auto& [from, to] : engine.planned) EXPECT_EQ(from, to) << length;
    }
}

}  // namespace

}  // namespace weft::core
