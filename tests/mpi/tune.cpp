// Plans that are found by timing: complete, the same on all ranks, in the limit.
#include "api/tune.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "api/wisdom_store.hpp"
#include "expect.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"
#include "plan/choice.hpp"
#include "verify/checks.hpp"

namespace weft::test {
namespace {

/// Seconds that tuning may take beyond its limit. Sanitized, planning alone takes longer.
#ifdef __SANITIZE_ADDRESS__
constexpr double beyond_limit = 5;
#else
constexpr double beyond_limit = 0.5;
#endif

/// Nothing is known, and no file is looked at.
class TunedPlans : public testing::Test {
  protected:
    void SetUp() override {
        setenv("WEFT_WISDOM", "", 1);
        forget_wisdom("*", "*");
    }
    void TearDown() override {
        forget_wisdom("*", "*");
        unsetenv("WEFT_WISDOM");
    }
    static TunedPlan find(const std::string& text, const TuningObserver& observer = {}) {
        core::PlanRequest request = core::parse_plan_request(text);
        const Tuning tuning = request.choice.tuning;
        request.choice.tuning = {};
        const core::Topology nodes = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
        return tuned_plan(MPI_COMM_WORLD, nodes, request.problem, request.choice, tuning, observer);
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
        const double start = MPI_Wtime();
        const core::PlanRequest asked = core::parse_plan_request(text);
        const auto rig = core::mpi_rig(asked.problem, asked.choice, MPI_COMM_WORLD);
        EXPECT_LT(MPI_Wtime() - start, asked.choice.tuning.limit + beyond_limit) << text;
        std::string found = core::to_string(rig->plan());
        EXPECT_EQ(found.find("tuning"), std::string::npos) << found;
        EXPECT_EQ(Plan::parse(found, MPI_COMM_WORLD).text(), found);
        core::require_same(MPI_COMM_WORLD, "the plan", [&] { return found; });
        for (const core::Finding& finding : core::verify(*rig, 3)) {
            EXPECT_TRUE(finding.right()) << finding.check << " of " << found;
        }
    }
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
    const TunedPlan found = find("c2c:f64:16x12x8; tuning=measure(limit:2)", observer);
    EXPECT_NE(to_string(found.plan.choice), estimate);
    if (world_rank() != 0) return;
    const core::Trial& trial = found.outcome->trials.front();
    EXPECT_TRUE(trial.failed);
    EXPECT_NE(trial.dropped.find("the disk is on fire"), std::string::npos) << trial.dropped;
    EXPECT_GT(found.outcome->evaluations, 1);
}

/// The native engine plans a prime of a million for many seconds: it gives up on all ranks, and the
/// default is the answer.
TEST_F(TunedPlans, AreUsableWhereAnEnginePlansForLong) {
    const TunedPlan found = find("c2c:f64:1000003; engine=native; tuning=measure(limit:0.5)");
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
    const TunedPlan found = find("c2c:f64:12x10x8; tuning=measure(limit:4)");
    if (world_rank() == 0) close(lock);
    int evaluations = found.outcome ? found.outcome->evaluations : 0;
    MPI_Bcast(&evaluations, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (evaluations < 6) GTEST_SKIP() << "a limit of 4 s ends it before there is what to keep";
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
    const auto plan = [](const char* tuning) {
        return Plan::parse(fmt::format("c2c:f64:12x12x10; tuning={}", tuning), MPI_COMM_WORLD)
            .text();
    };
    expect_collective_error([&] { plan("frozen"); }, ErrorCode::not_available, {});
    const std::string found = plan("measure");
    int told = 0;
    const TunedPlan again =
        find("c2c:f64:12x12x10; tuning=measure", {[&](const Choice&) { ++told; }, {}});
    EXPECT_EQ(told, 0);
    EXPECT_EQ(core::to_string(again.plan), found);
}

TEST_F(TunedPlans, AreRefusedWithoutRanks) {
    EXPECT_THROW(Plan::for_ranks(4, "c2c:f64:8x8; tuning=measure"), Error);
    EXPECT_NO_THROW(Plan::for_ranks(4, "c2c:f64:8x8; tuning=estimate"));
    for (const char* bad : {"tuning=fast", "tuning=measure(limit:-1)", "tuning=measure(soon)",
                            "tuning=measure(forward:0,backward:0)", "tuning=measure(forward:1e308)",
                            "tuning=measure(backward:1e-320)", "tuning=measure(forward:nan)",
                            "tuning=measure(forward:inf)", "tuning=measure(backward:-1)"}) {
        EXPECT_THROW(parse_choice(bad), Error) << bad;
    }
    for (const char* text : {"tuning=estimate", "tuning=patient(limit:0.5,arrays:plain)",
                             "tuning=measure(limit:2,forward:3,backward:0)"}) {
        EXPECT_EQ(to_string(parse_choice(text)), text);
    }
}

}  // namespace
}  // namespace weft::test
