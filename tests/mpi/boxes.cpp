// A caller's own boxes, redistribution, fields in arrays of their own, and lent workspace.
#include <array>
#include <complex>
#include <numeric>

#include "expect.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// Boxes that no slab or pencil has: rank r owns every world_size-th plane, one box each.
std::vector<Box> planes(Index planes, Index n) {
    std::vector<Box> mine;
    for (Index i = world_rank(); i < planes; i += world_size()) {
        mine.push_back({{i, 0}, {i + 1, n}});
    }
    return mine;
}

Problem cyclic(Index n0, Index n1) {
    Problem problem;
    problem.shape = {n0, n1};
    problem.in = own_boxes(collect(planes(n0, n1), MPI_COMM_WORLD));
    problem.out = problem.in;
    return problem;
}

TEST(Boxes, CollectGivesEveryRankTheBoxesOfAll) {
    const std::vector<Box> mine(static_cast<std::size_t>(world_rank()), Box{{1, 2}, {3, 4}});
    const auto all = collect(mine, MPI_COMM_WORLD);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(world_size()));
    for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(all[rank].size(), rank);
    EXPECT_EQ(all[static_cast<std::size_t>(world_rank())], mine);
}

// One mode in, one line of constant modulus out: every element of every box is looked at.
TEST(Boxes, SeveralOfARankAreTransformed) {
    constexpr Index n0 = 11;
    constexpr Index n1 = 6;
    const Plan plan(cyclic(n0, n1), MPI_COMM_WORLD);
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    Transform transform = plan.bind(in.data(), out.data());
    const int rank = plan.rank();
    const auto boxes = plan.in_boxes(rank);
    for (int b = 0; b < static_cast<int>(boxes.size()); ++b) {
        const Box& box = boxes[static_cast<std::size_t>(b)];
        if (box.lo[0] == 3) in[plan.in_offset(rank, b) + 2 * plan.in_strides(rank, b)[1]] = 1;
    }
    transform.forward();
    for (int b = 0; b < static_cast<int>(boxes.size()); ++b) {
        const Index k0 = boxes[static_cast<std::size_t>(b)].lo[0];
        for (Index k1 = 0; k1 < n1; ++k1) {
            const double turns =
                static_cast<double>(3 * k0) / n0 + static_cast<double>(2 * k1) / n1;
            const Complex expected = std::polar(1.0, -2 * 3.141592653589793 * turns);
            const Complex found = out[plan.out_offset(rank, b) + k1];
            EXPECT_NEAR(std::abs(found - expected), 0, 1e-13);
        }
    }
}

TEST(Boxes, ThatDoNotFitAreRefusedOnEveryRank) {
    Problem problem = cyclic(7, 4);
    OwnBoxes::ByRank boxes = problem.in.boxes.by_rank();
    boxes.front().front().hi[0] += 1;
    problem.in.boxes = boxes;
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"overlap in [1:2,0:4]"});
    boxes.front().erase(boxes.front().begin());
    problem.in.boxes = boxes;
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"no rank owns"});
    boxes.emplace_back();
    problem.in.boxes = boxes;
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"boxes are given for"});
}

TEST(Boxes, ThatDifferBetweenRanksAreRefused) {
    if (world_size() == 1) GTEST_SKIP() << "one rank agrees with itself";
    Problem problem = cyclic(7, 4);
    OwnBoxes::ByRank boxes = problem.in.boxes.by_rank();
    if (world_rank() == 1) std::swap(boxes[0], boxes[1]);
    problem.in.boxes = boxes;
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"the ranks disagree"});
}

TEST(Boxes, StridesThatAliasAreRefused) {
    Problem problem = cyclic(7, 4);
    problem.out.strides = {4, 0};
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"strides"});
    problem.in = slab(0);
    problem.out = single();
    problem.out.strides = {3, 1};
    expect_collective_error([&] { const Plan plan(problem, MPI_COMM_WORLD); },
                            ErrorCode::bad_request, {"on top of each other", "3,1"});
}

// The first index of slabs ascends with the rank, other axes are whole, whoever owns something.
TEST(Boxes, OfRanksThatOwnNothingKeepTheOtherAxes) {
    for (const CutRule rule : {CutRule::balanced, CutRule::block}) {
        for (int ranks = 1; ranks <= 13; ++ranks) {
            Problem problem;
            problem.shape = {3, 9, 4};
            problem.in = slab(0);
            problem.out = slab(2);
            problem.out.order = {2, 0, 1};
            problem.cut = rule;
            const Plan plan = Plan::for_ranks(ranks, problem);
            Index next = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const Box in = plan.in_box(rank);
                EXPECT_EQ(in.lo, (std::vector<Index>{next, 0, 0})) << plan.text();
                EXPECT_EQ(in.hi[1], 9);
                EXPECT_EQ(in.hi[2], 4);
                next = in.hi[0];
                EXPECT_EQ(plan.in_boxes(rank).size(), in.empty() ? 0U : 1U);
                EXPECT_EQ(plan.in_strides(rank), (std::vector<Index>{36, 4, 1}));
                const Box out = plan.out_box(rank);
                EXPECT_EQ(out.extents(), (std::vector<Index>{3, 9, out.extent(2)}));
                EXPECT_EQ(plan.out_strides(rank), (std::vector<Index>{9, 1, 27}));
                if (rule == CutRule::balanced) {
                    EXPECT_EQ(out.lo[2], 4 * rank / ranks);
                    EXPECT_EQ(out.hi[2], 4 * (rank + 1) / ranks);
                }
            }
            EXPECT_EQ(next, 3);
        }
    }
    const Plan pencils = Plan::for_ranks(8, "c2c:f64:3x2x7 in=pencil(0:2,1:4) out=single");
    EXPECT_EQ(pencils.in_box(0), (Box{{0, 0, 0}, {1, 0, 7}}));
    EXPECT_EQ(pencils.in_box(6), (Box{{1, 1, 0}, {3, 1, 7}}));
    EXPECT_EQ(pencils.out_box(5), (Box{{3, 0, 0}, {3, 2, 7}}));
}

