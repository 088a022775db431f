// Plans that are found by timing: complete, the same on all ranks, in the limit.
#include "api/tune.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

#include "api/stopwatch.hpp"
#include "api/wisdom_store.hpp"
#include "expect.hpp"
#include "fft/planning_limit.hpp"
#include "measured_plans.hpp"
#include "model/machine_file.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/node_ranks.hpp"
#include "net/rank_cores.hpp"
#include "net/shared_cache.hpp"
#include "plan/choice.hpp"

namespace weft::test {
namespace {

/// A limit that is over while an engine plans. Sanitized, all takes longer.
#ifdef __SANITIZE_ADDRESS__
constexpr double limit_of_planning = 3;
#else
constexpr double limit_of_planning = 0.5;
#endif

class TunedPlans : public MeasuredPlans {
  protected:
    static TunedPlan find(const std::string& text, const TuningObserver& observer = {},
                          MPI_Comm comm = MPI_COMM_WORLD) {
        core::PlanRequest request = core::parse_plan_request(text);
        const Tuning tuning = request.choice.tuning;
        request.choice.tuning = {};
        const core::Topology nodes = core::NodeRanks(comm).topology(comm);
        return tuned_plan(comm, nodes, request.problem, request.choice, tuning, observer);
    }

    using Reached = std::function<bool(const core::Outcome&)>;

    /// Finds by `tuning=measure` within a limit. On a busy machine it may be over before what is
    /// tested has been reached on rank 0: then the limit is doubled.
    static TunedPlan find_in_time(const std::string& text, double limit, const Reached& reached,
                                  const TuningObserver& observer = {},
                                  MPI_Comm comm = MPI_COMM_WORLD) {
        for (;; limit *= 2) {
            TunedPlan found = find(
                fmt::format("{}; tuning=measure(limit:{},uses:1e9)", text, limit), observer, comm);
            const bool enough = found.outcome && reached(*found.outcome);
            if (core::on_any_rank(MPI_COMM_WORLD, enough) || limit > 50) return found;
            forget_wisdom("*", "*");
        }
    }
};

TEST_F(TunedPlans, AreTheEstimateWithoutTime) {
    const std::string problem = "c2c:f64:12x10x8";
    const std::string estimate = Plan::parse(problem, MPI_COMM_WORLD).text();
    for (const char* tuning : {"estimate", "measure(limit:0)", "exhaustive(limit:1e-9)"}) {
        const Plan plan =
            Plan::parse(fmt::format("{}; tuning={}", problem, tuning), MPI_COMM_WORLD);
        EXPECT_EQ(plan.text(), estimate) << tuning;
    }
    const TunedPlan none = find(problem + "; tuning=measure(limit:0)");
    if (world_rank() == 0) {
        EXPECT_EQ(none.outcome->evaluations, 0);
    }
}

TEST_F(TunedPlans, AreCompleteAndRight) {
    for (const char* text :
         {"c2c:f64:16x12x8; tuning=measure(limit:2)",
          "r2c:f32:12x10x9*2 out=slab(1); tuning=measure(limit:1,arrays:plain,backward:0)",
          "c2r:f64:9x8x7 in_place; via=auto; tuning=measure(limit:1s)",
          "redistribute:3:5x4 in=slab(0) out=slab(1)@10; tuning=measure(limit:1)"}) {
        expect_complete_and_right(text, "tuning", 3);
    }
}

/// Cores of its own are for a rank's threads, those that others may run on as well are shared.
TEST(RankCores, AreThoseThatTheLauncherLeaves) {
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    std::vector<int> all;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &before)) all.push_back(core);
    }
    const core::Topology nodes = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    const auto bind = [](const std::vector<int>& cores) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (const int core : cores) CPU_SET(core, &set);
        EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    };
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    const int first = core::highest(MPI_COMM_WORLD, -all.front());
    const int fewest = -core::highest(MPI_COMM_WORLD, -static_cast<int>(all.size()));
    // Ranks that the launcher has bound to different cores cannot be asked to share them.
    if (core::highest(MPI_COMM_WORLD, all.front()) == -first && level > MPI_THREAD_SINGLE) {
        EXPECT_EQ(core::cores_of_each_rank(MPI_COMM_WORLD, nodes),
                  std::max(1, fewest / world_size()));
    }
    bind({all.front()});
    EXPECT_EQ(core::cores_of_each_rank(MPI_COMM_WORLD, nodes), 1);
    bind(all);
    // One rank that has a single core is enough for all to have one thread.
    if (world_rank() == 0) bind({all.front()});
    EXPECT_EQ(core::cores_of_each_rank(MPI_COMM_WORLD, nodes), 1);
    bind(all);
}

