// What bind refuses, on every rank alike.
#include <complex>

#include "expect.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

Problem cube(Index n, Kind kind = Kind::c2c) {
    Problem problem;
    problem.kind = kind;
    problem.shape = {n, n, n};
    return problem;
}

/// A pointer that is never followed: bind must refuse before it looks.
template <class T>
T* somewhere(std::uintptr_t address) {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

TEST(Binding, NullArraysAreRefusedOnEveryRank) {
    const Plan plan(cube(8), MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    // Only the last rank is wrong.
    Complex* array = world_rank() == world_size() - 1 ? nullptr : out.data();
    expect_collective_error([&] { plan.bind(in.data(), array); }, ErrorCode::bad_request,
                            {"output array is null"});
}

TEST(Binding, OverlappingArraysAreRefusedOnEveryRank) {
    const Plan plan(cube(8), MPI_COMM_WORLD);
    auto both = allocate<Complex>(plan.in_size() + plan.out_size());
    auto apart = allocate<Complex>(plan.out_size());
    Complex* out = world_rank() == 0 ? both.data() + plan.in_size() / 2 : apart.data();
    expect_collective_error([&] { plan.bind(both.data(), out); }, ErrorCode::bad_request,
                            {"overlap"});
    // Adjacent is not overlapping.
    Transform fine = plan.bind(both.data(), both.data() + plan.in_size());
    fine.forward();
}

TEST(Binding, WrongElementTypesQuoteBoth) {
    const Plan plan(cube(8, Kind::r2c), MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    auto single = allocate<float>(plan.in_size());
    expect_collective_error([&] { plan.bind(in.data(), out.data()); }, ErrorCode::bad_request,
                            {"complex<double>", "needs double"});
    expect_collective_error([&] { plan.bind(single.data(), out.data()); }, ErrorCode::bad_request,
                            {"float", "double"});
}

TEST(Binding, InPlacePlansTakeOneArray) {
    Problem problem = cube(8);
    problem.in_place = true;
    const Plan plan(problem, MPI_COMM_WORLD);
    auto one = allocate<Complex>(plan.in_size());
    auto other = allocate<Complex>(plan.in_size());
    expect_collective_error([&] { plan.bind(one.data(), other.data()); }, ErrorCode::bad_request,
                            {"in place"});
    Transform fine = plan.bind(one.data());
    fine.forward();
}

TEST(Binding, TwoArraysInPlaceAreRefusedWhereOneSideIsEmpty) {
    // Rank 0 owns all of the input, the others only output.
    Problem problem;
    problem.shape = {world_size(), 4};
    problem.in_place = true;
    problem.in = single();
    problem.out = slab(0);
    const Plan plan(problem, MPI_COMM_WORLD);
    auto one = allocate<Complex>(plan.in_size());
    auto other = allocate<Complex>(plan.in_size());
    expect_collective_error([&] { plan.bind(one.data(), other.data()); }, ErrorCode::bad_request,
                            {"in place"});
}

TEST(Binding, AMovedFromTransformSaysSo) {
    const Plan plan(cube(4), MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    Transform first = plan.bind(in.data(), out.data());
    const Transform second = std::move(first);
    EXPECT_THROW(first.forward(), Error);  // NOLINT(bugprone-use-after-move)
}

TEST(Binding, AMovedFromPlanIsStillOne) {
    Plan plan(cube(4), MPI_COMM_WORLD);
    Plan other = std::move(plan);
    // NOLINTBEGIN(bugprone-use-after-move)
    EXPECT_EQ(plan.text(), other.text());
    plan = std::move(other);
    auto in = allocate<Complex>(other.in_size());
    auto out = allocate<Complex>(other.out_size());
    other.bind(in.data(), out.data()).forward();
    // NOLINTEND(bugprone-use-after-move)
}

TEST(Binding, OneArrayForAnOutOfPlacePlanIsRefused) {
    const Plan plan(cube(8), MPI_COMM_WORLD);
    auto one = allocate<Complex>(std::max(plan.in_size(), plan.out_size()));
    expect_collective_error([&] { plan.bind(one.data()); }, ErrorCode::bad_request, {"overlap"});
}

TEST(Binding, MisalignedArraysAreRefused) {
    const Plan plan(cube(8), MPI_COMM_WORLD);
    expect_collective_error(
        [&] { plan.bind(somewhere<Complex>(4097), somewhere<Complex>(1UL << 40U)); },
        ErrorCode::bad_request, {"not aligned"});
}

TEST(Binding, TooLittleMemoryIsToldOnEveryRank) {
    // 64 TiB in all, with arrays that are claimed to exist; a workspace that cannot.
    Problem problem = cube(1 << 14);
    problem.in = slab(0);
    problem.out = slab(0);
    const Plan plan(problem, MPI_COMM_WORLD);
    if (plan.workspace_bytes(0) < (Index{1} << 44)) GTEST_SKIP() << "no huge workspace needed";
    expect_collective_error(
        [&] { plan.bind(somewhere<Complex>(1UL << 12U), somewhere<Complex>(1UL << 50U)); },
        ErrorCode::system, {"not enough memory"});
    EXPECT_THROW(allocate<Complex>(Index{1} << 44), Error);
    EXPECT_THROW(allocate<Complex>(Index{1} << 61), Error);
}

TEST(Binding, PlansWithoutACommunicatorAreRefused) {
    const Plan plan = Plan::for_ranks(4, cube(8));
    auto in = allocate<Complex>(plan.in_size(0));
    auto out = allocate<Complex>(plan.out_size(0));
    EXPECT_THROW(plan.bind(in.data(), out.data()), Error);
}

TEST(Binding, ArraysKeepTheirContents) {
    const Plan plan(cube(8), MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    std::fill(in.begin(), in.end(), Complex(1, 2));
    std::fill(out.begin(), out.end(), Complex(3, 4));
    const Transform transform = plan.bind(in.data(), out.data());
    for (const Complex& value : in) ASSERT_EQ(value, Complex(1, 2));
    for (const Complex& value : out) ASSERT_EQ(value, Complex(3, 4));
}

TEST(Binding, RanksThatOwnNothingMayPassNull) {
    Problem problem;
    problem.shape = {2, 1, 3};
    problem.in = slab(0);
    const Plan plan(problem, MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    std::fill(in.begin(), in.end(), Complex(1, 0));
    Transform transform = plan.bind(plan.in_size() == 0 ? nullptr : in.data(),
                                    plan.out_size() == 0 ? nullptr : out.data());
    transform.forward();
    transform.backward();
    for (const Complex& value : in) EXPECT_NEAR(std::abs(value - Complex(6, 0)), 0, 1e-14);
}

}  // namespace
}  // namespace weft::test
