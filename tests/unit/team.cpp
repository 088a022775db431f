// Threads that share work, and the work that they share.
#include "threads/team.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "fft/team_engine.hpp"
#include "kernels/copy.hpp"
#include "unit/fft_trial.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

TEST(Team, RunsEveryThreadOnceACall) {
    for (const int threads : {1, 2, 5}) {
        Team team(threads);
        ASSERT_EQ(team.size(), threads);
        std::vector<int> calls(static_cast<std::size_t>(threads), 0);
        for (int call = 0; call < 200; ++call) {
            team.run([&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
        }
        EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(threads), 200));
    }
}

TEST(Team, ThrowsWhatAThreadThrowsAndGoesOn) {
    Team team(3);
    for (int culprit = 0; culprit < 3; ++culprit) {
        EXPECT_THROW(team.run([&](int thread) {
            if (thread == culprit) throw Error(ErrorCode::system, "no");
        }),
                     Error);
        std::atomic<int> sum = 0;
        team.run([&](int thread) { sum += thread; });
        EXPECT_EQ(sum, 3);
    }
}

TEST(Team, PartsAreEvenAndCoverAll) {
    for (const int n : {0, 1, 2, 7, 64, 1000}) {
        for (const int parts : {1, 2, 3, 7, 16}) {
            int next = 0;
            for_each_part(n, parts, [&](int begin, int end) {
                EXPECT_EQ(begin, next);
                EXPECT_GE(end - begin, std::max(1, n / parts));
                EXPECT_LE(end - begin, n / parts + 1);
                next = end;
            });
            EXPECT_EQ(next, n);
        }
    }
    const Index huge = Index{1} << 60;
    EXPECT_EQ(part_begin(huge, 3, 3), huge);
    EXPECT_EQ(part_begin(huge, 2, 1), huge / 2);
}

TEST(Team, EvennessIsTheBusyPartOfAllThreads) {
    EXPECT_EQ(evenness(1000, 2), 1);
    EXPECT_EQ(evenness(3, 2), 0.75);
    EXPECT_EQ(evenness(5, 4), 0.625);
    EXPECT_EQ(evenness(1, 4), 0.25);
    EXPECT_EQ(evenness(0, 4), 0);
}

class EngineOfATeam : public ::testing::TestWithParam<std::string> {};

TEST_P(EngineOfATeam, TransformsRandomStridedTasks) {
    Random random(5);
    std::vector<std::unique_ptr<Team>> teams;
    for (const int threads : {1, 2, 3, 7}) teams.push_back(std::make_unique<Team>(threads));
    for (int i = 0; i < 300; ++i) {
        Team& team = *teams[static_cast<std::size_t>(random.between(0, 3))];
        const test::Trial trial = test::random_trial(random);
        SCOPED_TRACE(test::text_of(trial.task));
        test::check(TeamEngine(engine(GetParam()), team, {}, 0), Effort::estimate, trial);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, EngineOfATeam, ::testing::ValuesIn(test::built_in()));

/// Several axes without loops take two steps; an engine knows what that saves.
TEST(EngineOfATeam, SharesTransformsOfSeveralAxes) {
    Random random(6);
    Team team(2);
    const TeamEngine shared(native_engine(), team, {}, 0);
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r}) {
        for (const std::vector<Index>& extents :
             {std::vector<Index>{12, 10, 9}, {2, 3, 40}, {1, 16, 16}, {64, 70}}) {
            test::Trial trial;
            trial.task.line.kind = kind;
            trial.task.line.sign = kind == Kind::c2r ? 1 : -1;
            trial.task.may_destroy_input = true;
            std::vector<Loop> axes;
            axes.reserve(extents.size());
            for (const Index extent : extents) axes.push_back({extent, 0, 0});
            trial.task.set_axes(axes);
            if (kind == Kind::r2r) {
                const std::vector<AxisKind> kinds = {AxisKind::dct2, AxisKind::dst1,
                                                     AxisKind::dst4};
                trial.task.set_axis_kinds(
                    {kinds.end() - static_cast<std::ptrdiff_t>(axes.size()), kinds.end()});
            }
            test::draw_values(random, trial, extents);
            std::vector<std::size_t> order(extents.size());
            std::iota(order.begin(), order.end(), 0);
            trial.from.set_dense(order);
            trial.to.set_dense(order);
            test::set_loops(trial);
            SCOPED_TRACE(test::text_of(trial.task));
            test::check(shared, Effort::estimate, trial);
            EXPECT_LT(shared.cost(trial.task, {}), 0.6 * native_engine().cost(trial.task, {}));
        }
    }
}

