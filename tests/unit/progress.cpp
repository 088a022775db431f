// What is told of a long measurement's progress, by a clock that the test turns.
#include "measure/progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft::cli {
namespace {

/// What was written, and the time.
struct Told {
    std::string text;
    double now = 100;

    ProgressOutput output(bool terminal) {
        return {terminal, [this](const std::string& some) { text += some; },
                [this] { return now; }};
    }
    std::string after(double seconds, Progress& progress, int step) {
        text.clear();
        now += seconds;
        progress.done(step);
        return text;
    }
};

TEST(Progress, SaysNothingInTheFirstTwoSeconds) {
    Told told;
    Progress progress("weft bench", "repeats", 10, told.output(false));
    EXPECT_EQ(told.after(1, progress, 1), "");
    EXPECT_EQ(told.after(0.75, progress, 2), "");
    EXPECT_EQ(told.after(0.25, progress, 2), "weft bench: 2 of 10 repeats, about 8 s left\n");
}

TEST(Progress, WritesLinesEverLessOften) {
    Told told;
    Progress progress("weft verify", "problems", 1000, told.output(false));
    EXPECT_NE(told.after(2, progress, 1), "");
    EXPECT_EQ(told.after(3, progress, 2), "");
    EXPECT_NE(told.after(1, progress, 3), "");
    EXPECT_EQ(told.after(7, progress, 4), "");
    EXPECT_NE(told.after(1, progress, 5), "");
    // Never less often than every half minute.
    for (int step = 6; step < 20; ++step) {
        EXPECT_EQ(told.after(0.5, progress, step), "") << step;
        EXPECT_NE(told.after(29.5, progress, step), "") << step;
    }
}

TEST(Progress, WritesOverTheLineOfATerminal) {
    Told told;
    {
        // Values that are exact in binary.
        Progress progress("weft tune", "seconds", 100, told.output(true));
        EXPECT_EQ(told.after(2, progress, 1), "\rweft tune: 1 of 100 seconds, about 198 s left");
        EXPECT_EQ(told.after(0.25, progress, 2), "");
        EXPECT_EQ(told.after(0.25, progress, 60),
                  "\rweft tune: 60 of 100 seconds, about 2 s left ");
        told.text.clear();
    }
    const std::string last = "weft tune: 60 of 100 seconds, about 2 s left";
    EXPECT_EQ(told.text, "\r" + std::string(last.size(), ' ') + "\r");
}

TEST(Progress, TakesTheLineAwayAtTheEnd) {
    Told told;
    Progress progress("v", "u", 2, told.output(true));
    const std::string shown = told.after(2, progress, 1);
    EXPECT_EQ(told.after(1, progress, 2), "\r" + std::string(shown.size() - 1, ' ') + "\r");
    EXPECT_EQ(told.after(1, progress, 2), "");
}

TEST(Progress, CountsWhereNobodyKnowsHowManyStepsThereAre) {
    Told told;
    Progress progress("weft tune", "runs", 0, told.output(false));
    EXPECT_EQ(told.after(3, progress, 34), "weft tune: 34 runs in 3 s\n");
}

TEST(Progress, SaysNothingIfItIsSilent) {
    Progress progress("v", "u", 2, false);
    progress.done(1);
    EXPECT_FALSE(progress_output(false).write);
}

}  // namespace
}  // namespace weft::cli
