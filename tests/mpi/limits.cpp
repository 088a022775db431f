// Ranks whose address space ends: all ranks go on, by other means if need be, or all get the same
// error; none hangs, and nothing stays in shared memory.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <functional>
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

/// A soft limit of this process, as long as it lives.
class Limit {
  public:
    using Resource = decltype(RLIMIT_AS);

    Limit(Resource resource, rlim_t most) : resource_(resource) {
        getrlimit(resource, &before_);
        const rlimit now{most, before_.rlim_max};
        setrlimit(resource, &now);
    }
    ~Limit() { setrlimit(resource_, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

  private:
    Resource resource_;
    rlimit before_{};
};

/// Limits this process for the time of a call, or does nothing.
using SetLimit = std::function<void(std::optional<Limit>&)>;

void no_limit(std::optional<Limit>& /*limit*/) {}

SetLimit addresses(rlim_t more) {
    return
        [more](std::optional<Limit>& limit) { limit.emplace(RLIMIT_AS, used_addresses() + more); };
}

bool windows_are_of_mpi() { return std::getenv("WEFT_WINDOWS") != nullptr; }

/// Whether this process has mapped shared memory of weft's own.
bool has_weft_memory() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("memfd:weft") != std::string::npos) return true;
    }
    return false;
}

/// How the last bind went.
struct Run {
    Outcome outcome;
    bool shared = false;  ///< through weft's own memory
};

/// Binds a plan on a communicator of its own, so that it finds no memory of earlier ones, and
/// transforms if all ranks could: ones, of which comes N at the origin and 0 elsewhere.
Run run(const std::string& text, const SetLimit& set_limit) {
    const std::vector<std::string> before = shared_memory_files();
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Run result;
    Outcome& outcome = result.outcome;
    {
        const Plan plan = Plan::parse(text, comm);
        std::vector<Complex> in(static_cast<std::size_t>(plan.in_size()), Complex(1, 0));
        std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()), Complex(7, 7));
        std::optional<Transform> transform;
        {
            const std::function<void()> bind = [&] {
                transform.emplace(plan.bind(in.data(), out.data()));
            };
            std::optional<Limit> limit;
            set_limit(limit);
            outcome = outcome_of(bind);
        }
        // What has no name in /dev/shm does not stay there when a process is killed.
        if (!windows_are_of_mpi()) {
            EXPECT_EQ(shared_memory_files(), before);
        }
        result.shared = has_weft_memory();
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
    return result;
}

/// Everybody's regions together take 16 MB for the first problem.
constexpr auto problem = "c2c:f64:128x128x64";
constexpr rlim_t kilobyte = 1000;

TEST(Limits, TooFewAddressesAreAnErrorOrNoneOnAllRanks) {
    run(problem, no_limit);  // MPI makes what it needs at first.
    const std::vector<std::string> before = shared_memory_files();
    int succeeded = 0;
    int failed = 0;
    for (const rlim_t more : {200, 1000, 4000, 9000, 14000, 18000, 23000, 29000, 40000, 90000}) {
        for (const int limited : {-1, world_size() - 1}) {
            const bool here = limited == -1 || limited == world_rank();
            const auto [outcome, shared] =
                run(problem, here ? addresses(more * kilobyte) : no_limit);
            expect_same(outcome, std::to_string(more) + " kB");
            EXPECT_TRUE(outcome.fine() || outcome.code == static_cast<int>(ErrorCode::system))
                << outcome.text;
            ++(outcome.fine() ? succeeded : failed);
        }
    }
    EXPECT_GT(succeeded, 0);
    // One rank alone needs no memory besides its arrays.
    EXPECT_EQ(failed > 0, world_size() > 1);
    EXPECT_TRUE(run(problem, no_limit).outcome.fine());
    EXPECT_EQ(shared_memory_files(), before);
}

/// Nothing stands in for shared memory that is asked for by name.
TEST(Limits, SharedMemoryThatIsAskedForIsNotReplaced) {
    if (world_size() == 1) GTEST_SKIP() << "one rank shares with nobody";
    const std::string by_name = std::string(problem) + "; via=shared";
    run(by_name, no_limit);
    const bool limited = world_rank() == world_size() - 1;
    const auto [outcome, shared] = run(by_name, limited ? addresses(1000 * kilobyte) : no_limit);
    expect_same(outcome, by_name);
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::system));
    EXPECT_NE(outcome.text.find("via=shared"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("ulimit -v"), std::string::npos) << outcome.text;
}

/// Room for so many descriptors more.
SetLimit descriptors(rlim_t more) {
    return [more](std::optional<Limit>& limit) {
        const int lowest = dup(STDERR_FILENO);
        close(lowest);
        limit.emplace(RLIMIT_NOFILE, static_cast<rlim_t>(lowest) + more);
    };
}

/// Binds with that limit on all ranks, and on the last alone; expects that it does through shared
/// memory or without it.
void expect_bound(const SetLimit& set_limit, bool through_shared_memory) {
    run(problem, no_limit);
    for (const int limited : {-1, world_size() - 1}) {
        const bool here = limited == -1 || limited == world_rank();
        const Run result = run(problem, here ? set_limit : no_limit);
        expect_same(result.outcome, "limited");
        EXPECT_TRUE(result.outcome.fine()) << result.outcome.text;
        if (windows_are_of_mpi() || world_size() == 1) continue;
        EXPECT_EQ(result.shared, through_shared_memory);
    }
}

/// A shared file beyond the limit would end the process (SIGXFSZ).
TEST(Limits, SmallFilesMakeTheDefaultGoByMessages) {
    expect_bound([](std::optional<Limit>& limit) { limit.emplace(RLIMIT_FSIZE, 65536); }, false);
}

TEST(Limits, NoDescriptorsMakeTheDefaultGoByMessages) { expect_bound(descriptors(0), false); }

/// Arrays of weft::allocate leave most descriptors to others; regions need one for a moment.
TEST(Limits, AFewDescriptorsAreEnoughForRegions) { expect_bound(descriptors(20), true); }

}  // namespace
}  // namespace weft::test