TEST(EngineOfATeam, LeavesSmallTasksToOneThread) {
    Team team(2);
    FftTask task;
    task.set_axes({{64, 1, 1}});
    task.looped = {{4, 64, 64}};
    const CoreRates rates{{1e10}, {1 << 20, 4e9}};
    const TeamEngine shared(native_engine(), team, rates);
    EXPECT_EQ(shared.cost(task, rates), native_engine().cost(task, rates));
    task.looped.front().extent = 4096;
    EXPECT_LT(shared.cost(task, rates), 0.6 * native_engine().cost(task, rates));
}

TEST(Parts, OfACopyAreTheCopy) {
    const CopyTask task{{{3, 70, 7}, {7, 10, 1}, {10, 1, 21}}, 8, 5, 2};
    std::vector<double> from(5 + 210);
    std::iota(from.begin(), from.end(), 1.0);
    std::vector<double> expected(2 + 210);
    const auto bytes = [](auto& array) { return reinterpret_cast<std::byte*>(array.data()); };
    Copy(task).execute(bytes(from), bytes(expected));
    for (const int parts : {1, 2, 3, 4, 11, 50}) {
        std::vector<double> found(expected.size());
        const auto shares = shared_copies({task}, parts, 0);
        ASSERT_EQ(shares.size(), static_cast<std::size_t>(parts));
        std::size_t idle = 0;
        for (const std::vector<Copy>& share : shares) {
            idle += share.empty() ? 1 : 0;
            for (const Copy& copy : share) copy.execute(bytes(from), bytes(found));
        }
        EXPECT_EQ(found, expected) << parts;
        EXPECT_EQ(idle, static_cast<std::size_t>(std::max(0, parts - 10)));
    }
}

TEST(Parts, OfManyCopiesAreEven) {
    // Ten of them, the last is large and cut.
    std::vector<CopyTask> tasks(9, {{{100, 1, 1}}, 8, 0, 0});
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].from_offset = tasks[i].to_offset = 100 * static_cast<Index>(i);
    }
    tasks.push_back({{{2000, 1, 1}}, 8, 900, 900});
    std::vector<double> from(2900);
    std::iota(from.begin(), from.end(), 1.0);
    std::vector<double> found(from.size());
    const auto shares = shared_copies(tasks, 2, 8 * 1000);
    ASSERT_EQ(shares.size(), 2U);
    for (const std::vector<Copy>& share : shares) {
        EXPECT_GE(share.size(), 5U);
        for (const Copy& copy : share) {
            copy.execute(reinterpret_cast<const std::byte*>(from.data()),
                         reinterpret_cast<std::byte*>(found.data()));
        }
    }
    EXPECT_EQ(found, from);
    EXPECT_EQ(shared_copies(tasks, 2).size(), 1U);
    EXPECT_EQ(shared_copies({}, 2).size(), 0U);
    EXPECT_EQ(shared_copies({{{}, 8, 0, 0}}, 2, 0).size(), 2U);
}

TEST(Parts, OfASliceAreTheSlice) {
    const Slice slice{3, {{2, 100}, {9, 10}, {1, 7}}};
    for (const int parts : {1, 2, 4, 20}) {
        const auto slices = slices_in_parts(slice, Precision::f64, parts, 0);
        EXPECT_EQ(slices.size(), static_cast<std::size_t>(std::min(parts, 9)));
        std::vector<double> values(200, 1);
        auto* data = reinterpret_cast<std::byte*>(values.data());
        for (const Slice& part : slices) scale(Precision::f64, data, data, part, 2);
        EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.0), 218);
        EXPECT_EQ(values[3 + 100 + 80], 2);
    }
    EXPECT_EQ(slices_in_parts(slice, Precision::f64, 4).size(), 1U);
    EXPECT_EQ(slices_in_parts({7, {}}, Precision::f64, 4, 0).size(), 1U);
}

}  // namespace

}  // namespace weft::core
