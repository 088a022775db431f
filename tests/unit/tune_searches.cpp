// Scales, and searches on grids: what they find, and that they measure nothing twice.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "testing/tune/yardsticks.hpp"
#include "tune/recall.hpp"
#include "tune/scale.hpp"
#include "tune/simplex.hpp"

namespace weft::core {

namespace {

using Values = std::vector<Index>;

TEST(TuneScale, IsPowersOfTwoAndBothEnds) {
    EXPECT_EQ(log_scale(1, 24), (Values{1, 2, 4, 8, 16, 24}));  // [song] section 4.4
    EXPECT_EQ(log_scale(1, 16), (Values{1, 2, 4, 8, 16}));
    EXPECT_EQ(log_scale(3, 9), (Values{3, 4, 8, 9}));
    EXPECT_EQ(log_scale(0, 5), (Values{0, 1, 2, 4, 5}));
    EXPECT_EQ(log_scale(1, 1), (Values{1}));
    EXPECT_EQ(linear_scale(0, 3), (Values{0, 1, 2, 3}));
}

TEST(TuneScale, FindsTheNearestStep) {
    const Values scale = log_scale(1, 24);
    EXPECT_EQ(nearest_step(scale, 1), 0);
    EXPECT_EQ(nearest_step(scale, 24), 5);
    EXPECT_EQ(nearest_step(scale, 7), 3);
    EXPECT_EQ(nearest_step(scale, 1000), 5);
    EXPECT_EQ(nearest_step(log_scale(0, 8), 0), 0);
}

/// Runs a search on a function and counts what it measures.
struct Found {
    Position best;
    double value = infeasible;
    std::set<Position> measured;
    bool twice = false;
};

Found searched(
    std::unique_ptr<Strategy> search, const std::function<double(const Position&)>& value, int most,
    const std::function<bool(const Position&)>& feasible = [](const Position&) { return true; }) {
    Recall recall(std::move(search), feasible);
    Found found;
    for (int i = 0; i < most; ++i) {
        const auto next = recall.ask();
        if (!next) break;
        EXPECT_EQ(recall.ask(), next);
        EXPECT_TRUE(feasible(*next));
        found.twice = found.twice || !found.measured.insert(*next).second;
        const double here = value(*next);
        if (here < found.value) {
            found.value = here;
            found.best = *next;
        }
        recall.tell(here);
    }
    return found;
}

const std::vector<int> grid_steps = {7, 5, 6};
const Position grid_start = {3, 2, 2};

/// Least at {5, 1, 4}, no number by itself.
double valley(const Position& at) {
    const double x = at[0] - 5;
    const double y = at[1] - 1;
    const double z = at[2] - 4;
    return 1 + x * x + y * y + z * z + 0.5 * x * y;
}

TEST(TuneSearch, FindsTheLeastOfAValley) {
    for (int which = 0; which < 3; ++which) {
        std::unique_ptr<Strategy> search;
        if (which == 0) search = std::make_unique<Simplex>(grid_steps, grid_start);
        if (which == 1) search = std::make_unique<CoordinateSearch>(grid_steps, grid_start);
        if (which == 2) search = std::make_unique<RankOrderSimplex>(grid_steps, grid_start);
        const Found found = searched(std::move(search), valley, 100);
        EXPECT_FALSE(found.twice) << which;
        EXPECT_LE(found.value, 2.5) << which;            // The grid_start has 9.5.
        EXPECT_LT(found.measured.size(), 60U) << which;  // There are 210.
    }
    const Found random =
        searched(std::make_unique<RandomSearch>(grid_steps, grid_start, 1), valley, 50);
    EXPECT_EQ(random.measured.size(), 50U);
    EXPECT_LT(random.value, 9.5);
}

TEST(TuneSearch, DoesNotRunWhatIsInfeasible) {
    const auto feasible = [](const Position& at) { return at[0] + at[1] < 7; };
    for (int which = 0; which < 3; ++which) {
        std::unique_ptr<Strategy> search;
        if (which == 0) search = std::make_unique<Simplex>(grid_steps, grid_start);
        if (which == 1) search = std::make_unique<CoordinateSearch>(grid_steps, grid_start);
        if (which == 2) search = std::make_unique<RankOrderSimplex>(grid_steps, grid_start);
        const Found found = searched(std::move(search), valley, 100, feasible);
        EXPECT_TRUE(feasible(found.best)) << which;
        EXPECT_LE(found.value, 3.5) << which;
    }
}

TEST(TuneSearch, EndsWhereNothingCanBeRun) {
    const auto nothing = [](const Position&) { return false; };
    EXPECT_EQ(searched(std::make_unique<Simplex>(grid_steps, grid_start), valley, 10, nothing)
                  .measured.size(),
              0U);
    EXPECT_EQ(
        searched(std::make_unique<RankOrderSimplex>(grid_steps, grid_start), valley, 10, nothing)
            .measured.size(),
        0U);
    EXPECT_EQ(
        searched(std::make_unique<RandomSearch>(grid_steps, grid_start, 3), valley, 10, nothing)
            .measured.size(),
        0U);
}

TEST(TuneSearch, EndsAtOnceWhereThereIsNothingToChoose) {
    const auto same = [](const Position&) { return 1.0; };
    const std::vector<int> one = {1, 1};
    const Position only = {0, 0};
    EXPECT_EQ(searched(std::make_unique<Simplex>(one, only), same, 9).measured.size(), 1U);
    EXPECT_EQ(searched(std::make_unique<CoordinateSearch>(one, only), same, 9).measured.size(), 1U);
    EXPECT_EQ(searched(std::make_unique<RankOrderSimplex>(one, only), same, 9).measured.size(), 1U);
}

/// The simplex that is constructed: each number goes half of the longer way to an end.
TEST(TuneSimplex, StartsAroundTheDefaultPoint) {
    Simplex simplex({5, 5, 1}, {2, 1, 0});
    std::vector<Position> asked;
    for (int i = 0; i < 3; ++i) {
        asked.push_back(*simplex.ask());
        simplex.tell(1);
    }
    EXPECT_EQ(asked, (std::vector<Position>{{2, 1, 0}, {1, 1, 0}, {2, 3, 0}}));
}

}  // namespace

}  // namespace weft::core
