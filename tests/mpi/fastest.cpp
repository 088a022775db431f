// Methods that are found by measuring: whichever is found, the plan is complete and right.
#include <fmt/format.h>

#include "base/text.hpp"
#include "expect.hpp"
#include "plan/choice.hpp"
#include "plan/plan.hpp"
#include "verify/checks.hpp"

namespace weft::test {
namespace {

/// The plan that is found, which is right and says what it is.
core::Plan expect_right(const std::string& text) {
    const core::PlanRequest asked = core::parse_plan_request(text);
    const auto rig = core::mpi_rig(asked.problem, asked.choice, MPI_COMM_WORLD);
    const std::string found = core::to_string(rig->plan());
    EXPECT_EQ(found.find("auto"), std::string::npos) << found;
    EXPECT_EQ(Plan::parse(found, MPI_COMM_WORLD).text(), found);
    for (const core::Finding& finding : core::verify(*rig, 11)) {
        EXPECT_TRUE(finding.right()) << finding.check << " of " << found;
    }
    return rig->plan();
}

TEST(FastestMethods, MakeACompletePlanThatIsRight) {
    for (const char* text :
         {"c2c:f64:13x11x7; via=auto", "r2c:f32:12x10x9*2 out=slab(1) scale=n/none; via=auto",
          "c2r:f64:9x8x7 in_place; via=auto; decomposition=pencil", "c2c:f64:7; via=auto",
          "redistribute:3:5x4 in=slab(0) out=slab(1)@10 in_place; via=auto"}) {
        expect_right(text);
    }
}

TEST(FastestMethods, SuitWhatIsSaidOfPacking) {
    if (world_size() > 4) GTEST_SKIP() << "a minute where MPI's ranks spin";
    for (const std::string pack : {"sender", "receiver", "datatype", "fft"}) {
        const core::Plan plan =
            expect_right("c2c:f64:16x15x14 cut=block; decomposition=slab; via=auto; pack=" + pack);
        EXPECT_EQ(to_string(plan.choice.pack), pack);
    }
}

TEST(FastestMethods, KeepTheMethodsOfOtherMoves) {
    if (world_size() != 4) GTEST_SKIP() << "needs plans of two redistributions";
    for (const std::string kept : {"alltoallv", "alltoallw"}) {
        const auto found = [&](const char* choice) {
            return expect_right(
                       fmt::format("c2c:f64:9x8x10; decomposition=pencil; {}{}", choice, kept))
                .choice;
        };
        EXPECT_EQ(core::via_of(found("via=auto; via[0]="), 0), kept);
        EXPECT_EQ(core::via_of(found("via=auto; via[1]="), 1), kept);
        EXPECT_EQ(core::via_of(found("via[0]=auto; via="), 1), kept);
    }
}

// What is said of all redistributions need not suit one that is found.
TEST(FastestMethods, AreFoundWhereTheOthersDoNotSuit) {
    if (world_size() == 1) GTEST_SKIP() << "needs plans with a redistribution";
    expect_right("c2c:f64:9x8x10; decomposition=slab; via=alltoallw; via[0]=auto; pack=receiver");
    expect_right("c2c:f64:9x8x10 in=slab(0)@012 out=slab(1)@012; via=fftw-matrix; via[0]=auto");
}

TEST(FastestMethods, AreRefusedForMovesThatAreNot) {
    expect_collective_error(
        [] { const auto refused = Plan::parse("c2c:f64:9x8; via[3]=auto", MPI_COMM_WORLD); },
        ErrorCode::bad_request, {"via[3]", "counted from 0"});
}

}  // namespace
}  // namespace weft::test
