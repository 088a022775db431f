// What engines say that tasks cost.
#include "fft/cost.hpp"

#include <gtest/gtest.h>

#include "fft/engine.hpp"

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

TEST(Cost, PatternsAreToldFromStrides) {
    EXPECT_EQ(pattern_of({8, 1, 1}), Pattern::lines);
    EXPECT_EQ(pattern_of({8, 5, 1}), Pattern::permuting);
    EXPECT_EQ(pattern_of({8, 1, 5}), Pattern::permuting);
    EXPECT_EQ(pattern_of({8, 5, 7}), Pattern::lanes);
    EXPECT_EQ(pattern_of({1, 5, 7}), Pattern::lines);
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

TEST(Cost, EveryKnownEngineHasRatesOfItsOwn) {
    for (const EngineInfo& info : engines()) {
        const bool own = rates(info.name) != rates("reference");
        EXPECT_EQ(own, info.name != "reference") << info.name;
    }
}

TEST(Cost, OrdersTasksAsTheyAre) {
    for (const EngineInfo& info : engines()) {
        const Rates& own = rates(info.name);
        EXPECT_GT(seconds(lines(1), own), 0) << info.name;
        EXPECT_GT(seconds(lines(128), own), seconds(lines(64), own)) << info.name;
        EXPECT_GT(seconds(lines(233), own), seconds(lines(240), own)) << info.name;
        EXPECT_LE(seconds(lines(64, Precision::f32), own), seconds(lines(64), own)) << info.name;
        FftTask large = lines(64);
        large.looped[0].extent = 64 * 1024;
        EXPECT_GE(seconds(large, own), 1024 * (seconds(lines(64), own) - own.start)) << info.name;
    }
}

TEST(Cost, EnginesAnswerForTheirTasks) {
    for (const EngineInfo& info : engines()) {
        if (!info.built_in) continue;
        EXPECT_GT(engine(info.name).cost(lines(64)), 0) << info.name;
        EXPECT_LE(engine(info.name).cost(lines(64)), engine("reference").cost(lines(64)));
    }
}

}  // namespace

}  // namespace weft::core
