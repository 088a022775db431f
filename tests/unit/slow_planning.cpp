// Verbs print how far planning is, if that takes long.
#include "slow_planning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "plan/plan.hpp"
#include "program/lower.hpp"

namespace weft::cli {

namespace {

using testing::HasSubstr;

TEST(SlowPlanning, SaysHowMuchWasMadeAndGoesOnSayingIt) {
    testing::internal::CaptureStderr();
    {
        const SlowPlanning slow{std::chrono::milliseconds(1)};
        core::lower(core::parse_plan("c2c:f64:8x8x8; ranks=4"), 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
    }
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("weft: still planning after 0.001 s, "));
    EXPECT_THAT(said, HasSubstr("weft: still planning after 0.002 s, "));
    EXPECT_THAT(said, HasSubstr("weft: still planning after 0.004 s, "));
}

TEST(SlowPlanning, SaysNothingOfWhatIsQuick) {
    testing::internal::CaptureStderr();
    { const SlowPlanning quick{std::chrono::hours(1)}; }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace

}  // namespace weft::cli
