#include "measure/profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <numeric>

#include "memory/buffer.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "testing/net/local.hpp"

namespace weft::cli {

using namespace core;

namespace {

Plan plan_of(const std::string& text) {
    PlanRequest request = parse_plan_request(text);
    request.choice.engine = "reference";
    return make_plan(request.problem, request.choice, request.ranks);
}

/// One letter for each operation of rank 0: fft, pack, exchange, unpack, other.
std::string letters(const Program& program) {
    std::string text;
    for (const Phase phase : phases(program)) text += "fpxuo"[static_cast<std::size_t>(phase)];
    return text;
}

std::string forward(const std::string& text) { return letters(Programs(plan_of(text), 0).forward); }

TEST(Profile, OneRankOnlyTransforms) { EXPECT_EQ(forward("c2c:f64:6x8x10; ranks=1"), "f"); }

// The exchange goes from its post over the rank's own block to the drain.
TEST(Profile, CopiesBeforeAnExchangePackAndThoseAfterUnpack) {
    EXPECT_EQ(forward("c2c:f64:4x4x4 in=slab(0) out=slab(1); ranks=2"), "fpxxxf");
    EXPECT_EQ(forward("c2c:f64:4x4x4 in=slab(1) out=slab(0); ranks=2"), "fxxxuf");
    EXPECT_EQ(forward("c2c:f64:4x4x4 in=slab(1) out=slab(2); ranks=2"), "fpxxxuf");
    EXPECT_EQ(forward("c2c:f64:4x4x4 in=slab(1) out=slab(2); ranks=2; via=alltoallw"), "fxxxf");
}

TEST(Profile, EveryMoveStartsAnew) {
    EXPECT_EQ(forward("c2c:f64:4x4x4 in=slab(0) out=slab(0); ranks=2; via=alltoallw"), "fxxxfxxx");
}

TEST(Profile, ScalingAndPermutingInPlaceAreOther) {
    EXPECT_EQ(forward("c2c:f64:6x8 scale=n/none; ranks=1"), "fo");
    EXPECT_EQ(forward("c2c:f64:6x8 out=slab(0)@10 in_place; ranks=1"), "of");
}

TEST(Profile, ARunIsTheTransformAndItsTimesAddUp) {
    const Plan plan = plan_of("c2c:f64:4x2 scale=2/none; ranks=1; engine=reference");
    const Programs programs(plan, 0);
    using Complex = std::complex<double>;
    std::array<Complex, 8> in{1.0};
    std::array<Complex, 8> out{};
    LocalWorld world(1, {});
    const std::unique_ptr<Net> net = world.net(0);
    programs.join(*net);
    programs.share(*net);
    const Buffer workspace(programs.memory.workspace_bytes);
    Team team(1);
    const core::Workers workers{team};
    core::EnginePlans plans(core::engine(plan.choice.engine), plan.choice.effort, workers);
    Executor executor(programs.forward,
                      {reinterpret_cast<std::byte*>(in.data()),
                       reinterpret_cast<std::byte*>(out.data()), workspace.data()},
                      plans, workers, *net);
    const Profile times = profile(executor, phases(programs.forward));
    for (const Complex& value : out) EXPECT_EQ(value, 2.0);
    const double sum = std::accumulate(times.seconds.begin(), times.seconds.end(), 0.0);
    EXPECT_NEAR(sum, times.total, 1e-9);
    EXPECT_GE(times.of(Phase::fft), 0);
    EXPECT_EQ(times.of(Phase::exchange), 0);
}

}  // namespace

}  // namespace weft::cli
