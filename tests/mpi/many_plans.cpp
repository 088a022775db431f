// Transforms of one communicator that exist together, by the thousand.
#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exchange/via.hpp"
#include "expect.hpp"
#include "flight.hpp"
#include "net/mpi.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// A transform of elements that are all one number, by which it is told from the others.
class Constant {
  public:
    Constant(const Plan& plan, int number)
        : in_(plan.in_size()),
          out_(plan.out_size()),
          transform_(plan.bind(in_.data(), out_.data())),
          boxes_(plan.out_boxes(plan.rank())),
          text_(plan.text()) {
        std::fill(in_.begin(), in_.end(), Complex(number, 1));
        expected_ = Complex(number, 1);
        for (const Index n : plan.problem().shape) expected_ *= static_cast<double>(n);
    }
    void start() { transform_.start_forward(); }
    void wait() { transform_.wait(); }
    /// The number of elements times the number, at the origin.
    [[nodiscard]] bool is_right() const {
        const bool origin = !boxes_.empty() && boxes_.front().lo == std::vector<Index>{0, 0, 0};
        Complex sum = 0;
        for (const Complex& one : out_) sum += one;
        return std::abs(sum - (origin ? expected_ : Complex(0))) < 1e-6;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::vector<Complex> in_;
    std::vector<Complex> out_;
    Transform transform_;
    std::vector<Box> boxes_;
    std::string text_;
    Complex expected_;
};

using Constants = std::vector<std::unique_ptr<Constant>>;

/// So many where MPI has few communicators (MPICH), processes have a core each, and sanitizers do
/// not look on.
int many(int most) {
#ifdef __SANITIZE_ADDRESS__
    return std::min(most, 20);
#elif defined(OPEN_MPI)
    return std::min(most, 200);
#else
    return world_size() > 2 ? std::min(most, 20) : most;
#endif
}

void add(Constants& all, const std::string& text, int count) {
    const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) {
        all.push_back(std::make_unique<Constant>(plan, static_cast<int>(all.size())));
    }
}

/// Some at a time, since whoever waits for one looks at all. Each rank waits in another order.
void expect_right_together(const Constants& all) {
    constexpr std::size_t together = 100;
    std::vector<Constant*> left;
    for (const auto& one : all) left.push_back(one.get());
    core::Random(1).shuffle(left);
    core::Random of_rank(static_cast<std::uint64_t>(world_rank()) + 2);
    while (!left.empty()) {
        const auto first =
            left.end() - static_cast<std::ptrdiff_t>(std::min(together, left.size()));
        std::vector<Constant*> started(first, left.end());
        left.erase(first, left.end());
        for (Constant* one : started) one->start();
        of_rank.shuffle(started);
        for (Constant* one : started) one->wait();
        for (const Constant* one : started) ASSERT_TRUE(one->is_right()) << one->text();
    }
}

TEST(ManyPlans, ThousandsAreAliveTogether) {
    // More than MPICH has communicators.
    Constants all;
    for (const char* text :
         {"c2c:f64:4x4x2; effort=estimate", "c2c:f64:4x4x2; effort=estimate; decomposition=pencil",
          "c2c:f64:4x4x2; effort=estimate; via=isend-waitall",
          "c2c:f64:4x4x2; effort=estimate; via=persistent(pairwise)"}) {
        add(all, text, many(600));
    }
    expect_right_together(all);
}

TEST(ManyPlans, ThoseOfEveryMethodShareWhatMpiHasFewOf) {
    Constants all;
    for (const core::Method& method : core::methods()) {
        const std::string name(method.name);
        const bool runs = core::why_unavailable(core::parse_via(name).how()).empty();
        if (!runs || !expected_here(name) || name == "fftw-matrix") continue;
        for (const char* decomposition : {"slab", "pencil"}) {
            add(all,
                "c2c:f64:4x4x2; effort=estimate; decomposition=" + std::string(decomposition) +
                    "; via=" + name,
                many(70));
        }
    }
    expect_right_together(all);
    expect_right_together(all);
}

TEST(ManyPlans, CommunicatorsMayBeFreedBeforePlansAgainAndAgain) {
    // Each would take its communicators for good.
    const int rounds = many(1100);
    std::unique_ptr<Constant> last;
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        const Plan plan = Plan::parse("c2c:f64:4x4x2; effort=estimate; via=isend-waitall", copy);
        MPI_Comm_free(&copy);
        last = std::make_unique<Constant>(plan, round);
        if (round % 100 != 0) continue;
        last->start();
        last->wait();
        ASSERT_TRUE(last->is_right());
    }
}

TEST(ManyPlans, TransformsOfAFreedCommunicatorArePlannedBoundAndRun) {
    for (const char* via :
         {"shared", "alltoallv", "ialltoall", "ialltoallv", "one-sided", "persistent"}) {
        if (!expected_here(via)) continue;
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        const Plan plan = Plan::parse(std::string("c2c:f64:6x5x7; via=") + via, copy);
        Constant before(plan, 1);
        MPI_Comm_free(&copy);
        Constant after(plan, 2);
        for (Constant* one : {&before, &after}) {
            one->start();
            one->wait();
            EXPECT_TRUE(one->is_right()) << via;
        }
    }
}

}  // namespace
}  // namespace weft::test