// A rank's share of a cache fits its core's; who asks again is told without the others.
TEST(SharedCache, IsMeasuredOnce) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    {
        const auto pool = core::pool_of(comm);
        const Index share = core::shared_cache(*pool);
        EXPECT_GE(share, 0);
        EXPECT_LT(share, Index{1} << 32);
        EXPECT_EQ(core::known_shared_cache(*pool), share);
        if (world_rank() == 0) {
            EXPECT_EQ(core::shared_cache(*pool), share);
        }
    }
    MPI_Comm_free(&comm);
}

/// The default fails on one rank: it is dropped everywhere, and rank 0 knows why.
TEST_F(TunedPlans, DropWhatFailsOnOneRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank without FFTW has one choice only";
    const std::string estimate = to_string(Plan::parse("c2c:f64:16x12x8", MPI_COMM_WORLD).choice());
    TuningObserver observer;
    observer.before = [&](const Choice& choice) {
        if (world_rank() == world_size() - 1 && to_string(choice) == estimate) {
            throw std::runtime_error("the disk is on fire");
        }
    };
    const TunedPlan found = find_in_time(
        "c2c:f64:16x12x8", 2, [](const core::Outcome& outcome) { return outcome.evaluations > 1; },
        observer);
    EXPECT_NE(to_string(found.plan.choice), estimate);
    if (world_rank() != 0) return;
    const core::Trial& trial = found.outcome->trials.front();
    EXPECT_TRUE(trial.failed);
    EXPECT_NE(trial.dropped.find("the disk is on fire"), std::string::npos) << trial.dropped;
    EXPECT_GT(found.outcome->evaluations, 1);
}

/// A rank that hangs in a run for longer than the limit: the others wait for it, nothing more is
/// run, and all take what was known to be fastest by then.
TEST_F(TunedPlans, AreUsableWhereARankHangsForLongerThanTheLimit) {
    constexpr double limit = 1;
    int runs = 0;
    TuningObserver observer;
    observer.before = [&](const Choice& /*choice*/) {
        if (++runs != 2 || world_rank() != world_size() - 1) return;
        std::this_thread::sleep_for(std::chrono::duration<double>(1.5 * limit));
    };
    const TunedPlan found =
        find(fmt::format("c2c:f64:16x12x8; tuning=measure(limit:{},uses:1e9)", limit), observer);
    core::require_same(MPI_COMM_WORLD, "the plan", [&] { return core::to_string(found.plan); });
    EXPECT_LE(runs, 2);
    if (world_rank() != 0) return;
    // One rank has little to choose from.
    if (world_size() > 1) {
        EXPECT_EQ(found.outcome->ended, "the limit");
    }
    EXPECT_FALSE(found.outcome->trials[found.outcome->winner].failed);
}

/// A shared file beyond the limit would end the process: what needs one is dropped, with a reason.
TEST_F(TunedPlans, AreUsableWithoutSharedMemory) {
    if (world_size() == 1) GTEST_SKIP() << "one rank shares with nobody";
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const bool limited = world_rank() == world_size() - 1;
    // The world's communicators may have kept memory from plans before, which is shared again.
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    const rlimit small{4096, before.rlim_max};
    if (limited) setrlimit(RLIMIT_FSIZE, &small);
    const TunedPlan found = find_in_time(
        "c2c:f64:16x16x16; via=shared", 2,
        [](const core::Outcome& outcome) { return outcome.trials.front().failed; }, {}, fresh);
    const TunedPlan free = find_in_time(
        "c2c:f64:16x16x16", 2,
        [](const core::Outcome& outcome) {
            return !outcome.trials[outcome.winner].seconds.empty();
        },
        {}, fresh);
    EXPECT_NO_THROW(core::mpi_rig(free.plan.problem, free.plan.choice, MPI_COMM_WORLD));
    if (limited) setrlimit(RLIMIT_FSIZE, &before);
    MPI_Comm_free(&fresh);
    for (const TunedPlan* one : {&found, &free}) {
        core::require_same(MPI_COMM_WORLD, "the plan", [&] { return core::to_string(one->plan); });
    }
    if (world_rank() != 0) return;
    const core::Trial& shared = found.outcome->trials.front();
    EXPECT_TRUE(shared.failed) << core::to_string(found.plan);
    EXPECT_NE(shared.dropped.find("via=shared"), std::string::npos) << shared.dropped;
    EXPECT_FALSE(free.outcome->trials[free.outcome->winner].failed);
}

