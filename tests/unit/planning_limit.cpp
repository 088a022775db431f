// Engines that give up planning once their time is over.
#include "fft/planning_limit.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "fft/engine.hpp"
#include "fft/reference_line.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Plans one line by the engine; whether it gave up.
bool gives_up(const FftEngine& engine, Index length, Effort effort) {
    FftTask task;
    task.line = {Kind::c2c, -1, Precision::f64, length};
    const Buffer from(length * 16);
    const Buffer to(length * 16);
    try {
        (void)engine.plan(task, effort, from.data(), to.data());
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_available);
        EXPECT_NE(std::string(error.what()).find("planning"), std::string::npos) << error.what();
        return true;
    }
    return false;
}

TEST(PlanningLimit, IsOfItsThreadAndNests) {
    EXPECT_FALSE(planning_time_left());
    {
        const PlanningLimit outer(0);
        EXPECT_EQ(planning_time_left(), 0);
        EXPECT_THROW(require_planning_time(), Error);
        {
            const PlanningLimit inner(std::numeric_limits<double>::infinity());
            EXPECT_FALSE(planning_time_left());
            EXPECT_NO_THROW(require_planning_time());
        }
        EXPECT_THROW(require_planning_time(), Error);
        const PlanningLimit inner(1000);
        EXPECT_GT(*planning_time_left(), 100);
    }
    EXPECT_NO_THROW(require_planning_time());
}

/// A prime of 10007 elements takes a while by all of them that plan by computing or by measuring.
TEST(PlanningLimit, EndsThePlanningOfLongPrimes) {
    constexpr Index prime = 10007;
    for (const std::string& name : test::built_in()) {
        const FftEngine& one = engine(name);
        EXPECT_FALSE(gives_up(one, 8, Effort::estimate)) << name;
        const PlanningLimit limit(0);
        if (name == "native" || name == "reference") {
            EXPECT_TRUE(gives_up(one, prime, Effort::estimate)) << name;
        }
        if (name == "fftw") {
            EXPECT_FALSE(gives_up(one, 8, Effort::estimate));
            EXPECT_TRUE(gives_up(one, prime, Effort::patient));
        }
    }
}

/// What was given up before is planned as well as ever.
TEST(PlanningLimit, LeavesNothingBehind) {
    for (const std::string& name : test::built_in()) {
        const FftEngine& one = engine(name);
        {
            const PlanningLimit limit(0);
            (void)gives_up(one, 1009, Effort::measure);
        }
        EXPECT_FALSE(gives_up(one, 1009, Effort::measure)) << name;
    }
}

TEST(ReferenceLine, CountsItsProducts) {
    EXPECT_EQ(ReferenceLine::products(1), 0);
    EXPECT_EQ(ReferenceLine::products(8), 6);
    EXPECT_EQ(ReferenceLine::products(30), 10);
    EXPECT_EQ(ReferenceLine::products(1009), 1009);
    // A prime of a million takes an hour, whatever the table of rates says.
    FftTask task;
    task.line = {Kind::c2c, -1, Precision::f64, 1000003};
    EXPECT_GT(engine("reference").cost(task, {{7e7, 0.13}, {}}), 1000);
}

}  // namespace

}  // namespace weft::core
