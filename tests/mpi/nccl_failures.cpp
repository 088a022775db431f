// NCCL that fails on one rank at any exchange, when it is started or while it is under way: that
// rank gives up its communicators, the others hear of it, and all are told what it has said. None
// waits for ever, nothing stays behind, and the next plan makes communicators of its own.
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>

#include "device_ends.hpp"
#include "flight.hpp"
#include "testing/emulated/nccl/nccl.hpp"

namespace weft::test {
namespace {

using core::emulated::groups_of_process;
using core::emulated::set_failing_group;

struct NcclWay {
    const char* name;
    const char* text;
    bool by_mpi = false;  ///< some messages go by MPI, which has to reach the device

    friend std::ostream& operator<<(std::ostream& out, const NcclWay& way) {
        return out << way.name;
    }
};

constexpr NcclWay nccl_ways[] = {
    {"slab", "c2c:f64:12x10x8 in=slab(0) out=slab(0); via=nccl"},
    {"pencil", "c2c:f64:8x12x9; decomposition=pencil; via=nccl"},
    {"tiles", "c2c:f64:12x10x8; decomposition=slab; via=nccl; tile=(axis:2,T:4,W:2)"},
    {"beside_mpi", "c2c:f64:12x10x8 in=slab(0) out=slab(0); via=nccl; via[1]=isend-waitall", true},
    {"before_mpi", "c2c:f64:12x10x8 in=slab(0) out=slab(0); via=alltoallv; via[0]=nccl", true},
};

/// Sockets of communicators among them.
std::size_t open_files() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

class FailingNccl : public ::testing::TestWithParam<NcclWay> {
  protected:
    void SetUp() override {
        if (world_size() == 1) GTEST_SKIP() << "one rank exchanges with nobody";
        const char* options = std::getenv("WEFT_EMULATED_DEVICE");
        const std::string words = options != nullptr ? options : "";
        if (words.find("nccl:") != std::string::npos) {
            GTEST_SKIP() << "ranks cannot share the device";
        }
        if (GetParam().by_mpi != (words.find("mpi") != std::string::npos)) {
            GTEST_SKIP() << "where MPI reaches the device: what goes by MPI as well, only";
        }
    }
    void TearDown() override { set_failing_group({}); }

    /// Transforms by themselves, then two in flight. What the first of them that failed has said.
    static Outcome run(MPI_Comm comm) {
        const std::string text = std::string(GetParam().text) + "; space=emulated";
        std::optional<Flight> one;
        std::optional<Flight> other;
        Outcome made = outcome_of([&] {
            one.emplace(text, comm);
            other.emplace(text, comm);
        });
        expect_same(made, "binds, and transforms one after the other");
        if (!made.fine()) return made;
        one->start(false);
        other->start(false);
        const Outcome second = outcome_of([&] { other->wait(); });
        const Outcome first = outcome_of([&] { one->wait(); });
        expect_same(second, "the one that was started second");
        expect_same(first, "the one that was started first");
        if (first.fine() && second.fine()) {
            one->expect_right();
            other->expect_right();
        }
        return first.fine() ? second : first;
    }
    /// That rank's n-th group fails.
    static void fail(int number, int victim, bool at_once) {
        const std::string rank = "rank " + std::to_string(victim) + ": ";
        const std::string when =
            rank + "group " + std::to_string(number) + (at_once ? " at once" : "");
        const Comm comm;
        if (world_rank() == victim) set_failing_group(number, at_once);
        const Outcome outcome = run(comm.get());
        set_failing_group({});
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::system)) << when;
        EXPECT_EQ(outcome.text.rfind(rank, 0), 0U) << when << ": " << outcome.text;
        EXPECT_NE(outcome.text.find("fails, as a test asks for"), std::string::npos)
            << when << ": " << outcome.text;
        // Ranks that share a communicator of MPI's go on with it.
        EXPECT_TRUE(run(comm.get()).fine()) << when;
    }
};

TEST_P(FailingNccl, IsToldToAllRanksWheneverItFails) {
    const int before = groups_of_process();
    EXPECT_TRUE(run(MPI_COMM_WORLD).fine());
    const int here = groups_of_process() - before;
    std::optional<Held> held;
    std::size_t files = 0;
    // The first and the last group, and two in between; each rank, and each way to fail, twice.
    constexpr int samples = 4;
    for (int i = 0; i < samples; ++i) {
        const int victim = i % 2 == 0 ? 0 : world_size() - 1;
        int most = here;
        MPI_Bcast(&most, 1, MPI_INT, victim, MPI_COMM_WORLD);
        if (most == 0) continue;  // It exchanges with nobody.
        fail(1 + (most - 1) * i / (samples - 1), victim, i == 1 || i == 2);
        if (held) continue;
        held.emplace();
        files = open_files();
    }
    held->expect_no_more();
    EXPECT_LE(open_files(), files);
}

INSTANTIATE_TEST_SUITE_P(Of, FailingNccl, ::testing::ValuesIn(nccl_ways),
                         [](const auto& about) { return std::string(about.param.name); });

// A Transform whose communicators were given up says so on all ranks, each time, until the plan is
// bound again.
TEST(FailedNccl, IsToldAgainUntilThePlanIsBoundAgain) {
    if (world_size() == 1) GTEST_SKIP() << "one rank exchanges with nobody";
    const Plan plan = plan_of("space=emulated; via=nccl");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    Transform transform = plan.bind(in.data(), out.data());
    if (is_last()) set_failing_group(1);
    expect_collective_error([&] { transform.forward(); }, ErrorCode::system,
                            {"rank " + std::to_string(world_size() - 1) + ": ", "as a test asks"});
    set_failing_group({});
    for (int time = 0; time < 2; ++time) {
        expect_collective_error([&] { transform.forward(); }, ErrorCode::system,
                                {"has failed before", "bind the plan again"});
    }
    plan.bind(in.data(), out.data()).forward();
    expect_near(out, spectrum_of(plan));
}

}  // namespace
}  // namespace weft::test