/// What has a plan by its text, but no program, is the same error on every rank.
TEST_F(TunedPlans, AreRefusedWhereNoProgramCanBeMade) {
    if (world_size() == 1) GTEST_SKIP() << "one rank exchanges nothing";
    for (const char* text : {"c2c:f64:8x9x10; carrier=direct; tuning=measure(limit:1)",
                             "c2c:f64:8x9x10; carrier=region; via=alltoallv; tuning=measure"}) {
        expect_collective_error([&] { Plan::parse(text, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                                {"carrier"});
    }
}

/// What a text may not say a program may not ask for.
TEST_F(TunedPlans, AreRefusedWithSenselessWeightsAndLimits) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const auto expect_refused = [](const Tuning& tuning) {
        Choice choice;
        choice.tuning = tuning;
        expect_collective_error(
            [&] { Plan(parse_problem("c2c:f64:8x9x10"), MPI_COMM_WORLD, choice); },
            ErrorCode::bad_request, {"tuning"});
    };
    for (const double weight : {nan, infinity, -1.0, 0.0}) {
        Tuning tuning;
        tuning.effort = TuningEffort::measure;
        tuning.limit = 1;
        tuning.forward = weight;
        tuning.backward = 0;
        expect_refused(tuning);
    }
    for (const double limit : {nan, -1.0}) {
        Tuning tuning;
        tuning.effort = TuningEffort::measure;
        tuning.limit = limit;
        expect_refused(tuning);
    }
}

/// FFTW's transposes agree about times among the ranks, so that a limit of one rank's earlier
/// planning would leave them waiting for ever.
TEST_F(TunedPlans, LeaveFftwNoLimit) {
    core::Failure failure;
    if (world_rank() == 0) {
        const core::PlanningLimit limit(1e3);
        failure = core::attempt([] {
            core::mpi_rig(parse_problem("c2c:f64:31x8x7"), parse_choice("engine=fftw"),
                          MPI_COMM_SELF);
        });
    }
    if (core::on_any_rank(MPI_COMM_WORLD, failure.happened)) GTEST_SKIP() << failure.message;
    try {
        const auto rig = core::mpi_rig(parse_problem("c2c:f64:15x17x7"), parse_choice("via=fftw"),
                                       MPI_COMM_WORLD);
        for (const core::Finding& finding : core::verify(*rig, 3)) {
            EXPECT_TRUE(finding.right()) << finding.check;
        }
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_available) << error.what();
    }
}

/// The native engine plans a prime of a million for many seconds: it gives up on all ranks, and the
/// default is the answer.
TEST_F(TunedPlans, AreUsableWhereAnEnginePlansForLong) {
    const TunedPlan found = find_in_time(
        "c2c:f64:1000003; engine=native", limit_of_planning, [](const core::Outcome& outcome) {
            const core::Trial& trial = outcome.trials.front();
            return trial.dropped.find("planning") != std::string::npos || !trial.seconds.empty();
        });
    core::require_same(MPI_COMM_WORLD, "the plan", [&] { return core::to_string(found.plan); });
    EXPECT_EQ(found.plan.choice.engine, "native");
    if (world_rank() != 0) return;
    const core::Trial& trial = found.outcome->trials.front();
    EXPECT_TRUE(trial.seconds.empty());
    EXPECT_NE(trial.dropped.find("planning"), std::string::npos) << trial.dropped;
}

/// The reference engine takes an hour for it, as it says itself: nothing is started.
TEST_F(TunedPlans, AreUsableWhereARunTakesLongerThanTheLimit) {
    const TunedPlan found = find("c2c:f64:100003*4; engine=reference; tuning=measure(limit:1)");
    if (world_rank() != 0) return;
    EXPECT_TRUE(found.outcome->trials[found.outcome->winner].seconds.empty());
}

