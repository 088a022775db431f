// Any communicator; instances that are destroyed in any order, and after MPI_Finalize.
#include <complex>
#include <optional>
#include <vector>

#include "expect.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

Problem small() {
    Problem problem;
    problem.shape = {6, 5, 7};
    return problem;
}

/// A transform with its arrays, filled with ones.
struct Instance {
    Plan plan;
    Array<Complex> in;
    Array<Complex> out;
    Transform transform;

    explicit Instance(MPI_Comm comm, const Problem& problem = small())
        : plan(problem, comm),
          in(plan.in_size()),
          out(plan.out_size()),
          transform(plan.bind(in.data(), out.data())) {
        std::fill(in.begin(), in.end(), Complex(1, 0));
    }
    /// The transform of ones is N at the origin and 0 elsewhere.
    void expect_right() {
        transform.forward();
        double sum = 0;
        for (const Complex& value : out) sum += std::abs(value);
        const auto boxes = plan.out_boxes(plan.rank());
        const bool origin = !boxes.empty() && boxes[0].lo == std::vector<Index>{0, 0, 0};
        EXPECT_NEAR(sum, origin ? 210 : 0, 1e-10);
    }
};

TEST(Communicators, SplitAndReversedOnesWork) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &half);
    {
        Instance instance(half);
        instance.expect_right();
        Instance self(MPI_COMM_SELF);
        self.expect_right();
    }
    MPI_Comm_free(&half);
}

TEST(Communicators, FreedBeforeTheTransformsOfThemAreGone) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    std::optional<Instance> late;
    late.emplace(copy);
    late->expect_right();
    MPI_Comm_free(&copy);
    late.reset();
}

TEST(Communicators, DestroyingIsLocalAndInAnyOrder) {
    for (int round = 0; round < 5; ++round) {
        std::vector<std::optional<Instance>> all(4);
        for (auto& one : all) one.emplace(MPI_COMM_WORLD);
        // Every rank destroys others, in another order.
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::size_t mine =
                (i + static_cast<std::size_t>(world_rank() + round)) % all.size();
            if ((world_rank() + static_cast<int>(mine)) % 2 == 0) all[mine].reset();
        }
        Instance next(MPI_COMM_WORLD);
        next.expect_right();
    }
}

TEST(Communicators, ManyInstancesInTurnDoNotExhaustMpi) {
    // MPICH has about 2000 communicators; each of these would take one or two for good. Open MPI
    // has so many that no test would notice.
    Problem problem;
    problem.shape = {4, 4};
    const Choice quick = parse_choice("effort=estimate");
    // Ranks that share cores wait long for each other, and need not do it as well.
#if defined(OPEN_MPI) || defined(__SANITIZE_ADDRESS__)
    const int instances = 50;
#else
    const int instances = world_size() <= 2 ? 2500 : 50;
#endif
    for (int i = 0; i < instances; ++i) {
        const Plan plan(problem, MPI_COMM_WORLD, quick);
        auto in = allocate<Complex>(plan.in_size());
        auto out = allocate<Complex>(plan.out_size());
        const Transform transform = plan.bind(in.data(), out.data());
    }
}

TEST(Communicators, TransformsMoveAndInterleave) {
    Instance a(MPI_COMM_WORLD);
    Instance b(MPI_COMM_WORLD);
    a.expect_right();
    b.expect_right();
    Transform moved = std::move(a.transform);
    a.transform = std::move(moved);
    a.expect_right();
}

/// Destroyed by the C++ runtime after main has finalised MPI.
std::optional<Instance>& survivor() {
    static std::optional<Instance> instance;
    return instance;
}

TEST(Communicators, OutlivingMpiIsSafe) {
    survivor().emplace(MPI_COMM_WORLD);
    survivor()->expect_right();
}

}  // namespace
}  // namespace weft::test