TEST(Boxes, AskedForByANumberThatIsNoneAreRefused) {
    const Plan plan(cyclic(7, 4), MPI_COMM_WORLD);
    EXPECT_THROW((void)plan.in_strides(0, 99), Error);
    EXPECT_THROW((void)plan.in_offset(0, -1), Error);
    EXPECT_THROW((void)plan.out_box(0, 99), Error);
}

struct Particle {
    std::array<float, 3> position;
    Index number;
};

TEST(Redistribution, MovesElementsOfAnyType) {
    Problem problem;
    problem.kind = Kind::redistribute;
    problem.element_bytes = sizeof(Particle);
    problem.shape = {9, 5};
    problem.in = own_boxes(collect(planes(9, 5), MPI_COMM_WORLD));
    problem.out = slab(1);
    problem.out.order = {1, 0};
    const Plan plan(problem, MPI_COMM_WORLD);
    std::vector<Particle> in(static_cast<std::size_t>(plan.in_size()));
    std::vector<Particle> out(static_cast<std::size_t>(plan.out_size()));
    Transform redistribution = plan.bind(in.data(), out.data());
    std::size_t next = 0;
    for (const Box& box : plan.in_boxes(plan.rank())) {
        for (Index j = 0; j < 5; ++j) {
            in[next++] = {{1, 2, static_cast<float>(j)}, box.lo[0] * 5 + j};
        }
    }
    redistribution.forward();
    for (const Box& box : plan.out_boxes(plan.rank())) {
        const auto stride = plan.out_strides(plan.rank());
        for (Index i = box.lo[0]; i < box.hi[0]; ++i) {
            for (Index j = box.lo[1]; j < box.hi[1]; ++j) {
                const Index at = (i - box.lo[0]) * stride[0] + (j - box.lo[1]) * stride[1];
                const Particle& found = out[static_cast<std::size_t>(at)];
                ASSERT_EQ(found.number, i * 5 + j);
                ASSERT_EQ(found.position[2], static_cast<float>(j));
            }
        }
    }
    std::fill(in.begin(), in.end(), Particle{});
    redistribution.backward();
    for (std::size_t i = 0; i < in.size(); ++i) {
        ASSERT_EQ(in[i].number % 5, static_cast<Index>(i % 5));
    }
}

TEST(Redistribution, OfAnotherElementSizeIsRefused) {
    Problem problem;
    problem.kind = Kind::redistribute;
    problem.element_bytes = 4;
    problem.shape = {8, 8};
    problem.in = slab(0);
    problem.out = slab(1);
    const Plan plan(problem, MPI_COMM_WORLD);
    auto in = allocate<double>(plan.in_size());
    auto out = allocate<double>(plan.out_size());
    expect_collective_error([&] { plan.bind(in.data(), out.data()); }, ErrorCode::bad_request,
                            {"is of double", "4-byte elements"});
}

TEST(InPlace, RealArraysTakeEitherType) {
    Problem problem;
    problem.kind = Kind::r2c;
    problem.shape = {6, 5, 7};
    problem.in_place = true;
    problem.backward_scale.rule = Scale::Rule::by_n;
    const Plan plan(problem, MPI_COMM_WORLD);
    auto array = allocate<double>(plan.in_size());
    EXPECT_LE(2 * plan.out_size() - 1, plan.in_size());
    std::iota(array.begin(), array.end(), 1.0);
    const std::vector<double> before(array.begin(), array.end());
    Transform as_real = plan.bind(array.data());
    const Transform as_complex = plan.bind(reinterpret_cast<Complex*>(array.data()));
    std::copy(before.begin(), before.end(), array.begin());
    as_real.forward();
    as_real.backward();
    const auto stride = plan.in_strides(plan.rank());
    for (const Box& box : plan.in_boxes(plan.rank())) {
        for (Index i = 0; i < box.extent(0) * box.extent(1); ++i) {
            for (Index k = 0; k < 7; ++k) {
                const auto at = static_cast<std::size_t>(i * stride[1] + k);
                ASSERT_NEAR(array[static_cast<Index>(at)], before[at], 1e-10);
            }
        }
    }
    auto single = allocate<float>(plan.in_size());
    expect_collective_error([&] { plan.bind(single.data()); }, ErrorCode::bad_request, {"float"});
}