/// A file that another process has locked is waited for no longer than the limit, and all ranks
/// are told that nothing is kept.
TEST_F(TunedPlans, TellWhatCannotBeKept) {
    if (world_size() == 1) GTEST_SKIP() << "one rank without FFTW has one choice only";
    std::string folder = testing::TempDir() + "weft-tune-XXXXXX";
    if (world_rank() == 0 && mkdtemp(folder.data()) == nullptr) folder = "no folder";
    folder = core::broadcast_text(MPI_COMM_WORLD, 0, folder);
    setenv("WEFT_WISDOM", (folder + "/wisdom.jsonl").c_str(), 1);
    int lock = -1;
    if (world_rank() == 0) {
        lock = open((folder + "/wisdom.jsonl.lock").c_str(), O_RDWR | O_CREAT, 0666);
        EXPECT_EQ(flock(lock, LOCK_EX), 0);
    }
    const TunedPlan found = find("c2c:f64:12x10x8; tuning=measure(limit:2)");
    if (world_rank() == 0) close(lock);
    int evaluations = found.outcome ? found.outcome->evaluations : 0;
    MPI_Bcast(&evaluations, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (evaluations < 6) GTEST_SKIP() << "a limit of 2 s ends it before there is what to keep";
    core::require_same(MPI_COMM_WORLD, "the troubles",
                       [&] { return fmt::format("{}", fmt::join(found.troubles, "\n")); });
    ASSERT_EQ(found.troubles.size(), 1U);
    EXPECT_NE(found.troubles[0].find("is not kept"), std::string::npos);
    EXPECT_NE(found.troubles[0].find("locked by another process"), std::string::npos);
    EXPECT_EQ(found.troubles[0].find("10.0 seconds"), std::string::npos);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::filesystem::remove_all(folder);
}

TEST_F(TunedPlans, AreUsableWhereAllFail) {
    TuningObserver observer;
    observer.before = [](const Choice&) {
        if (world_rank() == 0) throw std::runtime_error("no");
    };
    const TunedPlan found = find("c2c:f64:8x8; tuning=measure(limit:1)", observer);
    EXPECT_EQ(core::to_string(found.plan), Plan::parse("c2c:f64:8x8", MPI_COMM_WORLD).text());
}

TEST_F(TunedPlans, AreRememberedForFrozenOnes) {
    if (world_size() == 1) GTEST_SKIP() << "one rank without FFTW has one choice only";
    // With little left open there is little to run.
    const std::string asked =
        "c2c:f64:12x12x10; decomposition=slab; engine=native; via=alltoallv; tuning=";
    const auto plan = [&](const char* tuning) {
        return Plan::parse(asked + tuning, MPI_COMM_WORLD).text();
    };
    expect_collective_error([&] { plan("frozen"); }, ErrorCode::not_available, {});
    const std::string found = plan("measure");
    int told = 0;
    const TunedPlan again = find(asked + "measure", {[&](const Choice&) { ++told; }, {}});
    EXPECT_EQ(told, 0);
    EXPECT_EQ(core::to_string(again.plan), found);
}

/// Of files rank 0's counts: the other ranks have none here. What cannot be read or is no
/// description is the same error on every rank.
TEST_F(TunedPlans, GoByTheMachineOfRankZero) {
    std::string folder = testing::TempDir() + "weft-machine-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    if (world_rank() == 0) {
        std::ofstream("here.json") << core::to_json(core::named_machine("summit"));
        std::ofstream("broken.json") << R"({"format": "weft mach)";
    }
    const std::string problem = "c2c:f64:16x12x8; decomposition=slab; via=alltoallv; tuning=";
    const auto text = [&](const std::string& tuning) {
        return Plan::parse(problem + tuning, MPI_COMM_WORLD).text();
    };
    EXPECT_EQ(text("estimate(machine:here.json)"), text("estimate(machine:summit)"));
    const TunedPlan tuned = find(problem + "estimate(machine:here.json)");
    EXPECT_EQ(core::to_string(tuned.plan), text("estimate(machine:summit)"));
    EXPECT_NO_THROW(text("measure(machine:here.json,limit:0)"));
    expect_collective_error([&] { text("estimate(machine:broken.json)"); }, ErrorCode::bad_request,
                            {"broken.json"});
    expect_collective_error([&] { text("measure(machine:missing.json)"); }, ErrorCode::system,
                            {"missing.json", "No such file"});
    expect_collective_error([&] { text("estimate(machine:abacus)"); }, ErrorCode::bad_request,
                            {"abacus", "summit"});
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
}

