// Ranks whose address space ends: all ranks go on, by other means if need be, or all get the same
// error; none hangs, and nothing stays in shared memory.
#include <sys/resource.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "expect.hpp"
#include "outcome.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// Bytes of addresses that this process uses.
rlim_t used_addresses() {
    std::ifstream about("/proc/self/statm");
    rlim_t pages = 0;
    about >> pages;
    return pages * 4096;
}

/// As long as it lives, this process has so many addresses more than it uses now.
class AddressLimit {
  public:
    explicit AddressLimit(std::optional<rlim_t> more) {
        getrlimit(RLIMIT_AS, &before_);
        rlimit now = before_;
        if (more) now.rlim_cur = used_addresses() + *more;
        setrlimit(RLIMIT_AS, &now);
    }
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

  private:
    rlimit before_{};
};

/// Binds a plan on a communicator of its own, so that it finds no memory of earlier ones, and
/// transforms if all ranks could: ones, of which comes N at the origin and 0 elsewhere.
Outcome run(const std::string& text, std::optional<rlim_t> more_addresses) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Outcome outcome;
    {
        const Plan plan = Plan::parse(text, comm);
        std::vector<Complex> in(static_cast<std::size_t>(plan.in_size()), Complex(1, 0));
        std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()), Complex(7, 7));
        std::optional<Transform> transform;
        {
            const AddressLimit limit(more_addresses);
            outcome = outcome_of([&] { transform.emplace(plan.bind(in.data(), out.data())); });
        }
        if (transform) transform->forward();
        double sum = 0;
        if (transform) {
            for (const Complex& value : out) sum += std::abs(value);
        }
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double elements = 1;
        for (const Index extent : plan.problem().shape) elements *= static_cast<double>(extent);
        EXPECT_NEAR(sum, outcome.fine() ? elements : 0, 1e-6) << "the transform is wrong";
    }
    MPI_Comm_free(&comm);
    return outcome;
}

/// Everybody's windows together take 16 MB for the first problem.
constexpr auto problem = "c2c:f64:128x128x64";
constexpr rlim_t kilobyte = 1000;

TEST(Limits, TooFewAddressesAreAnErrorOrNoneOnAllRanks) {
    run(problem, {});  // MPI makes what it needs at first.
    const std::vector<std::string> before = shared_memory_files();
    int succeeded = 0;
    int failed = 0;
    for (const rlim_t more : {200, 1000, 4000, 9000, 14000, 18000, 23000, 29000, 40000, 90000}) {
        for (const int limited : {-1, world_size() - 1}) {
            const bool here = limited == -1 || limited == world_rank();
            const Outcome outcome =
                run(problem, here ? std::optional<rlim_t>(more * kilobyte) : std::nullopt);
            expect_same(outcome, std::to_string(more) + " kB");
            EXPECT_TRUE(outcome.fine() || outcome.code == static_cast<int>(ErrorCode::system))
                << outcome.text;
            ++(outcome.fine() ? succeeded : failed);
        }
    }
    EXPECT_GT(succeeded, 0);
    // One rank alone needs no memory besides its arrays.
    EXPECT_EQ(failed > 0, world_size() > 1);
    EXPECT_TRUE(run(problem, {}).fine());
    EXPECT_EQ(shared_memory_files(), before);
}

/// Nothing stands in for shared memory that is asked for by name.
TEST(Limits, SharedMemoryThatIsAskedForIsNotReplaced) {
    if (world_size() == 1) GTEST_SKIP() << "one rank shares with nobody";
    const std::string by_name = std::string(problem) + "; via=shared";
    run(by_name, {});
    const bool limited = world_rank() == world_size() - 1;
    const Outcome outcome =
        run(by_name, limited ? std::optional<rlim_t>(1000 * kilobyte) : std::nullopt);
    expect_same(outcome, by_name);
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::system));
    EXPECT_NE(outcome.text.find("via=shared"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("ulimit -v"), std::string::npos) << outcome.text;
}

}  // namespace
}  // namespace weft::test