// The three components of a vector field, each in an array of its own.
TEST(Fields, OfAListAreTransformedByOneCall) {
    Problem problem;
    problem.shape = {8, 9};
    problem.out = slab(0);
    const Plan plan(problem, MPI_COMM_WORLD);
    std::array<Array<Complex>, 3> in;
    std::array<Array<Complex>, 3> out;
    std::vector<Complex*> sources;
    std::vector<Complex*> targets;
    for (std::size_t f = 0; f < 3; ++f) {
        in[f] = allocate<Complex>(plan.in_size());
        out[f] = allocate<Complex>(plan.out_size());
        sources.push_back(in[f].data());
        targets.push_back(out[f].data());
    }
    Transform all = plan.bind(sources, targets);
    for (std::size_t f = 0; f < 3; ++f) {
        std::fill(in[f].begin(), in[f].end(), Complex(static_cast<double>(f) + 1, 0));
    }
    all.forward();
    for (std::size_t f = 0; f < 3; ++f) {
        for (Index i = 0; i < out[f].size(); ++i) {
            const bool mean = world_rank() == 0 && i == 0;
            EXPECT_NEAR(std::abs(out[f][i]), mean ? 72 * (static_cast<double>(f) + 1) : 0, 1e-12);
        }
    }
    std::swap(targets[1], targets[2]);
    targets[1] = targets[0];
    if (plan.out_size() > 0 && world_size() <= 8) {
        expect_collective_error([&] { plan.bind(sources, targets); }, ErrorCode::bad_request,
                                {"output array", "overlap"});
    }
    sources.pop_back();
    expect_collective_error([&] { plan.bind(sources, targets); }, ErrorCode::bad_request,
                            {"2 input arrays and 3 output arrays"});
    if (world_size() == 1) return;
    targets.resize(world_rank() == 0 ? 2 : 1);
    sources.resize(targets.size());
    expect_collective_error([&] { plan.bind(sources, targets); }, ErrorCode::bad_request,
                            {"disagree on the number of fields"});
}

TEST(Workspaces, AreSharedByPlans) {
    Problem problem;
    problem.shape = {10, 12};
    problem.out = slab(0);
    problem.backward_scale.rule = Scale::Rule::by_n;
    const Plan one(problem, MPI_COMM_WORLD);
    problem.shape = {15, 8};
    const Plan two(problem, MPI_COMM_WORLD);
    const int rank = one.rank();
    const Index bytes = std::max(one.workspace_bytes(rank), two.workspace_bytes(rank));
    // What lies behind the promised bytes stays.
    auto memory = allocate<unsigned char>(bytes + 64);
    std::fill(memory.begin(), memory.end(), static_cast<unsigned char>(0xab));
    const Workspace workspace{memory.data(), bytes};
    for (const Plan* plan : {&one, &two, &one}) {
        auto in = allocate<Complex>(plan->in_size());
        auto out = allocate<Complex>(plan->out_size());
        Transform transform = plan->bind(in.data(), out.data(), workspace);
        std::fill(in.begin(), in.end(), Complex(2, 1));
        transform.forward();
        transform.backward();
        for (const Complex& value : in) ASSERT_NEAR(std::abs(value - Complex(2, 1)), 0, 1e-13);
    }
    for (Index i = bytes; i < memory.size(); ++i) ASSERT_EQ(memory[i], 0xab);
}

TEST(Workspaces, ThatDoNotDoAreRefusedOnEveryRank) {
    Problem problem;
    problem.shape = {16, 16 * world_size()};
    problem.in = slab(1);
    problem.out = slab(1);
    const Plan plan(problem, MPI_COMM_WORLD, {.via = "alltoallv", .pack = Pack::sender});
    const Index bytes = plan.workspace_bytes(plan.rank());
    if (bytes == 0) GTEST_SKIP() << "the plan needs no workspace";
    auto in = allocate<Complex>(plan.in_size());
    auto out = allocate<Complex>(plan.out_size());
    auto memory = allocate<unsigned char>(bytes + 64);
    const bool last = world_rank() == world_size() - 1;
    expect_collective_error(
        [&] {
            plan.bind(in.data(), out.data(), {memory.data(), bytes - (last ? 1 : 0)});
        },
        ErrorCode::bad_request,
        {"workspace has", std::to_string(plan.workspace_bytes(world_size() - 1))});
    expect_collective_error(
        [&] {
            plan.bind(in.data(), out.data(), {memory.data() + (last ? 8 : 0), bytes + 8});
        },
        ErrorCode::bad_request, {"not aligned to 64"});
    expect_collective_error(
        [&] {
            plan.bind(in.data(), out.data(), {nullptr, bytes});
        },
        ErrorCode::bad_request, {"workspace is null"});
    expect_collective_error(
        [&] {
            plan.bind(in.data(), out.data(), {in.data(), bytes});
        },
        ErrorCode::bad_request, {"the workspace and the input array overlap"});
}

}  // namespace
}  // namespace weft::test
