// What tasks cost by the rates of a core.
#include "base/cost.hpp"

#include <gtest/gtest.h>

#include "fft/engine.hpp"
#include "model/default_plan.hpp"

namespace weft::core {

namespace {

/// 64 lines of n, one after the other.
FftTask lines(Index n, Precision precision = Precision::f64) {
    FftTask task;
    task.line.precision = precision;
    task.set_axes({{n, 1, 1}});
    task.looped = {{64, n, n}};
    return task;
}

TEST(Cost, FlopsAreTheFieldsCount) {
    EXPECT_DOUBLE_EQ(flops(lines(8)), 5.0 * 64 * 8 * 3);
    FftTask real = lines(8);
    real.line.kind = Kind::r2c;
    EXPECT_DOUBLE_EQ(flops(real), 2.5 * 64 * 8 * 3);
    FftTask plane;
    plane.set_axes({{4, 8, 8}, {8, 1, 1}});
    EXPECT_DOUBLE_EQ(flops(plane), 5.0 * 32 * (2 + 3));
}

TEST(Cost, IsArithmeticAndWhatLeavesTheCache) {
    const CoreRates rates{{11e9, 0.5, 2}, {1 << 20, 4e9, 2e9}};
    const double arithmetic = 64 * 5.0 * 1024 * 10 / 11e9;
    EXPECT_DOUBLE_EQ(seconds(lines(1024), rates), arithmetic + (2 << 20) / 4e9);
    // 1 MiB of both sides together stays in the cache.
    EXPECT_DOUBLE_EQ(seconds(lines(1024, Precision::f32), rates), arithmetic / 2);
    EXPECT_DOUBLE_EQ(seconds(lines(11), rates), flops(lines(11)) / 5.5e9);
}

TEST(Cost, TheDefaultMachineHasRatesOfEveryEngine) {
    for (const EngineInfo& info : engines()) {
        EXPECT_TRUE(modest_machine().engines.contains(std::string(info.name))) << info.name;
    }
}

TEST(Cost, OrdersTasksAsTheyAre) {
    for (const EngineInfo& info : engines()) {
        const CoreRates own = core_rates(modest_machine(), info.name);
        EXPECT_GT(seconds(lines(128), own), seconds(lines(64), own)) << info.name;
        EXPECT_GT(seconds(lines(233), own), seconds(lines(240), own)) << info.name;
        EXPECT_LE(seconds(lines(64, Precision::f32), own), seconds(lines(64), own)) << info.name;
        FftTask large = lines(64);
        large.looped[0].extent = 64 * 1024;
        EXPECT_GE(seconds(large, own), 1024 * seconds(lines(64), own)) << info.name;
    }
}

TEST(Cost, EnginesAnswerForTheirTasks) {
    const auto cost = [](std::string_view name) {
        return engine(name).cost(lines(64), core_rates(modest_machine(), name));
    };
    for (const EngineInfo& info : engines()) {
        if (!info.built_in) continue;
        EXPECT_GT(cost(info.name), 0) << info.name;
        EXPECT_LE(cost(info.name), cost("reference")) << info.name;
    }
}

}  // namespace

}  // namespace weft::core
