// Intervals of medians, and races.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "tune/median_interval.hpp"
#include "tune/race.hpp"
#include "unit/synthetic_machine.hpp"

namespace weft::core {

namespace {

TEST(MedianInterval, NeedsSixMeasurements) {
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
    EXPECT_FALSE(median_interval({1, 2, 3, 4, 5}));
    EXPECT_EQ(median_interval({6, 1, 5, 2, 4, 3}), (Interval{1, 6}));
    EXPECT_EQ(median_interval({1, 2, 3, 4, 5, 6, 7, 8, 9}), (Interval{2, 8}));
    EXPECT_TRUE(median_interval({1, 2, 3, 4, 5}, 0.9));
}

/// Whatever the distribution: here one with outliers, as runs on a shared machine have.
TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
    Random random(7);
    for (const int count : {6, 9, 15, 24}) {
        int held = 0;
        constexpr int times = 2000;
        for (int time = 0; time < times; ++time) {
            std::vector<double> values;
            for (int i = 0; i < count; ++i) {
                const double u = test::uniform(random);
                values.push_back(1 + 1 / (1.001 - u));
            }
            const Interval interval = *median_interval(values);
            const double truth = 1 + 1 / (1.001 - 0.5);
            held += interval.low <= truth && truth <= interval.high ? 1 : 0;
        }
        EXPECT_GE(held, 0.94 * times) << count;
    }
}

/// Runs a race of contestants with these times and 2% noise; how often each ran.
std::map<int, int> raced(Race& race, const std::vector<double>& times, Random& random) {
    std::map<int, int> runs;
    while (const auto next = race.ask()) {
        ++runs[next->front()];
        const double time = times[static_cast<std::size_t>(next->front())];
        race.tell(time * (1 + 0.02 * test::normal(random)));
    }
    return runs;
}

TEST(TuneRace, DropsTheHopelessEarlyAndKeepsTies) {
    Random random(1);
    Race race(std::vector<std::vector<double>>(4), 9);
    std::map<int, int> runs = raced(race, {1, 1.005, 1.5, 1.002}, random);
    EXPECT_EQ(runs[2], 2);
    EXPECT_NE(race.dropped(2), "");
    EXPECT_EQ(race.dropped(0), "");
    EXPECT_EQ(race.dropped(1), "");
    EXPECT_EQ(runs[0], 9);
}

TEST(TuneRace, TellsApartWhatDiffersByMoreThanTheNoise) {
    int right = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        Race race(std::vector<std::vector<double>>(3), 30);
        raced(race, {1.06, 1, 1.06}, random);
        right += race.leader() == 1U ? 1 : 0;
    }
    EXPECT_GE(right, 49);
}

/// In each round every survivor runs once.
TEST(TuneRace, IsInterleaved) {
    Race race(std::vector<std::vector<double>>(3), 4);
    std::vector<int> order;
    while (const auto next = race.ask()) {
        order.push_back(next->front());
        race.tell(1);
    }
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(TuneRace, GoesOnWithoutWhatFails) {
    Race race(std::vector<std::vector<double>>(3), 3);
    std::vector<int> order;
    while (const auto next = race.ask()) {
        order.push_back(next->front());
        race.tell(next->front() == 2 ? infeasible : 1);
    }
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 0, 1, 0, 1}));
    EXPECT_EQ(race.dropped(2), "it failed");
    Race all(std::vector<std::vector<double>>(2), 3);
    while (all.ask()) all.tell(infeasible);
    EXPECT_FALSE(all.leader());
}

TEST(TuneRace, KnowsWhatWasMeasuredBefore) {
    Race race({{1, 1.01}, {2, 2.01}, {1.02, 1}}, 5);
    EXPECT_NE(race.dropped(1), "");
    EXPECT_EQ(race.ask(), Position{0});
}

/// Two rounds in which the shorter time counts, as [duy] section 3.2.3.
TEST(TuneRace, TakesTheShorterOfTwoTimes) {
    Race race(std::vector<std::vector<double>>(3), 2, Figure::least);
    const std::vector<std::vector<double>> times = {{2, 2}, {infeasible}, {9, 1}};
    std::vector<int> order;
    std::vector<std::size_t> runs(times.size());
    while (const auto next = race.ask()) {
        const auto contestant = static_cast<std::size_t>(next->front());
        order.push_back(next->front());
        race.tell(times[contestant][runs[contestant]++]);
    }
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 0, 2}));
    EXPECT_EQ(race.leader(), 2U);
}

TEST(TuneRace, RunsWhatIsLeftOverOnce) {
    Race race(std::vector<std::vector<double>>(3), 5);
    std::vector<int> order;
    while (const auto next = race.ask()) {
        order.push_back(next->front());
        race.tell(next->front() == 2 ? 1 : infeasible);
    }
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(race.leader(), 2U);
    EXPECT_FALSE(Race(std::vector<std::vector<double>>(1), 5).ask());
}

}  // namespace

}  // namespace weft::core