// A machine's devices are chosen where all ranks have one of that kind.
TEST_F(TunedPlans, GoToDevicesThatAreHere) {
    core::Machine machine = core::named_machine("h100");
    // By a slow host's side devices are faster for arrays of any size. Small ones are planned soon,
    // above all where little is left open.
    for (auto& [name, rates] : machine.engines) rates.rate = 1e5;
    const std::string file = core::broadcast_text(
        MPI_COMM_WORLD, 0,
        (std::filesystem::temp_directory_path() / fmt::format("weft-devices-{}.json", getpid()))
            .string());
    const auto chosen = [&](const std::string& kind, const std::string& tuning) {
        machine.devices->kind = kind;
        if (world_rank() == 0) std::ofstream(file) << core::to_json(machine);
        const std::string text = fmt::format(
            "c2c:f64:8x8; via=alltoallv; pack=sender; engine=native; space=auto; "
            "tuning={}machine:{})",
            tuning, file);
        return Plan::parse(text, MPI_COMM_WORLD).choice().space.device;
    };
    EXPECT_EQ(chosen("fake", "estimate("), "fake");
    EXPECT_EQ(chosen("abacus", "estimate("), "");
    // Whatever is faster; what is found can run.
    const std::string measured = chosen("fake", "measure(limit:1,");
    EXPECT_TRUE(measured.empty() || measured == "fake") << measured;
    if (world_rank() == 0) std::filesystem::remove(file);
    EXPECT_EQ(Plan::parse("c2c:f64:64x64x64; space=auto", MPI_COMM_WORLD).choice().space, Space{});
}

/// The two fastest stay bound, through arrays that grow as well.
TEST(Stopwatch, BindsWhatIsRunAgainOnce) {
    const core::Topology nodes = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    const Problem problem = parse_problem("c2c:f64:7x5x6");
    Stopwatch stopwatch(MPI_COMM_WORLD, nodes, problem, false);
    const auto binding = [&](const char* items) {
        const std::string text = fmt::format("engine=native; {}", items);
        core::RunSeconds took;
        stopwatch(core::make_plan(problem, parse_choice(text), world_size()).choice, {}, took);
        EXPECT_GT(took.forward, 0) << items;
        EXPECT_GT(took.backward, 0) << items;
        return took.binding;
    };
    EXPECT_GT(binding("via=alltoallv"), 0);
    EXPECT_EQ(binding("via=alltoallv"), 0);
    EXPECT_GT(binding("via=isend-waitall"), 0);
    EXPECT_EQ(binding("via=alltoallv"), 0);
    // One rank holds all: on that rank both arrays make room, for all ranks' plans.
    if (world_size() > 1) {
        EXPECT_GT(binding("shrink=1"), 0);
        EXPECT_GT(binding("via=alltoallv"), 0);
    }
}

TEST_F(TunedPlans, AreRefusedWithoutRanks) {
    EXPECT_THROW(Plan::for_ranks(4, "c2c:f64:8x8; tuning=measure"), Error);
    EXPECT_NO_THROW(Plan::for_ranks(4, "c2c:f64:8x8; tuning=estimate"));
    for (const char* bad : {"tuning=fast", "tuning=measure(limit:-1)", "tuning=measure(soon)",
                            "tuning=measure(forward:0,backward:0)", "tuning=measure(forward:1e308)",
                            "tuning=measure(backward:1e-320)", "tuning=measure(forward:nan)",
                            "tuning=measure(forward:inf)", "tuning=measure(backward:-1)",
                            "tuning=estimate(machine:)", "tuning=measure(limit:1,limit:2)",
                            "tuning=measure(uses:0.5)", "tuning=measure(uses:-1)"}) {
        EXPECT_THROW(parse_choice(bad), Error) << bad;
    }
    for (const char* text :
         {"tuning=estimate", "tuning=patient(limit:0.5,arrays:plain)",
          "tuning=measure(limit:2,forward:3,backward:0)", "tuning=estimate(machine:summit)",
          "tuning=measure(limit:2,machine:a/b.json)", "tuning=measure(limit:2,uses:5000)"}) {
        EXPECT_EQ(to_string(parse_choice(text)), text);
    }
}

}  // namespace
}  // namespace weft::test
