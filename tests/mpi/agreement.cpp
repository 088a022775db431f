// Ranks that disagree, and ranks that fail, give every rank the same error with both values.
#include "collectives.hpp"
#include "expect.hpp"
#include "set_variable.hpp"

namespace weft::test {
namespace {

Problem cube_of(Index n) {
    Problem problem;
    problem.shape = {n, n, n};
    return problem;
}

TEST(Agreement, DifferentShapesAreQuotedOnEveryRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
    const bool last = world_rank() == world_size() - 1;
    expect_collective_error(
        [&] { Plan(cube_of(last ? 12 : 10), MPI_COMM_WORLD); }, ErrorCode::bad_request,
        {"rank 0 has 'c2c:f64:10x10x10 in=free out=free', rank " +
         std::to_string(world_size() - 1) + " has 'c2c:f64:12x12x12 in=free out=free';"});
}

TEST(Agreement, DifferentChoicesAreQuotedOnEveryRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
    const std::string mine = world_rank() == 1 ? "via=alltoallw" : "via=alltoallv";
    expect_collective_error([&] { Plan(cube_of(8), MPI_COMM_WORLD, parse_choice(mine)); },
                            ErrorCode::bad_request, {"alltoallv", "alltoallw", "rank 1"});
}

TEST(Agreement, DifferentWiresAreQuotedOnEveryRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
    const std::string mine = world_rank() == 1 ? "via=alltoallv; wire=f32" : "via=alltoallv";
    expect_collective_error([&] { Plan(cube_of(8), MPI_COMM_WORLD, parse_choice(mine)); },
                            ErrorCode::bad_request, {"rank 1 has", "wire=f32"});
}

TEST(Agreement, DifferentTextsAreQuotedOnEveryRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
    const std::string text = world_rank() == 0 ? "c2c:f64:8x8" : "c2c:f32:8x8";
    expect_collective_error([&] { Plan::parse(text, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"c2c:f64:8x8", "c2c:f32:8x8"});
}

TEST(Agreement, SenselessVariablesOfOneRankFailOnEveryRank) {
    const bool last = world_rank() == world_size() - 1;
    for (const char* name : {"WEFT_RANKS_PER_NODE", "WEFT_WINDOWS", "WEFT_DEVICE_PIN",
                             "WEFT_DEVICE_GRAPHS", "WEFT_DEVICE_MPI"}) {
        const SetVariable one(name, last ? "foo" : nullptr);
        expect_collective_error([] { Plan(cube_of(8), MPI_COMM_WORLD); }, ErrorCode::bad_request,
                                {std::string(name) + " is 'foo', but can be "});
    }
    const SetVariable space("WEFT_SPACE", last ? "foo" : nullptr);
    expect_collective_error([] { Plan(cube_of(8), MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"WEFT_SPACE is 'foo': ", "there are host"});
}

TEST(Agreement, TheMachineThatRank0NamesCounts) {
    if (world_size() == 1) GTEST_SKIP() << "one rank cannot disagree";
    SetVariable machine("WEFT_MACHINE", world_rank() == 0 ? nullptr : "nowhere");
    EXPECT_EQ(Plan(cube_of(8), MPI_COMM_WORLD).ranks(), world_size());
    machine.set(world_rank() == 0 ? "nowhere" : nullptr);
    expect_collective_error([] { Plan(cube_of(8), MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"nowhere"});
}

TEST(Agreement, PlanningTakesTwoReductionsOnAKnownCommunicator) {
    const SetVariable none("WEFT_MACHINE", nullptr);
    const Plan first(cube_of(8), MPI_COMM_WORLD);
    reset_collectives();
    const Plan next(cube_of(6), MPI_COMM_WORLD);
    EXPECT_EQ(collectives(), 2);
}

TEST(Agreement, BindingAgainMakesNoCommunicator) {
    // The reductions on which binding agrees step by step, whatever the transport.
    constexpr int most = 9;
    for (const char* via : {"alltoallv", "isend-waitall"}) {
        const Plan plan(cube_of(8), MPI_COMM_WORLD, parse_choice(std::string("via=") + via));
        if (!plan.choice().space.device.empty()) GTEST_SKIP() << "a device takes more steps";
        (void)plan.bind();
        reset_collectives();
        (void)plan.bind();
        EXPECT_LE(collectives(), most) << via;
    }
}

TEST(Agreement, SenselessVariablesThatChangeAfterPlanningFailOnEveryRank) {
    if (world_size() == 1) GTEST_SKIP() << "one rank shares no memory";
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // it has no shared memory yet
    const Plan plan(cube_of(8), comm, parse_choice("via=shared"));
    const SetVariable one("WEFT_WINDOWS", world_rank() == 1 ? "foo" : nullptr);
    expect_collective_error([&] { (void)plan.bind(); }, ErrorCode::bad_request,
                            {"rank 1: WEFT_WINDOWS is 'foo', but can be mpi"});
    MPI_Comm_free(&comm);
}

TEST(Agreement, BadProblemsFailOnEveryRank) {
    expect_collective_error([] { Plan(cube_of(0), MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"0x0x0", "at least 1"});
    expect_collective_error([] { Plan(cube_of(-4), MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"-4"});
    expect_collective_error([] { Plan(Problem{}, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"0 dimensions"});
}

TEST(Agreement, ImpossibleGridsFailOnEveryRank) {
    Problem problem = cube_of(8);
    const int parts = world_size() + 1;
    problem.in = grid({parts, 1, 1});
    expect_collective_error([&] { Plan(problem, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {std::to_string(parts), std::to_string(world_size()) + " ranks"});
    expect_collective_error(
        [&] {
            Plan(cube_of(8), MPI_COMM_WORLD,
                 parse_choice("decomposition=pencil(" + std::to_string(parts) + "x3)"));
        },
        ErrorCode::bad_request, {std::to_string(parts * 3)});
}

TEST(Agreement, UnknownAndMissingEnginesAreTold) {
    expect_collective_error([] { Plan(cube_of(4), MPI_COMM_WORLD, parse_choice("engine=abacus")); },
                            ErrorCode::bad_request, {"abacus", "reference"});
}

TEST(Agreement, TextsOfOtherRankCountsAreRefused) {
    const std::string ranks = std::to_string(world_size() + 2);
    expect_collective_error([&] { Plan::parse("c2c:f64:8x8; ranks=" + ranks, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {ranks, std::to_string(world_size())});
}

TEST(Agreement, AFailedPlanLeavesTheCommunicatorUsable) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_THROW(Plan(cube_of(0), MPI_COMM_WORLD), Error);
        const Plan plan(cube_of(4), MPI_COMM_WORLD);
        EXPECT_EQ(plan.ranks(), world_size());
    }
}

TEST(Agreement, MalformedChoicesFailOnEveryRank) {
    const auto refused = [](const Choice& choice, const std::string& text) {
        expect_collective_error([&] { Plan(cube_of(8), MPI_COMM_WORLD, choice); },
                                ErrorCode::bad_request, {text});
    };
    Choice choice;
    choice.decomposition.path = {{0, 1}};
    refused(choice, "process grid");
    choice = {};
    choice.decomposition.cuts = -2;
    refused(choice, "-2 cuts");
    choice = {};
    choice.decomposition.cuts = 2;
    choice.decomposition.grid = {-1, -world_size()};
    refused(choice, "no factor -1");
    choice = {};
    choice.chunk = 0;
    refused(choice, "chunk=0");
    choice = {};
    choice.via_of_redistribution[5] = "alltoallw";
    refused(choice, "via[5]");
}

TEST(Agreement, MalformedLayoutsFailOnEveryRank) {
    Problem problem = cube_of(8);
    problem.in = slab(0);
    problem.in.parts = {1, 2};
    expect_collective_error([&] { Plan(problem, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"1 axes are cut, but 2"});
    problem = cube_of(8);
    problem.kind = static_cast<Kind>(7);
    expect_collective_error([&] { Plan(problem, MPI_COMM_WORLD); }, ErrorCode::bad_request,
                            {"kind"});
}

TEST(Agreement, IntercommunicatorsAreRefused) {
    if (world_size() == 1) GTEST_SKIP() << "needs two groups";
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm both = MPI_COMM_NULL;
    const int side = world_rank() % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, world_rank(), &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 3, &both);
    expect_collective_error([&] { Plan(cube_of(4), both); }, ErrorCode::bad_request,
                            {"MPI_Intercomm_merge"});
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

TEST(Agreement, NullCommunicatorsAreRefused) {
    try {
        const Plan plan(cube_of(4), MPI_COMM_NULL);
        ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request);
        EXPECT_NE(std::string(error.what()).find("MPI_COMM_NULL"), std::string::npos);
    }
}

}  // namespace
}  // namespace weft::test
